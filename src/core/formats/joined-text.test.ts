import { describe, expect, test } from 'vitest'
import { geminiStreamJson } from './gemini/stream-json.ts'
import { headOf } from './head.ts'
import { joinedDraft } from './joined-text.ts'
import type { FoldedEvent } from './log-format.ts'
import { LogReader } from './log-reader.ts'

const timestamp = '2026-01-02T03:04:05.000Z'
const piece = (content: string) => ({ type: 'message', timestamp, role: 'assistant', content, delta: true })
const log = [
  { type: 'init', timestamp, session_id: 's1', model: 'm-1' },
  { type: 'message', timestamp, role: 'user', content: 'hello' },
  // A list of objects in a record: no list of records where the record stands in a list itself.
  { ...piece('Once {'), parts: [{ a: 1 }] },
  piece('"upon", ['),
  piece(' a time'),
  { type: 'result', timestamp, status: 'success' }
]

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

describe('a text in pieces is read again', () => {
  test.each([
    ['on lines', log.map((record) => `${JSON.stringify(record)}\n`).join('')],
    ['in an array', pretty(log)],
    ['in an array on one line', JSON.stringify(log)],
    ['in the list of an object, which goes on after it', pretty({ name: 'x', messages: log, end: { a: [1] } })],
    ['in objects printed one after the other', log.map(({ ...record }) => pretty({ ...record, parts: 1 })).join('')],
    ['from one array to the next', pretty(log.slice(0, 3)) + pretty(log.slice(3))],
    [
      'from the list of one object to that of the next',
      [log.slice(0, 3), log.slice(3)].map((part) => pretty({ part })).join('')
    ]
  ])('%s', (_layout, text) => {
    const bytes = new TextEncoder().encode(text)
    const { framing } = headOf('log', bytes)
    const joined: FoldedEvent[] = []
    const line = ({ events }: { events: readonly FoldedEvent[] }): void =>
      void joined.push(...events.filter(({ joinedTo }) => joinedTo !== undefined))
    const reader = new LogReader(geminiStreamJson, { line }, { framing })
    reader.push(bytes)
    reader.end()
    expect(joined).toMatchObject([{ draft: { type: 'text', text: 'Once {"upon", [ a time' } }])
    for (const { at, joinedTo, draft } of joined) {
      expect(joinedDraft(geminiStreamJson, framing, bytes.subarray(at.offset, joinedTo))).toEqual(draft)
    }
  })
})
