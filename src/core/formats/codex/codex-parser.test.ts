import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../events/agent-event.ts'
import { CodexParser } from '../stream-parser.ts'

const team = { teamName: 'tide', memberName: 'ada', memberDisplayName: 'Ada', memberRole: 'developer' }
const utf8 = new TextEncoder()
const thread = '01a20021-6bf9-7ea0-aa87-2785735ebcd1'

function parserOf(): CodexParser {
  return new CodexParser('agent-1', team)
}

const log = [
  { type: 'thread.started', thread_id: thread },
  { type: 'turn.started' },
  {
    type: 'item.started',
    item: { id: 'item_0', type: 'todo_list', items: [{ text: 'Prüfen 文档 🧭', completed: false }] }
  },
  {
    type: 'item.completed',
    item: {
      id: 'item_1',
      type: 'command_execution',
      command: 'ls',
      aggregated_output: '🌊',
      exit_code: 0,
      status: 'completed'
    }
  },
  { type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text: 'naïve café ☕' } },
  { type: 'turn.completed', usage: { input_tokens: 9, cached_input_tokens: 0, output_tokens: 3 } }
].map((record) => JSON.stringify(record))

test('every event has an agent, a source and its own id', () => {
  const events = parserOf().parseChunk(utf8.encode(`${log.join('\n')}\n`))
  expect(events).toMatchObject([
    { type: 'session.started', eventId: `${thread}:1:0` },
    { type: 'todo_list', todoId: `${thread}:1:item_0`, eventId: `${thread}:3:0` },
    { type: 'tool.started', toolId: `${thread}:1:item_1`, eventId: `${thread}:4:0` },
    { type: 'tool.completed', toolId: `${thread}:1:item_1`, eventId: `${thread}:4:1` },
    { type: 'text' },
    { type: 'turn.completed' }
  ])
  for (const event of events) {
    expect(event).toMatchObject({
      agentId: 'agent-1',
      agentType: 'openai-codex',
      teamMetadata: team,
      sessionId: thread
    })
  }
})

test('a line that is not JSON: an error without any of its text, then the line, unparsed', () => {
  const events = parserOf().parseChunk(utf8.encode('{"secret": hunter2}\n'))
  expect(events).toMatchObject([
    { type: 'error', code: 'JSONL_PARSE_ERROR' },
    { type: 'text', text: '{"secret": hunter2}', category: 'unparsed' }
  ])
  expect(events[0]?.type === 'error' && events[0].error).not.toContain('hunter')
})

describe('chunks', () => {
  const bytes = utf8.encode([...log.slice(0, 3), 'Reading additional input ☕', '', ...log.slice(3)].join('\r\n'))

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
    expect(whole.map(({ type }) => type)).toEqual([
      ...['session.started', 'todo_list', 'error', 'text'],
      ...['tool.started', 'tool.completed', 'text', 'turn.completed']
    ])
    expect(whole[1]).toMatchObject({ items: [{ text: 'Prüfen 文档 🧭' }] })
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
})

describe('flush and reset', () => {
  const line = log[4] ?? ''

  test('flush returns the events of a complete last line without line end, once', () => {
    const parser = parserOf()
    expect(parser.parseChunk(utf8.encode(line))).toEqual([])
    expect(parser.flush()).toMatchObject([{ type: 'text', text: 'naïve café ☕' }])
    expect(parser.flush()).toEqual([])
  })

  test('flush of a cut last line returns only its text', () => {
    const parser = parserOf()
    parser.parseChunk(utf8.encode(line.slice(0, 40)))
    expect(parser.flush()).toMatchObject([{ type: 'text', text: line.slice(0, 40), category: 'unparsed' }])
  })

  test('flush ignores white space', () => {
    const parser = parserOf()
    parser.parseChunk(utf8.encode('\n \t'))
    expect(parser.flush()).toEqual([])
  })

  test('reset forgets a line begun, the session, the runs of its thread and what it has used up', () => {
    const bytes = utf8.encode(`${log.join('\n')}\n`)
    const fresh = parserOf().parseChunk(bytes)
    const parser = parserOf()
    parser.parseChunk(utf8.encode(`${log.join('\n')}\n{"type":"turn.st`))
    parser.reset()
    expect(parser.parseChunk(bytes)).toEqual(fresh)
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
