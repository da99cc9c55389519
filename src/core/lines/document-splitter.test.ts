import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DocumentSplitter } from './document-splitter.ts'

interface Given {
  line: number
  offset: number
  text: string | null
  terminated: boolean
}

function split(bytes: Uint8Array, cuts: readonly number[] = [], maxBytes?: number): { given: Given[]; lines: number } {
  const given: Given[] = []
  const splitter = new DocumentSplitter(
    ({ line, offset, length, bytes: own, terminated }) => {
      const text = own === null ? null : new TextDecoder().decode(own)
      expect(own === null || own.length === length).toBe(true)
      given.push({ line, offset, text, terminated })
    },
    maxBytes === undefined ? {} : { maxBytes }
  )
  let start = 0
  for (const end of [...cuts, bytes.length]) {
    const chunk = bytes.slice(start, end)
    splitter.push(chunk)
    chunk.fill(0x21)
    start = end
  }
  splitter.end()
  return { given, lines: splitter.lines }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const texts = (text: string): (string | null)[] => split(bytesOf(text)).given.map((record) => record.text)
const everyByte = (bytes: Uint8Array): number[] => Array.from({ length: bytes.length }, (_, at) => at)

describe('a document is cut into records', () => {
  test('each element of an array is one, with the line and offset at which it begins', () => {
    const text = '[\n  {"a": 1},\n  {\n    "b": "]},["\n  }\n]\n'
    expect(split(bytesOf(text))).toEqual({
      given: [
        { line: 2, offset: 4, text: '{"a": 1}', terminated: true },
        { line: 3, offset: 16, text: '{\n    "b": "]},["\n  }', terminated: true }
      ],
      lines: 6
    })
  })

  test('of an object: the members before its list, the objects of the list, the members after it', () => {
    const text =
      '{\n "id": "s",\n "tags": ["x", "y"],\n "messages": [\n {"n": 1},\n {"n": [2]}\n ],\n "kind": "main"\n}'
    expect(texts(text)).toEqual(['"id": "s",\n "tags": ["x", "y"]', '{"n": 1}', '{"n": [2]}', '"kind": "main"'])
  })

  test('a document without a list is one run of members', () => {
    expect(texts('{\n"a": {"b": [{"c": 1}]},\n"messages": []\n}')).toEqual(['"a": {"b": [{"c": 1}]},\n"messages": []'])
  })

  test('what is no JSON is a record as well, up to the next comma or bracket', () => {
    expect(texts('[{"a":1} oops {"b":2}, nonsense, "s,]", 3]')).toEqual([
      '{"a":1} oops {"b":2}',
      'nonsense',
      '"s,]"',
      '3'
    ])
    expect(texts('[{"a":1}]\ntrailing')).toEqual(['{"a":1}', 'trailing'])
  })

  test('objects one after the other may have lines of something else between them', () => {
    const text = '{\n"a": 1\n}\nWarning: "half a string, {and [more\r\n{\n"b": 2\n}\n'
    expect(split(bytesOf(text)).given).toEqual([
      { line: 2, offset: 2, text: '"a": 1', terminated: true },
      { line: 4, offset: 11, text: 'Warning: "half a string, {and [more', terminated: true },
      { line: 6, offset: 50, text: '"b": 2', terminated: true }
    ])
  })

  test('a source that ends inside a record gives it, marked', () => {
    expect(split(bytesOf('[{"a":1},{"b":"x')).given.at(-1)).toEqual({
      line: 1,
      offset: 9,
      text: '{"b":"x',
      terminated: false
    })
    expect(split(bytesOf('{\n"a":1,\n"b": "x')).given).toEqual([
      { line: 2, offset: 2, text: '"a":1,\n"b": "x', terminated: false }
    ])
    expect(split(bytesOf('{\n"a":1,\n')).given).toEqual([{ line: 2, offset: 2, text: '"a":1', terminated: true }])
  })

  test('a byte order mark belongs to nothing, escapes do not end strings, a record too long has no bytes', () => {
    expect(texts('\uFEFF[{"a":"\\\\\\""}]')).toEqual(['{"a":"\\\\\\""}'])
    expect(split(bytesOf(`[{"a":"${'x'.repeat(100)}"},{"b":1}]`), [], 50).given.map(({ text }) => text)).toEqual([
      null,
      '{"b":1}'
    ])
  })

  test('any chunks give the same records', () => {
    const json = fc.json({ maxDepth: 4 })
    const noise = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\n', ' ', 'a', '1', 'é')
    })
    const document = fc.oneof(
      fc.array(json).map((values) => `[${values.join(',\n')}]`),
      fc.array(json).map((values) => `{\n "a": 1,\n "list": [${values.join(', ')}],\n "z": "y" }`),
      noise
    )
    fc.assert(
      fc.property(document, fc.array(fc.nat(400)), (text, places) => {
        const bytes = bytesOf(text)
        const whole = split(bytes)
        expect(split(bytes, everyByte(bytes))).toEqual(whole)
        const cuts = places.filter((place) => place <= bytes.length).sort((a, b) => a - b)
        expect(split(bytes, cuts)).toEqual(whole)
      }),
      { numRuns: 300 }
    )
  })

  test('every byte that is no punctuation lies in a record', () => {
    fc.assert(
      fc.property(fc.array(fc.json({ maxDepth: 3 })), (values) => {
        const given = texts(`[${values.join(' ,\n ')}]`)
        expect(given.map((text) => JSON.parse(text ?? ''))).toEqual(values.map((value) => JSON.parse(value)))
      })
    )
  })
})
