import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlockCache } from './block-cache.ts'

const content = Buffer.from(Uint8Array.from({ length: 900_000 }, (_, i) => (i * 7919) % 251))

test('gives the bytes of its source, read by whole blocks that are kept', async () => {
  let reads = 0
  const source = {
    async read(offset: number, length: number) {
      reads++
      return Buffer.from(content.subarray(offset, offset + length))
    }
  }
  const cache = new BlockCache(new Map([[undefined, source]]))
  for (let at = 0; at < 200_000; at += 1000) {
    expect(await cache.read(undefined, at, 1000)).toEqual(content.subarray(at, at + 1000))
  }
  expect(reads).toBe(1)
  await fc.assert(
    fc.asyncProperty(fc.nat(950_000), fc.nat(700_000), async (offset, length) => {
      const bytes = await cache.read(undefined, offset, length)
      expect(Buffer.compare(bytes, content.subarray(offset, offset + length))).toBe(0)
    })
  )
})

test('the last, partial block is read again: the file may have grown', async () => {
  let file = Buffer.from('first')
  const source = { read: async (offset: number, length: number) => file.subarray(offset, offset + length) }
  const cache = new BlockCache(new Map([[undefined, source]]))
  expect(Buffer.from(await cache.read(undefined, 0, 100)).toString()).toBe('first')
  file = Buffer.from('first, second')
  expect(Buffer.from(await cache.read(undefined, 0, 100)).toString()).toBe('first, second')
})

test('keeps the files of a run apart', async () => {
  const filled = (byte: number) => ({ read: async (_: number, length: number) => Buffer.alloc(length, byte) })
  const cache = new BlockCache(
    new Map([
      [undefined, filled(1)],
      ['a/1', filled(2)],
      ['a', filled(3)]
    ])
  )
  for (let round = 0; round < 2; round++) {
    expect((await cache.read(undefined, 0, 3))[0]).toBe(1)
    expect((await cache.read('a/1', 0, 3))[0]).toBe(2)
    expect((await cache.read('a', 1 << 18, 3))[0]).toBe(3)
  }
  expect(await cache.read('of another run', 0, 3)).toHaveLength(0)
})
