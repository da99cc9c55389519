import { describe, expect, test } from 'vitest'
import { isZstd, ZstdError, ZstdFrames } from './zstd-frames.ts'

/** A frame header: a window of 128 KiB, no size, no checksum unless said. */
const header = (flags = 0, window = 0x38) => [0x28, 0xb5, 0x2f, 0xfd, flags, window]
const block = (kind: number, size: number, last: boolean) => {
  const word = (size << 3) | (kind << 1) | (last ? 1 : 0)
  return [word & 0xff, (word >> 8) & 0xff, word >> 16]
}
const raw = (bytes: readonly number[], last: boolean) => [...block(0, bytes.length, last), ...bytes]
const skippable = (length: number) => [0x5a, 0x2a, 0x4d, 0x18, length, 0, 0, 0, ...Array<number>(length).fill(7)]

function pieces(bytes: readonly number[], chunk = bytes.length): number[][] {
  const found: number[][] = []
  const frames = new ZstdFrames((piece) => found.push([...piece]))
  for (let at = 0; at < bytes.length; at += chunk) {
    const pushed = Uint8Array.from(bytes.slice(at, at + chunk))
    frames.push(pushed)
    // Its owner may write to it again.
    pushed.fill(0xee)
  }
  frames.end()
  return found
}

describe('the frames of a Zstandard stream', () => {
  const stream = [
    ...skippable(5),
    ...[...header(), ...raw([1, 2, 3], false), ...block(1, 9, true), 4],
    ...[...header(0x04), ...raw([5], true), 0xc1, 0xc2, 0xc3, 0xc4],
    ...skippable(0)
  ]

  test('are told by their first bytes', () => {
    expect(isZstd(Uint8Array.from(stream))).toBe(true)
    expect(isZstd(Uint8Array.from(header()))).toBe(true)
    expect(isZstd(Buffer.from('{"type":'))).toBe(false)
    expect(isZstd(Uint8Array.from([0x28, 0xb5]))).toBe(false)
  })

  test('come as headers, blocks and checksums, in any chunking, without what is to be skipped', () => {
    const expected = [
      header(),
      raw([1, 2, 3], false),
      [...block(1, 9, true), 4],
      header(0x04),
      raw([5], true),
      [0xc1, 0xc2, 0xc3, 0xc4]
    ]
    for (let chunk = 1; chunk <= stream.length; chunk++) expect(pieces(stream, chunk)).toEqual(expected)
  })

  test('end where the stream is cut, and say so', () => {
    const ends = [13, 29, 43, stream.length]
    for (let length = 0; length <= stream.length; length++) {
      const cut = () => pieces(stream.slice(0, length))
      if (length === 0 || ends.includes(length)) expect(cut()).toBeInstanceOf(Array)
      else expect(cut, String(length)).toThrow(/ends too early/)
    }
  })

  test.each([
    ['a reserved bit', [...header(0x08), 0, 0], /invalid header/],
    ['a dictionary', [0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x38, 0x09, 0, 0], /dictionary/],
    ['a window of 64 MiB', [...header(0, 0x80), 0, 0], /larger than 32 MiB/],
    ['a single segment of 1 GiB', [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40], /larger than 32 MiB/],
    ['a reserved block', [...header(), ...block(3, 1, true), 0], /damaged/],
    ['a block that stands for a MiB', [...header(), ...block(1, 1 << 20, true), 0], /damaged/],
    [
      'something else after the frame',
      [...header(), ...raw([1], true), ...Buffer.from('{"type":1}')],
      /Zstandard frame was expected/
    ]
  ])('%s is refused', (_, bytes, reason) => {
    expect(() => pieces(bytes)).toThrow(ZstdError)
    expect(() => pieces(bytes)).toThrow(reason)
  })
})
