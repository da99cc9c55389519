import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyEvent } from '../../../test/arbitrary-events.ts'
import { AgentEvent } from './agent-event.ts'
import { soloTeam } from './team.ts'

// E-10 and E-13 to E-20 of docs/seeds.md#agent-event-todo-types; the others are in todo.test.ts.

const base = {
  eventId: 's:1:0',
  agentId: 'claude',
  agentType: 'claude-code',
  timestamp: 1_700_000_000_000,
  teamMetadata: soloTeam('claude', 'Claude')
}

const todoList = {
  ...base,
  type: 'todo_list',
  todoId: 'toolu_01ABC',
  items: [
    { text: 'Research existing metrics', status: 'in_progress' },
    { text: 'Design the system', status: 'pending' }
  ]
}

function throughJson(value: unknown): unknown {
  return AgentEvent.parse(JSON.parse(JSON.stringify(value)))
}

/** JSON path of the first thing that is wrong with `value`, dots only. */
function refusedAt(value: unknown): string | undefined {
  return AgentEvent.safeParse(value).error?.issues[0]?.path.join('.')
}

describe('4. TodoListEvent serializes/deserializes correctly', () => {
  test('a list', () => {
    expect(throughJson(todoList)).toEqual(todoList)
  })

  test('with all that an event may state of itself', () => {
    const event = {
      ...todoList,
      sessionId: 's',
      trackId: 'toolu_01DEF',
      timestampFrom: 'previous',
      teamMetadata: { ...base.teamMetadata, themeColor: '#336699' },
      source: { line: 1, offset: 3, length: 120, ordinal: 0 }
    }
    expect(throughJson(event)).toEqual(event)
  })
})

describe('5. Empty items array is valid (represents cleared todo)', () => {
  test('a cleared list', () => {
    expect(throughJson({ ...todoList, items: [] })).toEqual({ ...todoList, items: [] })
  })
})

describe('how long a call took', () => {
  const completed = { ...base, type: 'tool.completed', toolId: 't', output: 'ok' }

  test('and which todo tool it was, if its result says so', () => {
    for (const durationFrom of ['stated', 'records']) {
      const event = { ...completed, toolName: 'TodoWrite', durationMs: 0.5, durationFrom }
      expect(throughJson(event)).toEqual(event)
    }
    expect(throughJson(completed)).toEqual(completed)
  })

  test.each([
    ['durationMs', { ...completed, durationMs: -1 }],
    ['durationMs', { ...completed, durationMs: null }],
    ['durationFrom', { ...completed, durationFrom: 'guessed' }],
    ['toolName', { ...completed, toolName: 7 }]
  ])('is refused at %j', (path, value) => {
    expect(refusedAt(value)).toBe(path)
  })
})

describe('an event that crosses a boundary', () => {
  test('is the event it was, whatever its type', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(AgentEvent.parse(event)).toStrictEqual(event)
      })
    )
  })

  test('loses keys that are not of the model', () => {
    expect(AgentEvent.parse({ ...todoList, raw: '{}' })).toEqual(todoList)
  })

  test.each([
    ['', null],
    ['', [todoList]],
    ['type', { ...todoList, type: 'todo' }],
    ['type', { ...todoList, type: undefined }],
    ['eventId', { ...todoList, eventId: 7 }],
    ['agentId', { ...todoList, agentId: null }],
    ['agentType', { ...todoList, agentType: null }],
    ['timestamp', { ...todoList, timestamp: '2026-01-01T00:00:00Z' }],
    ['timestamp', { ...todoList, timestamp: Infinity }],
    ['timestampFrom', { ...todoList, timestampFrom: 'guessed' }],
    ['sessionId', { ...todoList, sessionId: null }],
    ['trackId', { ...todoList, trackId: 7 }],
    ['teamMetadata.memberRole', { ...todoList, teamMetadata: { ...base.teamMetadata, memberRole: 7 } }],
    ['source.line', { ...todoList, source: { line: 0, offset: 0, length: 0, ordinal: 0 } }],
    ['source.offset', { ...todoList, source: { line: 1, offset: -1, length: 0, ordinal: 0 } }],
    ['todoId', { ...todoList, todoId: undefined }],
    ['items', { ...todoList, items: {} }],
    ['items.1.text', { ...todoList, items: [...todoList.items.slice(0, 1), { text: ' ', status: 'pending' }] }],
    ['items.0.status', { ...todoList, items: [{ text: 'a', status: 'done' }] }],
    ['tools.0', { ...base, type: 'session.started', tools: [7] }],
    ['role', { ...base, type: 'text', text: '', role: 'tool' }],
    ['input', { ...base, type: 'tool.started', toolName: 'Bash', toolId: 't', input: [] }],
    ['output', { ...base, type: 'tool.completed', toolId: 't', output: null }],
    ['finishReason', { ...base, type: 'turn.completed', finishReason: 'success' }],
    ['error', { ...base, type: 'error' }]
  ])('is refused with the path %j', (path, event) => {
    expect(refusedAt(event)).toBe(path)
  })
})
