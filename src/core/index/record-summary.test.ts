import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { recordSummary } from './record-summary.ts'

const told = (value: JsonValue) => {
  const { text, detail } = recordSummary(JSON.stringify(value), value)
  return detail === '' ? text : `${text} (${detail})`
}

describe('a record is told by its type', () => {
  test.each<[string, JsonValue, string]>([
    [
      'then by what it says in words',
      { type: 'user', uuid: '3f-1', message: { content: [{ id: 'a b', content: 'Todos have been saved' }] } },
      'user (Todos have been saved)'
    ],
    ['and its subtype', { type: 'system', subtype: 'status', status: null }, 'system/status'],
    [
      'and that of what it holds, then by its values',
      {
        timestamp: '2026-07-01T09:00:00.000Z',
        type: 'event_msg',
        payload: { type: 'token_count', info: { total: 405, ok: true } }
      },
      'event_msg/token_count (total 405, ok true)'
    ],
    ['which is not said twice', { type: 'message', message: { type: 'message' } }, 'message'],
    [
      'without ids and times',
      { type: 'mode', id: '019f6b5e-e16e-7d73-9906-d0ed93b18343', mode: 'plan' },
      'mode (mode plan)'
    ],
    [
      'not by all of its values',
      { type: 'a', v: Object.fromEntries('abcdefghijk'.split('').map((k) => [k, 1])) },
      'a (a 1, b 1, c 1, d 1, e 1, f 1, g 1, h 1)'
    ],
    [
      'or, if that is all it has, by its only member',
      { $set: { lastUpdated: '2026-07-01T09:00:00Z', steps: 3 } },
      '$set (steps 3)'
    ],
    [
      'or, without one, as it stands',
      { kind: 'main', summary: 'Draw the chart' },
      '{"kind":"main","summary":"Draw the chart"}'
    ],
    ['where it is a record', [1, 2], '[1,2]']
  ])('%s', (_name, value, expected) => {
    expect(told(value)).toBe(expected)
  })

  test('a line that is no JSON is told by how it begins', () => {
    expect(recordSummary('{"type":"system","sub')).toMatchObject({ text: '{"type":"system","sub', mono: true })
  })
})
