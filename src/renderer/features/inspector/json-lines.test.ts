import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberPath, valueAtPath } from '#core/json-path.ts'
import { byteOfColumn, JsonLines } from './json-lines.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function shown(bytes: Uint8Array): string[] {
  const lines = new JsonLines(bytes)
  return Array.from({ length: lines.count }, (_, at) => {
    const { from, to, depth } = lines.at(at)
    return '  '.repeat(depth) + new TextDecoder().decode(bytes.subarray(from, to))
  })
}

test('each member has its line, as written', () => {
  const text = ' {"a":12345678901234567890, "a" : [1, {"b":"\\u0041\\"x"} ,[],{ }],"c":true}'
  expect(shown(bytesOf(text))).toEqual([
    '{',
    '  "a":12345678901234567890,',
    '  "a" : [',
    '    1,',
    '    {',
    '      "b":"\\u0041\\"x"',
    '    } ,',
    '    [],',
    '    { }',
    '  ],',
    '  "c":true',
    '}'
  ])
})

test('any JSON keeps all bytes except white space, with matching brackets', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      const bytes = bytesOf(JSON.stringify(value, null, indent))
      const lines = new JsonLines(bytes)
      const written = shown(bytes).join('').replaceAll(/\s/g, '')
      expect(written).toBe(new TextDecoder().decode(bytes).replaceAll(/\s/g, ''))
      for (let at = 0; at < lines.count; at++) {
        const { close, depth } = lines.at(at)
        if (close !== null) expect(lines.at(close).depth).toBe(depth)
      }
    })
  )
})

test('every value is found by its path, and counted', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const written = JSON.stringify(value)
      const bytes = bytesOf(written)
      // JSON has no negative zero.
      const root: unknown = JSON.parse(written)
      const lines = new JsonLines(bytes)
      const visit = (value: unknown, path: string) => {
        const { line, exact } = lines.lineAt(path)
        expect(exact).toBe(true)
        if (typeof value !== 'object' || value === null) {
          const { value: from, to } = lines.at(line)
          const written = new TextDecoder().decode(bytes.subarray(from, to)).replace(/,$/, '')
          expect(JSON.parse(written)).toEqual(value)
          return
        }
        const members = Object.entries(value)
        if (members.length > 0) expect(lines.membersOf(line)).toBe(members.length)
        for (const [key, member] of members) visit(member, memberPath(path, Array.isArray(value) ? Number(key) : key))
      }
      visit(root, '$')
      expect(valueAtPath(root, '$')).toBe(root)
    })
  )
})

test('a missing path finds the nearest ancestor', () => {
  const lines = new JsonLines(bytesOf('{"a":{"b":1}}'))
  expect(lines.lineAt('$.a.c')).toEqual({ line: 1, exact: false })
  expect(lines.lineAt('$.session_id')).toEqual({ line: 0, exact: false })
})

test('text that is not JSON or ends early has lines too', () => {
  expect(shown(bytesOf('{"a":[1,'))).toEqual(['{', '  "a":[', '    1,'])
  expect(new JsonLines(bytesOf('{"a":[1,')).at(0).close).toBe(-1)
  expect(shown(bytesOf('no json } at all'))).toEqual(['no', 'json', '}', 'at', 'all'])
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const lines = new JsonLines(bytes)
      let end = 0
      for (let at = 0; at < lines.count; at++) {
        const { from, to } = lines.at(at)
        expect(from).toBeGreaterThanOrEqual(end)
        expect(to).toBeGreaterThan(from)
        end = to
      }
      expect(end).toBeLessThanOrEqual(bytes.length)
    })
  )
})

test('a column is converted to a byte and a line', () => {
  const text = '{"ü":"🌍","x":1}'
  const bytes = bytesOf(text)
  const column = text.indexOf('"x"') + 1
  expect(new TextDecoder().decode(bytes.subarray(byteOfColumn(bytes, column)))).toBe('"x":1}')
  expect(new JsonLines(bytes).lineOfColumn(column).line).toBe(2)
  expect(byteOfColumn(bytes, text.length + 1)).toBe(bytes.length)
})

test('text after the first fault stays as written', () => {
  const text = '{"a":"x"y":[1,2]}'
  const bytes = bytesOf(text)
  const lines = new JsonLines(bytes, text.indexOf('y'))
  expect(lines.count).toBe(3)
  expect(lines.rest).toBe(2)
  const { from, to } = lines.at(2)
  expect(new TextDecoder().decode(bytes.subarray(from, to))).toBe('y":[1,2]}')
  expect(new JsonLines(bytesOf('{}'), 2).rest).toBe(-1)
})
