import { expect, test } from 'vitest'
import { LogReader } from '../formats/log-reader.ts'
import type { FoldedEvent } from '../formats/log-format.ts'
import { formatById } from '../formats/registry.ts'
import { stamp } from '../formats/stamp.ts'
import { SessionCounter } from './session-counter.ts'

function counterOf(id: string, records: readonly object[], known = true): SessionCounter {
  const format = formatById(id)
  if (format === undefined) throw new Error(id)
  const counter = new SessionCounter(known ? format : null)
  let seq = 0
  const take = (events: readonly FoldedEvent[], line: Parameters<SessionCounter['event']>[3]): void => {
    for (const event of events) {
      counter.event(stamp(event, format), seq++, event, line)
    }
  }
  const reader = new LogReader(format, {
    line(line) {
      counter.line(line)
      take(line.events, line)
    },
    end: (events: readonly FoldedEvent[]) => take(events, null)
  })
  reader.push(new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
  reader.end()
  return counter
}

let second = 0
function line(type: string, content: unknown, rest: object = {}): object {
  second++
  const timestamp = new Date(Date.UTC(2026, 0, 2, 10, 0, second)).toISOString()
  const message = { id: `m${second}`, role: type, content }
  return { type, parentUuid: null, isSidechain: false, sessionId: 's', uuid: `u${second}`, timestamp, message, ...rest }
}
const user = (content: unknown, rest?: object): object => line('user', content, rest)
const calls = (id: string, name: string, input: object): object =>
  line('assistant', [{ type: 'tool_use', id, name, input }])
const answers = (tool_use_id: string, rest: object = {}): object =>
  user([{ type: 'tool_result', tool_use_id, content: 'ok', ...rest }])
const says = (text: string): object => line('assistant', [{ type: 'text', text }])

test('counts turns, calls and todos, and previews them', () => {
  const todos = ['completed', 'in_progress', 'pending'].map((status) => ({ content: status, status, activeForm: 'x' }))
  const edit = { file_path: '/a.ts', old_string: 'a\nb', new_string: 'a\nc\nd' }
  const counter = counterOf('claude-transcript', [
    user('<system-reminder>x</system-reminder>Fix it'),
    calls('a', 'Edit', edit),
    answers('a'),
    calls('b', 'Bash', { command: 'npm test' }),
    answers('b', { content: 'Exit code 1\nit failed', is_error: true }),
    calls('c', 'TodoWrite', { todos }),
    answers('c'),
    says('One left.'),
    user('go on'),
    calls('d', 'Write', { file_path: '/big.ts', content: 'x\n'.repeat(1204) }),
    answers('d'),
    says('Done.')
  ])
  expect(counter.counts).toMatchObject({
    turns: 2,
    calls: 4,
    failedCalls: 1,
    todosDone: 1,
    todosTotal: 3,
    costUsd: null
  })
  expect(counter.counts).toMatchObject({ inputTokens: null, outputTokens: null, outputAtLeast: false })
  expect(counter.counts.activeMs).toBe(10_000)
  expect(counter.end).toBe('done')
  expect(counter.preview).toMatchObject({
    firstPrompt: 'Fix it',
    lastAnswer: 'Done.',
    failed: [{ tool: 'Bash', text: 'it failed' }],
    files: [
      { path: '/big.ts', added: 1204, deleted: 0 },
      { path: '/a.ts', added: 2, deleted: 1 }
    ],
    filesTotal: 2
  })
  expect(counter.preview.todos).toHaveLength(3)
})

test('tells the title and the model that the head of a long log may not have', () => {
  const long = [line('system', 'x'.repeat(100_000)), user('<system-reminder>x</system-reminder>Fix it')]
  const synthetic = line('assistant', [{ type: 'text', text: 'x' }])
  const real = line('assistant', [{ type: 'text', text: 'ok' }])
  Object.assign((synthetic as { message: object }).message, {
    model: '<synthetic>',
    usage: { input_tokens: 0, output_tokens: 0 }
  })
  Object.assign((real as { message: object }).message, { model: 'opus', usage: { input_tokens: 3, output_tokens: 2 } })
  expect(counterOf('claude-transcript', [...long, synthetic, real]).counts).toMatchObject({
    title: 'Fix it',
    model: 'opus'
  })
})

test('a log without anything counts nothing, and what is not known is null', () => {
  const { counts, preview, end } = counterOf('claude-transcript', [])
  expect(counts).toEqual({
    ...{
      events: 0,
      firstTimestamp: null,
      lastTimestamp: null,
      title: null,
      model: null,
      turns: 0,
      calls: 0,
      failedCalls: 0,
      findings: {},
      todosDone: null,
      todosTotal: null,
      activeMs: null
    },
    ...{ inputTokens: null, outputTokens: null, outputAtLeast: false, costUsd: null, spent: [] }
  })
  expect(preview).toEqual({
    firstPrompt: null,
    lastAnswer: null,
    todos: [],
    failed: [],
    files: [],
    filesTotal: 0,
    filesAtLeast: false
  })
  expect(end).toBe('empty')
})

test('the cost is cumulative over a process, and of several processes together', () => {
  const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/', model: 'm', tools: [] }
  const result = (total_cost_usd: number): object => ({
    ...{ type: 'result', subtype: 'success', is_error: false, session_id: 's', result: 'x', total_cost_usd },
    usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 3 }
  })
  const counter = counterOf('claude-stream-json', [init, result(0.25), result(0.75), init, result(0.5)])
  expect(counter.counts).toMatchObject({ costUsd: 1.25, inputTokens: 45, outputTokens: 9 })
})

test('the list of a subagent is not that of the session, but in its own log', () => {
  const write = (id: string, rest: object): object => ({
    ...calls(id, 'TodoWrite', { todos: [{ content: 'x', status: 'completed', activeForm: 'x' }] }),
    ...rest
  })
  const side = { isSidechain: true, agentId: 'a1' }
  expect(counterOf('claude-transcript', [user('Fix it'), write('t', side)]).counts.todosTotal).toBeNull()
  const own = counterOf('claude-transcript', [user('Look', side), write('t', side)])
  expect(own.counts).toMatchObject({ turns: 1, todosTotal: 1, todosDone: 1 })
  expect(own.preview.firstPrompt).toBe('Look')
})

test('of more files than are told apart it says that there are more', () => {
  const edits = (count: number): object[] =>
    Array.from({ length: count }, (_, i) =>
      calls(`c${i}`, 'Edit', { file_path: `/f${i}.ts`, old_string: 'a', new_string: 'b' })
    )
  const most = { filesTotal: 5000, filesAtLeast: false }
  expect(counterOf('claude-transcript', edits(5000)).preview).toMatchObject(most)
  expect(counterOf('claude-transcript', edits(5001)).preview).toMatchObject({ ...most, filesAtLeast: true })
})

test('stays small, however long the log is', () => {
  const records = [user('Fix it')]
  for (let i = 0; i < 3000; i++) {
    records.push(calls(`c${i}`, 'Edit', { file_path: `/f${i}.ts`, old_string: 'a', new_string: 'b' }))
    records.push(calls(`f${i}`, 'Edit', { file_path: `/gone${i}.ts`, old_string: 'a', new_string: 'b' }))
    records.push(answers(`f${i}`, { content: 'e'.repeat(500), is_error: true }))
  }
  records.push(says('x'.repeat(10_000)))
  const { preview, counts } = counterOf('claude-transcript', records)
  expect(counts).toMatchObject({ calls: 6000, failedCalls: 3000 })
  expect(preview.failed).toHaveLength(20)
  expect(preview.failed.every(({ text }) => text.length <= 300)).toBe(true)
  expect(preview.files).toHaveLength(50)
  expect(preview).toMatchObject({ filesTotal: 3000, filesAtLeast: false })
  expect(preview.lastAnswer).toHaveLength(2000)
})
