import fc from 'fast-check'
import { expect, test } from 'vitest'
import { terminalSafeText } from '#core/terminal-safe-text.ts'
import { jsonString } from './json-string.ts'

/** All parts of what is given for a text. They are copied: each is valid until the next. */
function written(text: string): Buffer {
  const parts: Buffer[] = []
  jsonString(text, (bytes) => parts.push(Buffer.from(bytes)))
  return Buffer.concat(parts)
}

const expectedOf = (text: string) => Buffer.from(terminalSafeText(JSON.stringify(text)))

const unit = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', ' ', '/', '~', '\x7f') },
  { weight: 2, arbitrary: fc.constantFrom('"', '\\', '\n', '\t', '\0', '\x1f') },
  { weight: 2, arbitrary: fc.constantFrom('\x80', 'ÿ', '\u07ff', '\u0800', '\u2028', '\ufeff', '\ufffd', '\uffff') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('\x9f', '\xa0', '\u061c', '\u200d', '\u200e', '\u202a', '\u202e', '\u202f', '\u2069')
  },
  { weight: 1, arbitrary: fc.constantFrom('\u{10000}', '\u{1f600}', '\u{10ffff}') },
  { weight: 1, arbitrary: fc.constantFrom('\ud800', '\udbff', '\udc00', '\udfff', '\ud7ff', '\ue000') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) }
)
const text = fc.array(unit, { maxLength: 120 }).map((units) => units.join(''))

test('any text equals JSON.stringify, with control characters escaped', () => {
  fc.assert(
    fc.property(text, (text) => {
      expect(written(text)).toEqual(expectedOf(text))
    }),
    { numRuns: 3000 }
  )
})

test('each UTF-16 unit alone, and before and after surrogates', () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const one = String.fromCharCode(unit)
    const text = `${one}|\ud83d${one}|${one}\ude00|`
    if (!written(text).equals(expectedOf(text))) expect([unit, written(text)]).toEqual([unit, expectedOf(text)])
  }
})

test('a character of each length at each offset around borders of 16 units', () => {
  for (const one of ['"', '\x01', '\x7f', '\x80', 'é', '\u202e', '語', '😀', '\ud83d']) {
    for (let before = 0; before <= 40; before++) {
      for (let after = 0; after <= 20; after++) {
        const text = 'a'.repeat(before) + one + 'b'.repeat(after)
        expect(written(text).toString()).toBe(terminalSafeText(JSON.stringify(text)))
      }
    }
  }
})

test('long texts with any character at the borders of parts', () => {
  for (const piece of ['a', '\x01', '\x9b', '\u2066', 'é', '語', '😀', '\ud83d', '\ude00', 'né"語😀\ud83d']) {
    for (const before of ['', 'a']) {
      const text = before + piece.repeat(100_000 / piece.length)
      expect(written(text).equals(expectedOf(text)), piece).toBe(true)
    }
  }
})

test('a concatenated text, and earlier contents of memory', () => {
  let joined = ''
  for (let i = 0; i < 1000; i++) joined += `${i} é\n`
  expect(written(joined)).toEqual(expectedOf(joined))
  // The units of the longer text still stand behind the shorter one: its last one is no half of a pair.
  written('\ude00'.repeat(100))
  expect(written('\ud83d')).toEqual(expectedOf('\ud83d'))
  expect(written('')).toEqual(expectedOf(''))
})
