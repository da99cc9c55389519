import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../events/agent-event.ts'
import { ClaudeCodeParser } from './stream-parser.ts'

const team = { teamName: 'tide', memberName: 'ada', memberDisplayName: 'Ada', memberRole: 'developer' }
const utf8 = new TextEncoder()

function parserOf(): ClaudeCodeParser {
  return new ClaudeCodeParser('agent-1', team)
}

/** The events of records, one a line. */
function eventsOf(...records: unknown[]): AgentEvent[] {
  const parser = parserOf()
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  return [...parser.parseChunk(utf8.encode(text)), ...parser.flush()]
}

function toolUse(name: string, input: unknown, id = 'toolu_01ABC'): unknown {
  const message = { id: 'msg_1', role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }
  return { type: 'assistant', message, parent_tool_use_id: null, session_id: 's1' }
}

const todos = [
  { content: 'Research existing metrics', status: 'in_progress', activeForm: 'Researching...' },
  { content: 'Design the system', status: 'pending', activeForm: 'Designing...' },
  { content: 'Ship it', status: 'completed', activeForm: 'Shipping...' }
]

describe('the test cases of docs/seeds.md#claude-parser-todowrite', () => {
  test('1. assistant with tool_use name TodoWrite emits TodoListEvent', () => {
    expect(eventsOf(toolUse('TodoWrite', { todos }))).toMatchObject([{ type: 'todo_list' }])
  })

  test('2. assistant with tool_use name TodoWrite does NOT emit tool.started', () => {
    const types = eventsOf(toolUse('TodoWrite', { todos })).map((event) => event.type)
    expect(types).not.toContain('tool.started')
  })

  test('3. assistant with other tool_use names still emits tool.started', () => {
    expect(eventsOf(toolUse('Bash', { command: 'ls' }))).toMatchObject([
      { type: 'tool.started', toolName: 'Bash', toolId: 'toolu_01ABC', input: { command: 'ls' } }
    ])
  })

  test('4. Top-level tool_use with name TodoWrite emits TodoListEvent', () => {
    const record = { type: 'tool_use', id: 'toolu_top', name: 'TodoWrite', input: { todos } }
    const events = eventsOf(record)
    expect(events).toMatchObject([{ type: 'todo_list', todoId: 'toolu_top' }])
    expect(eventsOf({ ...record, name: 'Bash' })).toMatchObject([{ type: 'tool.started', toolName: 'Bash' }])
  })

  test('5. Status values map directly: pending -> pending, in_progress -> in_progress, completed -> completed', () => {
    const [event] = eventsOf(toolUse('TodoWrite', { todos }))
    expect(event?.type === 'todo_list' && event.items.map((item) => item.status)).toEqual([
      'in_progress',
      'pending',
      'completed'
    ])
  })

  test('6. content field maps to text', () => {
    const [event] = eventsOf(toolUse('TodoWrite', { todos }))
    expect(event?.type === 'todo_list' && event.items[0]).toEqual({
      text: 'Research existing metrics',
      status: 'in_progress'
    })
  })

  test('7. Invalid todo items (empty content) are skipped', () => {
    const odd = [
      { content: '', status: 'pending' },
      { content: ' ', status: 'pending' },
      todos[1],
      { content: 'x', status: 'blocked' },
      null
    ]
    const [event] = eventsOf(toolUse('TodoWrite', { todos: odd }))
    expect(event).toMatchObject({ type: 'todo_list', items: [{ text: 'Design the system', status: 'pending' }] })
  })

  test('8. todoId is taken from item.id', () => {
    expect(eventsOf(toolUse('TodoWrite', { todos: [] }, 'toolu_77'))).toMatchObject([{ todoId: 'toolu_77', items: [] }])
  })
})

describe('the rest of the parser', () => {
  test('an input without a list of todos has no event', () => {
    for (const input of [{}, { todos: 7 }, null, 'x', { todos: { 0: todos[0] } }]) {
      expect(eventsOf(toolUse('TodoWrite', input))).toEqual([])
    }
  })

  test('every event has an agent, a source and its own id', () => {
    const [event] = eventsOf(toolUse('Bash', {}))
    expect(event).toMatchObject({
      agentId: 'agent-1',
      agentType: 'claude-code',
      teamMetadata: team,
      sessionId: 's1',
      eventId: 's1:1:0',
      source: { line: 1, offset: 0, ordinal: 0 }
    })
  })

  test('a top-level tool_result, content_block_delta and message_stop', () => {
    expect(
      eventsOf(
        { type: 'tool_result', tool_use_id: 't1', content: 'done' },
        { type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true },
        { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hel' } },
        { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{' } },
        { type: 'message_stop' }
      )
    ).toMatchObject([
      { type: 'tool.completed', toolId: 't1', output: 'done' },
      { type: 'tool.completed', toolId: 't2', error: 'no' },
      { type: 'text', text: 'Hel', role: 'assistant', category: 'assistant-message' }
    ])
  })

  test('init and result', () => {
    const init = {
      type: 'system',
      subtype: 'init',
      session_id: 's1',
      model: 'm',
      cwd: '/w',
      tools: ['Bash', 7],
      uuid: 'u'
    }
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'Bye', session_id: 's1' }
    expect(eventsOf(init, result)).toMatchObject([
      { type: 'session.started', model: 'm', cwd: '/w', tools: ['Bash'] },
      { type: 'text', text: 'Bye', category: 'result' },
      { type: 'turn.completed', finishReason: 'done' }
    ])
    expect(eventsOf({ ...result, is_error: true })).toMatchObject([
      { type: 'error', error: 'Bye' },
      { type: 'turn.completed', finishReason: 'error' }
    ])
  })

  test('a line that is not JSON: an error without any of its text, then the line, in the categories of the parser', () => {
    const events = parserOf().parseChunk(utf8.encode('{"secret": hunter2}\n'))
    expect(events).toMatchObject([
      { type: 'error', code: 'JSONL_PARSE_ERROR' },
      { type: 'text', text: '{"secret": hunter2}', category: 'result' }
    ])
    expect(events[0]?.type === 'error' && events[0].error).not.toContain('hunter')
  })
})

describe('chunks', () => {
  const log = [
    `{"type":"system","subtype":"init","session_id":"s","cwd":"/tmp/日本語","tools":[],"uuid":"u1"}`,
    '',
    JSON.stringify(toolUse('TodoWrite', { todos: [{ content: 'Vérifier 文档 🧭', status: 'pending' }] })),
    `{"type":"assistant","message":{"content":[{"type":"text","text":"🌊 naïve café ☕"}]},"parent_tool_use_id":null,"session_id":"s"}`,
    'not json ☕',
    `{"type":"result","subtype":"success","result":"ende — fin","session_id":"s"}`
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
    expect(whole.map((event) => event.type)).toEqual([
      'session.started',
      'todo_list',
      'text',
      'error',
      'text',
      'text',
      'turn.completed'
    ])
    expect(whole[1]).toMatchObject({ items: [{ text: 'Vérifier 文档 🧭' }] })
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

  test('the chunk that ends a line returns its events', () => {
    const parser = parserOf()
    const line = utf8.encode(`${JSON.stringify(toolUse('Bash', {}))}\n`)
    expect(parser.parseChunk(line.slice(0, -1))).toEqual([])
    expect(parser.parseChunk(line.slice(-1))).toHaveLength(1)
  })
})

describe('flush and reset', () => {
  const line = JSON.stringify(toolUse('Bash', { command: 'ls' }))

  test('flush returns the events of a complete last line without line end', () => {
    const parser = parserOf()
    expect(parser.parseChunk(utf8.encode(line))).toEqual([])
    expect(parser.flush()).toMatchObject([{ type: 'tool.started', toolName: 'Bash' }])
    expect(parser.flush()).toEqual([])
  })

  test('flush of a cut last line returns only its text', () => {
    const parser = parserOf()
    parser.parseChunk(utf8.encode(line.slice(0, 40)))
    expect(parser.flush()).toMatchObject([{ type: 'text', text: line.slice(0, 40), category: 'result' }])
  })

  test('flush ignores white space', () => {
    const parser = parserOf()
    parser.parseChunk(utf8.encode('\n \t'))
    expect(parser.flush()).toEqual([])
  })

  test('flush returns the text of an unfinished block', () => {
    const parser = parserOf()
    const delta = (text: string): unknown => ({
      type: 'stream_event',
      session_id: 's1',
      parent_tool_use_id: null,
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
    })
    const streamed = `${JSON.stringify(delta('Half a '))}\n${JSON.stringify(delta('sentence'))}\n`
    expect(parser.parseChunk(utf8.encode(streamed))).toEqual([])
    expect(parser.flush()).toMatchObject([{ type: 'text', text: 'Half a sentence', role: 'assistant' }])
  })

  test('reset forgets a line begun and all state', () => {
    const parser = parserOf()
    const fresh = parserOf().parseChunk(utf8.encode(`${line}\n`))
    parser.parseChunk(utf8.encode(`${line}\n{"type":"assi`))
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
