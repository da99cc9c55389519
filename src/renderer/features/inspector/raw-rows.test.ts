import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RowIssue } from '#contract/methods.ts'
import { JsonLines } from './json-lines.ts'
import { faultOf, placedIssues, prettyRows, type RawRow, writtenRows } from './raw-rows.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const issue = (path: string | null, message = 'expected a string, found a number'): RowIssue => ({
  code: 'TypedParse',
  severity: 'violation',
  path,
  message
})
const plain = { collapsed: new Set<number>(), whole: new Set<number>() }

function shown(bytes: Uint8Array, rows: readonly RawRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === 'issue') return row.isFirst ? `! ${row.issue.path}` : `  ${row.words}`
    if (row.kind === 'more') return `… ${row.left}`
    return new TextDecoder().decode(bytes.subarray(row.from, row.to))
  })
}

test('an issue is below its line, or below the nearest ancestor', () => {
  const bytes = bytesOf('{"type":"system","subtype":7,"usage":{"a":1}}')
  const lines = new JsonLines(bytes)
  const placed = placedIssues(lines, [issue('$.subtype'), issue('$.session_id'), issue('$.usage.a')], true)
  expect(shown(bytes, prettyRows(lines, 80, plain, placed))).toEqual([
    '{',
    '! $.session_id',
    '"type":"system",',
    '"subtype":7,',
    '! $.subtype',
    '"usage":{',
    '"a":1',
    '! $.usage.a',
    '}',
    '}'
  ])
  const collapsed = prettyRows(lines, 80, { ...plain, collapsed: new Set([3]) }, placed)
  expect(shown(bytes, collapsed).slice(-3)).toEqual(['"usage":{', '! $.usage.a', '}'])
})

test('the end of valid JSON is known by its column', () => {
  const bytes = bytesOf('{"a":1,"b"}')
  const [placed] = placedIssues(new JsonLines(bytes), [issue(null, 'column 11: expected a colon')], true)
  expect(placed).toMatchObject({ from: 10, to: 11 })
})

test('text that is not JSON stays as written, after its issue', () => {
  const bytes = bytesOf('{"a":"x"y":[1]}')
  const wrong = issue(null, 'column 9: expected a comma or the end of the object')
  const lines = new JsonLines(bytes, faultOf(bytes, [wrong]))
  expect(shown(bytes, prettyRows(lines, 80, plain, placedIssues(lines, [wrong], true)))).toEqual([
    '{',
    '"a":"x"',
    '! null',
    'y":[1]}'
  ])
})

test('in little space a message has its own rows', () => {
  const bytes = bytesOf('{"subtype":7}')
  const lines = new JsonLines(bytes)
  const rows = prettyRows(lines, 30, plain, placedIssues(lines, [issue('$.subtype')], true))
  expect(shown(bytes, rows)).toEqual([
    '{',
    '"subtype":7',
    '! $.subtype',
    '  expected a string, found',
    '  a number',
    '}'
  ])
})

test('issues beyond the loaded bytes are left out', () => {
  const lines = new JsonLines(bytesOf('{"a":1,'))
  expect(placedIssues(lines, [issue('$.b'), issue(null, 'column 900: a bad number')], false)).toEqual([])
})

test('a long text is cut until all of it is requested', () => {
  const bytes = bytesOf(JSON.stringify({ a: 'x'.repeat(5000) }))
  const lines = new JsonLines(bytes)
  expect(shown(bytes, prettyRows(lines, 100, plain, [])).at(-2)).toMatch(/^… 3\d{3}$/)
  expect(prettyRows(lines, 100, { ...plain, whole: new Set([1]) }, []).some(({ kind }) => kind === 'more')).toBe(false)
})

test('rows have all bytes except line ends, and split no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 10, max: 60 }), (text, columns) => {
      const bytes = bytesOf(text)
      const written = shown(bytes, writtenRows(bytes, columns))
      expect(written.join('')).toBe(text.replaceAll('\n', ''))
      for (const row of written) expect(bytesOf(row).length).toBeLessThanOrEqual(columns * 4)
    })
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const rows = writtenRows(bytes, 20)
      const kept = rows.reduce((sum, row) => sum + (row.kind === 'bytes' ? row.to - row.from : 0), 0)
      expect(kept).toBe(bytes.filter((byte) => byte !== 0x0a).length)
    })
  )
})
