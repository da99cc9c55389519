import { expect, test } from 'vitest'
import type { EventDraft } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import { codexRollout } from './rollout.ts'

type Line = readonly [type: string, payload: object]

function eventsIn(...lines: readonly Line[]): EventDraft[] {
  const drafts: EventDraft[] = []
  const reader = new LogReader(codexRollout, { line: ({ events }) => drafts.push(...events.map(({ draft }) => draft)) })
  const records = lines.map(([type, payload]) => ({ timestamp: '2026-05-04T10:00:00.000Z', type, payload }))
  reader.push(new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
  reader.end()
  return drafts
}

function callsIn(...lines: readonly Line[]): unknown[] {
  return eventsIn(...lines).flatMap((draft) => (draft.type === 'tool.started' ? [draft.input] : []))
}

const action = (query: string): object => ({ type: 'search', query, queries: [query] })
const event = (query: string, call_id?: string) =>
  ['event_msg', { type: 'web_search_end', call_id, query, action: action(query) }] as const
const item = (query: string, id?: string) =>
  ['response_item', { type: 'web_search_call', id, status: 'completed', action: action(query) }] as const
const turn = ['event_msg', { type: 'task_started' }] as const

test('an event and an item of one search are one call, whichever lacks the id and comes first', () => {
  for (const lines of [
    [event('tides', 'ws_1'), item('tides')],
    [item('tides'), event('tides', 'ws_1')],
    [item('tides', 'ws_1'), event('tides')],
    [event('tides', 'ws_1'), item('tides', 'ws_1')]
  ])
    expect(callsIn(...lines)).toEqual([action('tides')])
})

test('equal searches are as many calls as there are', () => {
  const twice = [event('tides', 'ws_1'), item('tides'), event('tides', 'ws_2'), item('tides')]
  expect(callsIn(...twice)).toHaveLength(2)
  expect(callsIn(event('tides', 'ws_1'), event('tides', 'ws_2'), item('tides'), item('tides'))).toHaveLength(2)
  expect(callsIn(event('tides', 'ws_1'), item('tides', 'ws_1'), item('tides'))).toHaveLength(2)
  expect(callsIn(item('tides'), item('tides'))).toHaveLength(2)
  expect(callsIn(event('tides', 'ws_1'), turn, item('tides'))).toHaveLength(2)
  expect(callsIn(event('tides', 'ws_1'), item('piers'))).toHaveLength(2)
})

test('an item without an action is of the search before it', () => {
  const bare = ['response_item', { type: 'web_search_call', status: 'completed' }] as const
  expect(callsIn(event('tides', 'ws_1'), bare)).toEqual([action('tides')])
})

test('an image is one call', () => {
  const drawn = { revised_prompt: 'A pier', status: 'completed' }
  const lines = [
    ['event_msg', { type: 'image_generation_end', call_id: 'ig_1', ...drawn }],
    ['response_item', { type: 'image_generation_call', ...drawn }]
  ] as const
  expect(callsIn(...lines)).toEqual([{ prompt: 'A pier' }])
})

test('a search for tools is a call, and the names of what it found are its result', () => {
  const call = { type: 'tool_search_call', id: 'tsc_1', call_id: 'call_1', execution: 'client' }
  const tools = [
    { type: 'namespace', name: 'mcp__probe', tools: [{ type: 'function', name: 'search_code' }] },
    { type: 'function', name: 'view' }
  ]
  const events = eventsIn(
    ['response_item', { ...call, arguments: { query: 'code' } }],
    ['response_item', { type: 'tool_search_output', call_id: 'call_1', status: 'completed', tools }]
  )
  expect(events).toMatchObject([
    { type: 'tool.started', toolName: 'tool_search', toolId: 'call_1', input: { query: 'code' } },
    { type: 'tool.completed', toolId: 'call_1', output: 'mcp__probe.search_code\nview' }
  ])
  expect(callsIn(['response_item', { ...call, arguments: '{"query":"code"}' }])).toEqual([{ query: 'code' }])
})

test('a search for tools that the host made is a call with its result', () => {
  const call = { type: 'tool_search_call', id: 'tsc_1', call_id: null, execution: 'server', arguments: {} }
  const events = eventsIn(
    ['response_item', call],
    ['response_item', { type: 'tool_search_output', id: 'tso_1', call_id: null, tools: [] }]
  )
  expect(events.map(({ type }) => type)).toEqual(['tool.started', 'tool.completed'])
})
