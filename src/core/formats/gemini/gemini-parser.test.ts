import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../events/agent-event.ts'
import { GeminiParser } from '../stream-parser.ts'

const team = { teamName: 'tide', memberName: 'ada', memberDisplayName: 'Ada', memberRole: 'developer' }
const utf8 = new TextEncoder()
const timestamp = '2026-11-21T21:03:02.973Z'

function parserOf(): GeminiParser {
  return new GeminiParser('agent-1', team)
}

/** The events of records, one a line. */
function eventsOf(...records: unknown[]): AgentEvent[] {
  const parser = parserOf()
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  return [...parser.parseChunk(utf8.encode(text)), ...parser.flush()]
}

function toolUse(tool_name: string, parameters: unknown, tool_id = 'call_123'): object {
  return { type: 'tool_use', timestamp, tool_name, tool_id, parameters }
}

const todos = [
  { description: 'Research existing metrics', status: 'completed' },
  { description: 'Design the system', status: 'in_progress' },
  { description: 'Write the tests', status: 'pending' },
  { description: 'Ship it', status: 'cancelled' }
]

describe('the test cases of docs/seeds.md#gemini-parser-write-todos', () => {
  test("1. tool_use with tool_name: 'write_todos' emits TodoListEvent", () => {
    expect(eventsOf(toolUse('write_todos', { todos }))).toMatchObject([{ type: 'todo_list' }])
  })

  test("2. tool_use with tool_name: 'write_todos' does NOT emit tool.started; its result says whose it is", () => {
    const answer = { type: 'tool_result', timestamp, tool_id: 'call_123', status: 'success', output: 'Successfully …' }
    expect(eventsOf(toolUse('write_todos', { todos }), answer)).toMatchObject([
      { type: 'todo_list', todoId: 'call_123' },
      { type: 'tool.completed', toolId: 'call_123', output: 'Successfully …', toolName: 'write_todos' }
    ])
  })

  test('3. tool_use with other tool_name values still emits tool.started', () => {
    expect(eventsOf(toolUse('run_shell_command', { command: 'ls' }))).toMatchObject([
      { type: 'tool.started', toolName: 'run_shell_command', toolId: 'call_123', input: { command: 'ls' } }
    ])
  })

  test('4. description field maps to text', () => {
    const [event] = eventsOf(toolUse('write_todos', { todos }))
    expect(event?.type === 'todo_list' && event.items[0]).toEqual({
      text: 'Research existing metrics',
      status: 'completed'
    })
  })

  test('5. Status values map directly: pending, in_progress, completed, cancelled', () => {
    const [event] = eventsOf(toolUse('write_todos', { todos }))
    expect(event?.type === 'todo_list' && event.items.map((item) => item.status)).toEqual([
      'completed',
      'in_progress',
      'pending',
      'cancelled'
    ])
  })

  test('6. Invalid todo items (empty description) are skipped', () => {
    const odd = [{ description: '', status: 'pending' }, { description: ' ', status: 'pending' }, todos[1], null, 'x']
    expect(eventsOf(toolUse('write_todos', { todos: odd }))).toMatchObject([
      { type: 'todo_list', items: [{ text: 'Design the system', status: 'in_progress' }] }
    ])
  })

  test('7. todoId is taken from tool_id or id', () => {
    expect(eventsOf(toolUse('write_todos', { todos: [] }, 'call_77'))).toMatchObject([{ todoId: 'call_77', items: [] }])
    const byId = { type: 'tool_use', timestamp, name: 'write_todos', id: 'call_78', input: { todos } }
    expect(eventsOf(byId)).toMatchObject([{ type: 'todo_list', todoId: 'call_78' }])
  })

  test('8. Works with both parameters and input field names', () => {
    const record = { type: 'tool_use', timestamp, tool_name: 'write_todos', tool_id: 'call_1' }
    const byParameters = eventsOf({ ...record, parameters: { todos } })
    expect(byParameters).toMatchObject([{ items: [{}, {}, {}, {}] }])
    expect(eventsOf({ ...record, input: { todos } })).toEqual(
      // The lines have different lengths; all else is the same.
      byParameters.map((event) => ({ ...event, source: { ...event.source, length: expect.any(Number) } }))
    )
    const shell = { type: 'tool_use', timestamp, name: 'run_shell_command', id: 'call_2', input: { command: 'ls' } }
    expect(eventsOf(shell)).toMatchObject([
      { type: 'tool.started', toolName: 'run_shell_command', toolId: 'call_2', input: { command: 'ls' } }
    ])
  })
})

describe('the rest of the parser', () => {
  test('an input without a list of todos has no event', () => {
    for (const input of [{}, { todos: 7 }, null, 'x', { todos: { 0: todos[0] } }]) {
      expect(eventsOf(toolUse('write_todos', input))).toEqual([])
    }
  })

  test('init and result', () => {
    const init = { type: 'init', timestamp, session_id: 's1', model: 'gemini-2.5-pro' }
    const result = { type: 'result', timestamp, status: 'success' }
    expect(eventsOf(init, result)).toMatchObject([
      { type: 'session.started', sessionId: 's1', model: 'gemini-2.5-pro' },
      { type: 'turn.completed', finishReason: 'done' }
    ])
    expect(eventsOf({ ...result, status: 'error' })).toMatchObject([{ type: 'turn.completed', finishReason: 'error' }])
  })

  test('a tool_result by tool_id or tool_use_id, its output as text or in an object', () => {
    const result = { type: 'tool_result', timestamp, status: 'success' }
    expect(eventsOf({ ...result, tool_id: 't1', output: 'done' })).toMatchObject([{ toolId: 't1', output: 'done' }])
    expect(eventsOf({ ...result, tool_use_id: 't2', output: { text: 'done' } })).toMatchObject([
      { toolId: 't2', output: 'done' }
    ])
    expect(eventsOf({ ...result, tool_id: 't3', status: 'error' })).toMatchObject([{ toolId: 't3', error: 'error' }])
  })

  test('every event has an agent, a source and its own id', () => {
    const init = { type: 'init', timestamp, session_id: 's1', model: 'm' }
    expect(eventsOf(init, toolUse('glob', {}))[1]).toMatchObject({
      agentId: 'agent-1',
      agentType: 'google-gemini',
      teamMetadata: team,
      sessionId: 's1',
      eventId: 's1:2:0',
      timestamp: Date.parse(timestamp),
      source: { line: 2, ordinal: 0 }
    })
  })

  test('a line that is not JSON is an error without any of its text, and no text', () => {
    const events = parserOf().parseChunk(utf8.encode('{"secret": hunter2}\n'))
    expect(events).toMatchObject([{ type: 'error', code: 'JSONL_PARSE_ERROR' }])
    expect(JSON.stringify(events)).not.toContain('hunter')
  })
})

describe('chunks', () => {
  const delta = (content: string): string =>
    JSON.stringify({ type: 'message', timestamp, role: 'assistant', content, delta: true })
  const log = [
    `\uFEFF{"type":"init","timestamp":"${timestamp}","session_id":"s","model":"auto"}`,
    'Loaded cached credentials.',
    JSON.stringify({ type: 'message', timestamp, role: 'user', content: 'naïve café ☕' }),
    delta('🌊 Ich '),
    '',
    delta('plane, '),
    'Attempt 1 failed with status 429. Retrying with backoff…',
    delta('日本語.'),
    JSON.stringify(toolUse('write_todos', { todos: [{ description: 'Vérifier 文档 🧭', status: 'blocked' }] })),
    JSON.stringify({ type: 'result', timestamp, status: 'success' }),
    delta('cut o')
  ].join('\r\n')
  const bytes = utf8.encode(log)

  function inChunks(sizes: () => number): AgentEvent[] {
    const parser = parserOf()
    const events: AgentEvent[] = []
    for (let start = 0; start < bytes.length;) {
      const size = Math.max(1, sizes())
      const chunk = bytes.slice(start, start + size)
      events.push(...parser.parseChunk(chunk))
      chunk.fill(0)
      start += size
    }
    return [...events, ...parser.flush()]
  }

  const whole = inChunks(() => bytes.length)

  test('the whole at once', () => {
    expect(whole).toMatchObject([
      { type: 'session.started' },
      { type: 'error', code: 'JSONL_PARSE_ERROR', source: { line: 2 } },
      { type: 'text', role: 'user', text: 'naïve café ☕' },
      { type: 'text', role: 'assistant', category: 'message', text: '🌊 Ich ', source: { line: 4 } },
      { type: 'text', role: 'assistant', text: 'plane, ', source: { line: 6 } },
      { type: 'error', code: 'JSONL_PARSE_ERROR', source: { line: 7 } },
      { type: 'text', role: 'assistant', text: '日本語.', source: { line: 8 } },
      { type: 'todo_list', items: [{ text: 'Vérifier 文档 🧭', status: 'pending' }] },
      { type: 'turn.completed' },
      { type: 'text', text: 'cut o', source: { line: 11 } }
    ])
  })

  test('one byte at a time has the same result', () => {
    expect(inChunks(() => 1)).toEqual(whole)
  })

  test('chunks of any sizes give the same', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        let next = 0
        expect(inChunks(() => sizes[next++ % sizes.length] ?? 1)).toEqual(whole)
      })
    )
  })

  test('the chunk that ends a line returns its events, also pieces of a text', () => {
    const parser = parserOf()
    const line = utf8.encode(`${JSON.stringify(toolUse('glob', {}))}\n`)
    expect(parser.parseChunk(line.slice(0, -1))).toEqual([])
    expect(parser.parseChunk(line.slice(-1))).toHaveLength(1)
    const pieces = parser.parseChunk(utf8.encode(`${delta('a')}\n${delta('b')}\n`))
    expect(pieces).toMatchObject([{ text: 'a' }, { text: 'b' }])
    expect(parser.parseChunk(line)).toMatchObject([{ type: 'tool.started' }])
  })
})

describe('flush and reset', () => {
  const line = JSON.stringify(toolUse('run_shell_command', { command: 'ls' }))

  test('flush returns the events of a complete last line without line end', () => {
    const parser = parserOf()
    expect(parser.parseChunk(utf8.encode(line))).toEqual([])
    expect(parser.flush()).toMatchObject([{ type: 'tool.started', toolName: 'run_shell_command' }])
    expect(parser.flush()).toEqual([])
  })

  test('flush of a cut last line returns its text', () => {
    const parser = parserOf()
    parser.parseChunk(utf8.encode(line.slice(0, 40)))
    const [text, ...more] = parser.flush()
    expect([text?.type, text, more]).toMatchObject(['text', { text: line.slice(0, 40) }, []])
    expect(text).not.toHaveProperty('category')
  })

  test('flush ignores white space', () => {
    const parser = parserOf()
    parser.parseChunk(utf8.encode('\n \t'))
    expect(parser.flush()).toEqual([])
  })

  test('pieces of a text come at once; flush has nothing left to give', () => {
    const parser = parserOf()
    const delta = (content: string): string =>
      `${JSON.stringify({ type: 'message', timestamp, role: 'assistant', content, delta: true })}\n`
    const said = parser.parseChunk(utf8.encode(delta('Half a ') + delta('sentence')))
    expect(said).toMatchObject([
      { type: 'text', text: 'Half a ' },
      { type: 'text', text: 'sentence' }
    ])
    expect(parser.flush()).toEqual([])
  })

  test('reset forgets a line begun and all state', () => {
    const parser = parserOf()
    const fresh = parserOf().parseChunk(utf8.encode(`${line}\n`))
    parser.parseChunk(
      utf8.encode(`{"type":"init","timestamp":"${timestamp}","session_id":"s","model":"m"}\n${line}\n{"ty`)
    )
    parser.reset()
    expect(parser.parseChunk(utf8.encode(`${line}\n`))).toEqual(fresh)
  })
})

test('any bytes at all: nothing throws, and chunks do not matter', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat({ max: 200 }), (bytes, cut) => {
      const whole = parserOf()
      const parts = parserOf()
      const expected = [...whole.parseChunk(bytes), ...whole.flush()]
      const found = [...parts.parseChunk(bytes.slice(0, cut)), ...parts.parseChunk(bytes.slice(cut)), ...parts.flush()]
      expect(found).toEqual(expected)
    })
  )
})
