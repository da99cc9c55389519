import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ShortLines } from './short-lines.ts'

const short = new ShortLines({ names: ['text', 'content', 'a name of 31 characters, no mor'], wholeAt: '< T' })
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The line as it is given; what stands around it must not matter. */
function textOf(text: string | Uint8Array): string | null {
  const bytes = typeof text === 'string' ? bytesOf(text) : text
  const within = new Uint8Array(bytes.length + 40).fill(0x22)
  within.set(bytes, 20)
  return short.textOf(within.subarray(20, 20 + bytes.length))
}

const long = 'of a long text the beginning is kept; '.repeat(4)

test('a long string of a name is cut behind its beginning', () => {
  expect(textOf(JSON.stringify({ text: long, other: long, n: 1 }))).toBe(
    JSON.stringify({ text: long.slice(0, 32), other: long, n: 1 })
  )
  expect(short.isCut).toBe(true)
  expect(textOf(`{"a name of 31 characters, no mor":"${long}"}`)).toContain(`:"${long.slice(0, 32)}"`)
  expect(textOf(`{"text": "${long}"}`)).toBe(`{"text": "${long.slice(0, 32)}"}`)
})

test.each([
  ['a short string', { text: long.slice(0, 60) }],
  ['a longer name', { 'a name of 31 characters, no more': long }],
  ['another name', { texts: long, ext: long, '"text': long, 'text\n': long }],
  ['an element of a list', { text: [long] }],
  ['a name that is a value', { other: 'text', more: long, list: ['text', long] }],
  [
    'a text that begins so that more of it is read',
    [`<${long}`, ` ${long}`, `T${long}`, `"${long}`].map((text) => ({ text }))
  ]
])('%s stays whole', (_, value) => {
  const text = JSON.stringify(value)
  expect(textOf(text)).toBe(text)
  expect(short.isCut).toBe(false)
})

test('a text is cut before its first character that is not ASCII, and where that is its first one it is no word at all', () => {
  expect(textOf(JSON.stringify({ text: `Größer ${long}` }))).toBe('{"text":"Gr"}')
  expect(textOf(JSON.stringify({ text: `世界 ${long}` }))).toBe('{"text":"\x7f"}')
})

test('escapes count as one character each and are not cut', () => {
  const text = `a${'\\n'.repeat(20)}${'\\u00e9'.repeat(20)}${long}`
  expect(JSON.parse(textOf(`{"text":"${text}"}`) ?? '')).toEqual({ text: `a${'\n'.repeat(20)}${'é'.repeat(11)}` })
})

test.each([
  ['a control character', `{"text":"${long}\t"}`],
  ['a bad escape', `{"text":"${long}\\x"}`],
  ['a bad escape of four digits', `{"text":"${long}\\u12g4"}`],
  ['an escape that is cut', `{"text":"${long}\\u12`],
  ['no end', `{"text":"${long}`],
  ['no end behind a backslash', `{"text":"${long}\\`]
])('%s in what would be cut is left to others', (_, text) => {
  expect(textOf(text)).toBeNull()
})

test('bytes that are not UTF-8 are left to others', () => {
  const bytes = bytesOf(JSON.stringify({ text: long }))
  bytes[30] = 0xff
  expect(textOf(bytes)).toBeNull()
})

test('a line of many megabytes is left to others, one of less is not', () => {
  expect(textOf(JSON.stringify({ text: 'a'.repeat(2 << 20) }))).toBeNull()
  expect(textOf(JSON.stringify({ text: 'a'.repeat(900_000) }))).toBe(`{"text":"${'a'.repeat(32)}"}`)
})

const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', ' ', '"', '\\', '\n', '\t', '<', 'u') },
  { weight: 1, arbitrary: fc.constantFrom('é', '語', '😀', '\u2028', '\ud800', '\x7f', '\0') }
)
const string = fc
  .tuple(fc.array(character, { maxLength: 60 }), fc.nat(2))
  .map(([characters, times]) => characters.join('').repeat(times + 1))
const name = fc.oneof(fc.constantFrom('text', 'content', 'a name of 31 characters, no mor'), string)
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    string,
    fc.constantFrom(null, true, -1.5e-7),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true })
  )
}))
const line = fc.tuple(json, fc.constantFrom(undefined, 1)).map(([value, space]) => {
  return JSON.stringify(value, null, space).replaceAll('\n', space === undefined ? '\n' : '')
})

/** Strings of `cut` may be beginnings of those of `whole`, where a name says so. */
function expectBeginnings(cut: unknown, whole: unknown, mayBeCut: boolean): void {
  if (typeof cut === 'string' && typeof whole === 'string' && cut !== whole) {
    expect(mayBeCut).toBe(true)
    const other = [...whole].findIndex((character) => character > '\x7f')
    const beginning = other < 0 ? whole : whole.slice(0, other)
    if (beginning === '') expect(cut).toBe('\x7f')
    else {
      expect(beginning.startsWith(cut)).toBe(true)
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(32, beginning.length))
    }
    expect('< T"\\\n\t\0'.includes(whole.charAt(0))).toBe(false)
    return
  }
  if (typeof cut !== 'object' || cut === null) {
    expect(cut).toBe(whole)
    return
  }
  expect(Object.keys(cut)).toEqual(Object.keys(whole as object))
  for (const [key, value] of Object.entries(cut)) {
    const named = !Array.isArray(cut) && ['text', 'content', 'a name of 31 characters, no mor'].includes(key)
    expectBeginnings(value, (whole as Record<string, unknown>)[key], named)
  }
}

test('any line is the same but for the ends of long strings', () => {
  fc.assert(
    fc.property(line, (line) => {
      const text = textOf(line)
      expect(text).not.toBeNull()
      expectBeginnings(JSON.parse(text ?? ''), JSON.parse(line), false)
      expect(short.isCut).toBe(text !== line)
    }),
    { numRuns: 2000 }
  )
})

test('a damaged line is no JSON when it is cut, or is left to others', () => {
  const damaged = fc.tuple(line, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }), fc.nat(8))
  fc.assert(
    fc.property(damaged, ([line, places, end]) => {
      const bytes = bytesOf(line)
      for (const [place, byte] of places) bytes[place % bytes.length] = byte
      const rest = bytes.subarray(0, bytes.length - (end < 4 ? end : 0))
      const text = textOf(rest)
      if (text !== null)
        expect(parsed(text) === undefined).toBe(
          parsed(new TextDecoder('utf-8', { ignoreBOM: true }).decode(rest)) === undefined
        )
    }),
    { numRuns: 4000 }
  )
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
