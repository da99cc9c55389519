import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invalidBytes, readRawBytes } from './raw-bytes.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** The spans of `bytes` as one string, marks in braces. */
const shown = (bytes: Uint8Array, more = false) =>
  readRawBytes(bytes, more)
    .spans.map((run) => (run.kind === 'text' ? run.text : `{${run.text}}`))
    .join('')

describe('readRawBytes', () => {
  it('shows valid UTF-8 as text', () => {
    expect(shown(encode('{"a":"grüße 世界 🌍"}'))).toBe('{"a":"grüße 世界 🌍"}')
  })

  it.each([
    ['a lone continuation byte', [0x61, 0x80, 0x62], 'a{\\x80}b'],
    ['an overlong slash', [0xc0, 0xaf], '{\\xc0\\xaf}'],
    ['a surrogate half', [0xed, 0xa0, 0x80], '{\\xed\\xa0\\x80}'],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '{\\xf4\\x90\\x80\\x80}'],
    ['a character cut by another', [0xe4, 0xb8, 0x61], '{\\xe4\\xb8}a'],
    ['Latin-1', [0x67, 0x72, 0xfc, 0xdf, 0x65], 'gr{\\xfc\\xdf}e']
  ])('marks %s', (_, bytes, text) => {
    expect(shown(Uint8Array.from(bytes))).toBe(text)
  })

  it('distinguishes a written U+FFFD from an invalid byte', () => {
    expect(shown(Uint8Array.from([0xef, 0xbf, 0xbd, 0xff]))).toBe('\uFFFD{\\xff}')
  })

  it('marks invisible characters', () => {
    expect(shown(encode('a\u0000b\u001b[1m\r'))).toBe('a{␀}b{␛}[1m{␍}')
    expect(shown(encode('\uFEFF{}'))).toBe('{⟨U+FEFF⟩}{}')
    expect(shown(encode('x\u202ey'))).toBe('x{⟨U+202E⟩}y')
  })

  it('leaves a character cut at the end of a page to the next page', () => {
    const bytes = encode('ab🌍')
    const first = readRawBytes(bytes.subarray(0, 4), true)
    expect(first).toEqual({ spans: [{ kind: 'text', text: 'ab' }], consumed: 2 })
    expect(shown(bytes.subarray(first.consumed))).toBe('🌍')
    expect(shown(bytes.subarray(0, 4))).toBe('ab{\\xf0\\x9f}')
  })

  it('agrees with the decoder', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => {
        const invalid = readRawBytes(bytes, false).spans.some((run) => run.kind === 'invalid')
        let refused = false
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        } catch {
          refused = true
        }
        expect(invalid).toBe(refused)
        expect(invalidBytes(bytes, false, 24).length > 0).toBe(refused)
      })
    )
  })
})

describe('invalidBytes', () => {
  it('returns offsets of invalid bytes, up to a limit', () => {
    const bytes = Uint8Array.from([0x61, 0x80, 0xc3, 0xa4, 0xff, 0xff])
    expect(invalidBytes(bytes, false, 10)).toEqual([1, 4, 5])
    expect(invalidBytes(bytes, false, 2)).toEqual([1, 4])
  })

  it('ignores a character that may continue', () => {
    expect(invalidBytes(Uint8Array.from([0x61, 0xe4, 0xb8]), true, 10)).toEqual([])
    expect(invalidBytes(Uint8Array.from([0x61, 0xe4, 0xb8]), false, 10)).toEqual([1, 2])
  })
})
