import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Text } from './utf8-text.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/** What a strict decoder makes of the bytes; null where they are not UTF-8. */
function strictText(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', '{', '"', '\0', '\x7f') },
  { weight: 2, arbitrary: fc.constantFrom('\x80', 'ÿ', '\u07ff', '\u0800', '\ufeff', '\ufffd', '\uffff') },
  { weight: 1, arbitrary: fc.constantFrom('\u{10000}', '\u{1f600}', '\u{10ffff}') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) }
)
const text = fc.array(character, { maxLength: 120 }).map((characters) => characters.join(''))

/** The bytes within others, as a line of a chunk is: what stands around must not matter. */
function within(bytes: Uint8Array, before: number, after: Uint8Array): Uint8Array {
  const all = new Uint8Array(before + bytes.length + after.length)
  all.set(bytes, before)
  all.set(after, before + bytes.length)
  return all.subarray(before, before + bytes.length)
}

test('any text is what it was, wherever its bytes stand', () => {
  fc.assert(
    fc.property(text, fc.nat(20), fc.uint8Array({ maxLength: 20 }), (text, before, after) => {
      const bytes = new TextEncoder().encode(text)
      expect(utf8Text(within(bytes, before, after))).toBe(decoder.decode(bytes))
    }),
    { numRuns: 1000 }
  )
})

test('any bytes, and texts that are cut or damaged, are what a strict decoder makes of them', () => {
  const damaged = fc.tuple(text, fc.nat(), fc.nat(255), fc.nat()).map(([text, place, byte, cut]) => {
    const bytes = new TextEncoder().encode(text)
    if (bytes.length > 0) bytes[place % bytes.length] = byte
    return bytes.subarray(0, bytes.length - (cut % 5))
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), damaged), (bytes) => {
      expect(utf8Text(bytes)).toBe(strictText(bytes))
    }),
    { numRuns: 2000 }
  )
})

test('a character of each length at each place around the borders of 16 bytes', () => {
  for (const one of ['é', '語', '😀']) {
    for (let before = 0; before <= 40; before++) {
      for (let after = 0; after <= 20; after++) {
        const text = 'a'.repeat(before) + one + 'b'.repeat(after)
        expect(utf8Text(new TextEncoder().encode(text))).toBe(text)
      }
    }
  }
})

test('text that needs more memory than the one before', () => {
  for (const length of [10, 40_000, 300_000, 20]) {
    const text = 'né語😀'.repeat(length / 10)
    expect(utf8Text(new TextEncoder().encode(text))).toBe(text)
  }
})

test('a very long text that is not ASCII is left to others', () => {
  expect(utf8Text(new TextEncoder().encode(`é${'a'.repeat(1 << 20)}`))).toBeNull()
})

test('bytes that are not the whole of their memory, and none at all', () => {
  expect(utf8Text(new Uint8Array(0))).toBe('')
  const shared = new Uint8Array(new SharedArrayBuffer(8))
  shared.set(new TextEncoder().encode('aéb'), 2)
  expect(utf8Text(shared.subarray(2, 6))).toBe('aéb')
})
