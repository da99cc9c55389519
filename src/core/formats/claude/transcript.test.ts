import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../json.ts'
import type { FoldedEvent } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import { stamp } from '../stamp.ts'
import { claudeTranscript } from './transcript.ts'

const utf8 = new TextEncoder()

function read(records: readonly JsonObject[], now?: () => number): FoldedEvent[] {
  const events: FoldedEvent[] = []
  const context = now === undefined ? {} : { now }
  const reader = new LogReader(claudeTranscript, { line: (line) => events.push(...line.events) }, context)
  for (const record of records) reader.push(utf8.encode(`${JSON.stringify(record)}\n`))
  reader.end()
  return events
}

const line = (type: string, rest: JsonObject): JsonObject => ({ type, sessionId: 's', isSidechain: false, ...rest })
const user = (content: string | JsonObject[], rest: JsonObject = {}): JsonObject =>
  line('user', { message: { role: 'user', content }, ...rest })
const said = (text: string, stop: string | null, id: string, rest: JsonObject = {}): JsonObject =>
  line('assistant', {
    message: { id, role: 'assistant', content: [{ type: 'text', text }], stop_reason: stop },
    ...rest
  })
const task = (id: string, prompt: string): JsonObject =>
  line('assistant', {
    message: { id: `m-${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name: 'Task', input: { prompt } }] }
  })

/** Texts with their tracks, and turn ends. */
function story(events: readonly FoldedEvent[]): string[] {
  return events.flatMap(({ draft, trackId = 'main' }) => {
    if (draft.type === 'text') return [`${trackId}: ${draft.text}`]
    return draft.type === 'turn.completed' ? [`(${draft.finishReason})`] : []
  })
}

describe('one end per turn, from the first sign', () => {
  test('the next prompt, where nothing else tells', () => {
    expect(story(read([user('1'), said('a', null, 'm1'), user('2'), said('b', null, 'm2')]))).toEqual([
      'main: 1',
      'main: a',
      '(done)',
      'main: 2',
      'main: b'
    ])
  })

  test('a slash command, which is a prompt too, unless the model called it', () => {
    const command = '<command-message>review</command-message>\n<command-name>/review</command-name>'
    const lines = [user('1'), said('a', null, 'm1'), user(command), said('b', null, 'm2')]
    expect(story(read(lines))).toEqual(['main: 1', 'main: a', '(done)', 'main: /review', 'main: b'])
    const called = user(command, { sourceToolUseID: 't' })
    expect(story(read(lines.with(2, called)))).toEqual(['main: 1', 'main: a', `main: ${command}`, 'main: b'])
    const shell = '<bash-input>git status</bash-input>'
    expect(story(read(lines.with(2, user(shell))))).toEqual(['main: 1', 'main: a', 'main: !git status', 'main: b'])
  })

  test('prompts with no answer between them are one turn', () => {
    expect(story(read([user('1'), user('2'), said('a', null, 'm1')]))).toEqual(['main: 1', 'main: 2', 'main: a'])
  })

  test('the last line of a response with a final stop reason, once another record follows', () => {
    const lines = [user('1'), said('a', 'end_turn', 'm1'), said('b', 'end_turn', 'm1'), line('last-prompt', {})]
    expect(story(read(lines))).toEqual(['main: 1', 'main: a', 'main: b', '(done)'])
    expect(story(read(lines.slice(0, 3)))).not.toContain('(done)')
    expect(story(read([user('1'), said('a', 'tool_use', 'm1'), line('last-prompt', {})]))).not.toContain('(done)')
  })

  test.each(['end_turn', 'stop_sequence', 'max_tokens', 'refusal'])('%s is final', (stop) => {
    expect(story(read([user('1'), said('a', stop, 'm1'), line('mode', {})]))).toEqual(['main: 1', 'main: a', '(done)'])
  })

  test('turn_duration, with its duration, and only once', () => {
    const events = read([
      user('1'),
      said('a', 'end_turn', 'm1'),
      line('system', { subtype: 'turn_duration', durationMs: 5 }),
      user('2')
    ])
    const turns = events.filter((event) => event.draft.type === 'turn.completed')
    expect(turns.map((event) => event.draft)).toEqual([{ type: 'turn.completed', finishReason: 'done', durationMs: 5 }])
  })

  test('an interrupt', () => {
    const interrupt = user([{ type: 'text', text: '[Request interrupted by user for tool use]' }])
    expect(story(read([user('1'), said('a', null, 'm1'), interrupt, interrupt, user('2')]))).toEqual([
      'main: 1',
      'main: a',
      '(cancelled)',
      'main: 2'
    ])
  })

  test('an API error ends the turn as an error', () => {
    const error = said('API Error: 529', 'stop_sequence', 'm1', { isApiErrorMessage: true })
    expect(story(read([user('1'), error, line('mode', {})]))).toEqual(['main: 1', '(error)'])
  })

  test('of a turn that began before the log does', () => {
    const interrupt = user('[Request interrupted by user]')
    const duration = line('system', { subtype: 'turn_duration', durationMs: 5 })
    expect(story(read([interrupt, interrupt]))).toEqual(['(cancelled)'])
    expect(read([duration, duration]).slice(1)).toMatchObject([{ draft: { finishReason: 'done', durationMs: 5 } }])
  })

  test('a word of the harness goes on with the turn', () => {
    const hook = user('Stop hook feedback: no', { isMeta: true })
    const events = story(
      read([user('1'), said('a', 'end_turn', 'm1'), hook, said('b', 'end_turn', 'm2'), line('mode', {})])
    )
    expect(events).toEqual(['main: 1', 'main: a', 'main: Stop hook feedback: no', 'main: b', '(done)'])
  })
})

describe('subagents', () => {
  test('two inline sidechains with the same prompt claim the calls in order', () => {
    const root = (uuid: string): JsonObject => user('same', { isSidechain: true, parentUuid: null, uuid })
    const events = read([task('t1', 'same'), task('t2', 'same'), root('u1'), root('u2')])
    expect(events.map((event) => event.trackId).slice(-2)).toEqual(['t1', 't2'])
  })

  test('an agent whose call is known only later keeps the track it began with', () => {
    const side = (text: string): JsonObject => user(text, { isSidechain: true, agentId: 'a1', parentUuid: 'x' })
    const answer = user([{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], {
      toolUseResult: { agentId: 'a1' }
    })
    expect(story(read([side('one'), answer, side('two')]))).toEqual(['a1: one', 'a1: two'])
    expect(story(read([answer, side('one')]))).toEqual(['t1: one'])
  })

  test('a sidechain without a call has its own track', () => {
    const lost = user('lost', { isSidechain: true, parentUuid: null, uuid: 'u9' })
    expect(story(read([lost]))).toEqual(['u9: lost'])
  })
})

describe('time', () => {
  const at = (timestamp: string): JsonObject => user('x', { timestamp })

  test('is the record’s, may go back, and carries over to records without one', () => {
    const events = read([at('2026-01-01T00:00:02Z'), at('2026-01-01T00:00:01Z'), at('[trimmed]')]).slice(1)
    expect(events.map((event) => event.timestamp - Date.UTC(2026, 0, 1))).toEqual([2000, 1000, 1000])
    expect(events.map((event) => event.timestampFrom)).toEqual([undefined, undefined, 'previous'])
  })

  test('before any time is known it is 0', () => {
    expect(read([user('x')])[0]).toMatchObject({ timestamp: 0, timestampFrom: 'previous' })
  })

  test('of a live source it is when the line was read', () => {
    expect(read([user('x')], () => 77).at(-1)).toMatchObject({ timestamp: 77, timestampFrom: 'observed' })
  })
})

describe('the result of a todo tool', () => {
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const calls = (second: number, id: string, name: string, input: JsonObject): JsonObject =>
    line('assistant', {
      message: { id: `m-${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      timestamp: at(second)
    })
  const answers = (second: number, id: string, content: string, rest: JsonObject = {}): JsonObject =>
    user([{ type: 'tool_result', tool_use_id: id, content, ...rest }], { timestamp: at(second) })
  const refuses = (second: number, id: string, content: string): JsonObject =>
    answers(second, id, content, { is_error: true })
  const todos = (...contents: string[]): JsonObject => ({
    todos: contents.map((content) => ({ content, status: 'pending', activeForm: content }))
  })
  /** The events after a prompt. */
  const told = (...lines: readonly JsonObject[]): string[] =>
    read([user('Go'), ...lines]).flatMap(({ draft, toolName, tookMs }) => {
      if (draft.type === 'session.started' || draft.type === 'text') return []
      if (draft.type === 'todo_list') return `list ${draft.items.map((item) => item.text).join(', ')}`
      if (draft.type !== 'tool.completed') return draft.type
      return `${draft.error === undefined ? 'done' : 'failed'} ${draft.toolId} ${toolName} ${tookMs}`
    })

  test('follows the list that its call wrote; where it refuses, the list as it was follows it', () => {
    const log = [
      ...[calls(1, 'a', 'TodoWrite', todos('one')), answers(3, 'a', 'Todos have been modified')],
      ...[calls(4, 'b', 'TodoWrite', todos('two')), refuses(9, 'b', 'InputValidationError')]
    ]
    expect(told(...log)).toEqual([
      ...['list one', 'done a TodoWrite 2000'],
      ...['list two', 'failed b TodoWrite 5000', 'list one']
    ])
  })

  test('follows the list that it states where that is another', () => {
    const stated = {
      ...answers(3, 'a', 'ok'),
      toolUseResult: { oldTodos: [], newTodos: todos('one', 'two')['todos'] ?? [] }
    }
    expect(told(calls(1, 'a', 'TodoWrite', todos('one')), stated)).toEqual([
      'list one',
      'list one, two',
      'done a TodoWrite 2000'
    ])
  })

  test('is all there is of an update that changes nothing of the list', () => {
    const log = [
      ...[calls(1, 'a', 'TaskCreate', { subject: 'one' }), answers(1, 'a', 'Task #1 created successfully: one')],
      ...[calls(2, 'b', 'TaskUpdate', { taskId: '1', owner: 'me' }), answers(3, 'b', 'Updated task #1 owner')],
      ...[calls(4, 'c', 'TaskUpdate', { taskId: '1', subject: 'two' }), answers(5, 'c', 'Updated task #1 subject')]
    ]
    expect(told(...log)).toEqual([
      ...['list one', 'done a TaskCreate undefined'],
      ...['done b TaskUpdate 1000', 'list two', 'done c TaskUpdate 1000']
    ])
  })

  test('of TaskCreate is there of each of 16 calls, of which 10 are refused', () => {
    const isRefused = (number: number): boolean => number > 6
    const numbers = Array.from({ length: 16 }, (_, index) => index + 1)
    const log = numbers.flatMap((number) => [
      calls(number, `c${number}`, 'TaskCreate', { subject: `Task ${number}` }),
      isRefused(number)
        ? refuses(number + 1, `c${number}`, 'InputValidationError: description is missing')
        : answers(number + 1, `c${number}`, `Task #${number} created successfully: Task ${number}`)
    ])
    const events = read(log).map((event) => stamp(event, { agentType: 'claude-code' }))
    expect(events.filter(({ type }) => type === 'tool.started')).toEqual([])
    expect(events.flatMap((event) => (event.type === 'todo_list' ? [event.items.length] : []))).toEqual([
      ...[1, 2, 3, 4, 5, 6]
    ])
    const completed = events.filter(({ type }) => type === 'tool.completed')
    expect(completed).toHaveLength(16)
    expect(completed.filter((event) => 'error' in event)).toMatchObject(
      numbers.filter(isRefused).map((number) => ({
        toolId: `c${number}`,
        toolName: 'TaskCreate',
        error: 'InputValidationError: description is missing',
        durationMs: 1000,
        durationFrom: 'records'
      }))
    )
    for (const [index, event] of events.entries()) {
      if (event.type !== 'todo_list') continue
      expect(events[index + 1]).toMatchObject({ type: 'tool.completed', toolId: event.todoId, toolName: 'TaskCreate' })
    }
  })
})

test('a line copied by resume or fork is a record the second time', () => {
  const copied = user('once', { uuid: 'u1' })
  expect(story(read([copied, said('a', null, 'm1'), copied]))).toEqual(['main: once', 'main: a'])
})

test('a request body is not a turn of the user', () => {
  expect(read([line('api-request-blob', { message: { role: 'user', content: 'body' } })])).toEqual([])
})
