import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { TaskStore } from '#backend/tasks/task-store.ts'
import { hookResult } from '../../src/core/formats/claude/hook-result.ts'
import { RecordingReader } from '../../src/core/bridge/recording-reader.ts'
import { type RunEnd, RunStream } from '../../src/core/bridge/run-stream.ts'
import { type StreamEvent, streamEventData, streamEventTypes } from '../../src/core/bridge/stream-events.ts'
import { mapStatus, taskRows } from '../../src/core/bridge/task-rows.ts'
import { claudeStreamJson } from '../../src/core/formats/claude/stream-json.ts'
import type { JsonObject, JsonValue } from '../../src/core/json.ts'

/** Clause by clause: docs/seeds.md#todowrite-bridge. */

const root = mkdtempSync(join(tmpdir(), 'playhead-seeds-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let store: TaskStore
let count = 0
beforeEach(async () => {
  store = await TaskStore.open(join(root, String(count++), 'tasks.db'))
})
afterEach(() => store.close())

/** A run of Claude Code whose output, hooks and end are given one by one. */
class Run {
  readonly #stream: RunStream
  readonly #reader: RecordingReader

  constructor(timeLimitMs: number | null = null) {
    this.#stream = new RunStream(claudeStreamJson, timeLimitMs)
    this.#reader = new RecordingReader(claudeStreamJson, this.#stream)
  }

  print(...records: JsonObject[]): readonly StreamEvent[] {
    for (const record of records) this.#reader.push(Buffer.from(`${JSON.stringify(record)}\n`))
    return this.#said()
  }

  hook(tool: string, id: string, more: JsonObject): readonly StreamEvent[] {
    const hook = { session_id: 's', hook_event_name: 'PostToolUse', tool_name: tool, tool_use_id: id, ...more }
    const result = hookResult(hook)
    if (result !== null) this.#stream.hook(result)
    return this.#said()
  }

  stderr(text: string): readonly StreamEvent[] {
    this.#stream.output(text)
    return this.#said()
  }

  end(end: Partial<RunEnd> = {}): readonly StreamEvent[] {
    this.#reader.end()
    this.#stream.end({ finishReason: 'done', exitCode: 0, signal: null, message: null, ...end })
    return this.#said()
  }

  /** What was told is stored, as a live run does it. */
  #said(): readonly StreamEvent[] {
    const { events, todos, results } = this.#stream.drain()
    for (const list of todos) store.syncSdkTasks(list.session, list.todos)
    store.reportResults(results)
    for (const { type, data } of events) expect(streamEventData[type].parse(data)).toEqual(data)
    return events
  }
}

const session = { session_id: 's', parent_tool_use_id: null }
const init: JsonObject = { type: 'system', subtype: 'init', ...session }
const said = (...content: JsonObject[]): JsonObject => ({ type: 'assistant', message: { content }, ...session })
const call = (id: string, name = 'Bash', input: JsonObject = {}): JsonObject =>
  said({ type: 'tool_use', id, name, input })
const answer = (id: string, content: string): JsonObject => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ...session
})
const todo = { content: 'Write the tests', status: 'in_progress', activeForm: 'Writing the tests' }
const typesOf = (events: readonly StreamEvent[]): string[] => events.map(({ type }) => type)
const resultsIn = (events: readonly StreamEvent[]): string[] =>
  events.flatMap(({ type, data }) => (type === 'tool_result' ? [`${data.source} ${data.content}`] : []))
const row = (todos: readonly JsonValue[] = [todo]): unknown => taskRows('s', todos)[0]

test('B-1 a PostToolUse hook gives a tool_result at once', () => {
  const run = new Run()
  run.print(init, call('t1'))
  expect(resultsIn(run.hook('Bash', 't1', { tool_response: 'quick' }))).toEqual(['hook quick'])
})
test('B-2 a PostToolUse hook of TodoWrite gives a task_update with the session and the todos', () => {
  const run = new Run()
  run.print(init)
  expect(run.hook('TodoWrite', 'w', { tool_input: { todos: [todo] }, tool_response: {} })).toEqual([
    { type: 'task_update', data: { session_id: 's', todos: [todo], cut: false } }
  ])
})
test('B-3 todos of a run are stored', () => {
  new Run().print(init, call('w', 'TodoWrite', { todos: [todo] }))
  expect(store.tasks('s')).toMatchObject([{ id: 'sdk-s-0', title: 'Write the tests' }])
})
test('B-5 id is the whole session id and the index in the list', () => {
  const id = '91672686-da53-49fd-b84c-30b3d67e109f'
  expect(taskRows(id, [todo, todo]).map((task) => task.id)).toEqual([`sdk-${id}-0`, `sdk-${id}-1`])
})
test('B-6 content is the title', () => {
  expect(row()).toMatchObject({ title: 'Write the tests' })
})
test('B-7 status goes through mapStatus', () => {
  expect(row()).toMatchObject({ status: 'in_progress' })
  expect(row([{ ...todo, status: 'blocked' }])).toMatchObject({ status: 'pending' })
})
test('B-8 activeForm is the description', () => {
  expect(row()).toMatchObject({ description: 'Writing the tests' })
  expect(row([{ content: 'a' }])).toMatchObject({ description: null })
})
test('B-9 sort_order is the index in the list', () => {
  expect(taskRows('s', [todo, todo, todo]).map((task) => task.sort_order)).toEqual([0, 1, 2])
  expect(taskRows('s', [todo, null, { content: ' ' }, todo]).map((task) => [task.id, task.sort_order])).toEqual([
    ['sdk-s-0', 0],
    ['sdk-s-3', 3]
  ])
})
test('B-10 pending stays pending', () => {
  expect(mapStatus('pending')).toBe('pending')
})
test('B-11 in_progress stays in_progress', () => {
  expect(mapStatus('in_progress')).toBe('in_progress')
})
test('B-12 completed stays completed', () => {
  expect(mapStatus('completed')).toBe('completed')
})
test('B-13 every other status is pending', () => {
  for (const other of ['cancelled', 'blocked', 'Completed', '', undefined, null, 2, ['completed']]) {
    expect(mapStatus(other)).toBe('pending')
  }
})
test('B-14 a sync removes only the agent’s rows of the session', () => {
  store.syncSdkTasks('s', [todo, todo])
  store.syncSdkTasks('r', [todo])
  store.syncSdkTasks('s', [])
  expect([store.tasks('s').length, store.tasks('r').length]).toEqual([0, 1])
})
test('B-15 a sync inserts every todo of the latest list', () => {
  for (const names of [['a', 'b', 'c'], ['x'], ['c', 'a', 'b', 'd']]) {
    store.syncSdkTasks(
      's',
      names.map((content) => ({ content }))
    )
    expect(store.tasks('s').map(({ title }) => title)).toEqual(names)
  }
})
test('B-17 the same list again changes nothing', () => {
  const any = fc.array(fc.record({ content: fc.string(), status: fc.string(), activeForm: fc.string() }), {
    maxLength: 6
  })
  fc.assert(
    fc.property(any, (todos) => {
      store.syncSdkTasks('s', todos)
      const once = store.tasks('s')
      expect(store.syncSdkTasks('s', todos)).toBe(false)
      expect(store.tasks('s')).toEqual(once)
    }),
    { numRuns: 30 }
  )
})
test('B-18 a sync never changes tasks of a person', () => {
  const mine = store.add({ session: 's', title: 'mine' })
  for (const todos of [[todo, todo], [], [todo]]) store.syncSdkTasks('s', todos)
  expect(store.tasks('s').at(-1)).toEqual(mine)
})
test('B-19 hook and agent both report the result of a call', () => {
  const run = new Run()
  const events = [
    ...run.print(init, call('t1')),
    ...run.hook('Bash', 't1', { tool_response: 'quick' }),
    ...run.print(answer('t1', 'whole'))
  ]
  expect(resultsIn(events)).toEqual(['hook quick', 'agent whole'])
  expect(run.hook('Bash', 't1', { tool_response: 'late' })).toEqual([])
})
test('B-20 the last stored result of a call replaces the earlier one', () => {
  const run = new Run()
  run.print(init, call('t1'))
  run.hook('Bash', 't1', { tool_response: 'quick' })
  expect(store.result('s', 't1')).toMatchObject({ content: 'quick', source: 'hook' })
  run.print(answer('t1', 'whole'))
  expect(store.result('s', 't1')).toMatchObject({ content: 'whole', source: 'agent' })
  run.print(answer('t1', 'whole at last'))
  expect(store.result('s', 't1')).toMatchObject({ content: 'whole at last' })
  store.reportResult({ session: 's', tool: 't1', content: 'late', isError: false, source: 'hook' })
  expect(store.result('s', 't1')).toMatchObject({ content: 'whole at last' })
})
test('B-22 there are the twelve types, and no other', () => {
  expect([...streamEventTypes].sort()).toEqual(
    'text tool_use tool_result tool_output tool_timeout task_update status result permission_request mode_changed error done'
      .split(' ')
      .sort()
  )
})
test('B-23 text: each piece of a stream_event', () => {
  const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } }
  expect(new Run().print({ type: 'stream_event', event, ...session })).toMatchObject([
    { type: 'text', data: { text: 'Hel' } }
  ])
})
test('B-24 tool_use: each call in an assistant message, except of todo tools', () => {
  const run = new Run()
  expect(run.print(call('t1', 'Bash', { command: 'ls' }))).toMatchObject([
    { type: 'tool_use', data: { id: 't1', name: 'Bash', input: { command: 'ls' } } }
  ])
  expect(typesOf(run.print(call('w', 'TodoWrite', { todos: [] })))).toEqual(['task_update'])
})
test('B-25 tool_result: each result in a user message, also of todo tools', () => {
  const run = new Run()
  run.print(call('t1'), call('w', 'TodoWrite', { todos: [] }))
  expect(typesOf(run.print(answer('t1', 'a'), answer('w', 'ok')))).toEqual(['tool_result', 'tool_result'])
})
test('B-26 tool_output: standard error', () => {
  expect(new Run().stderr('a warning\n')).toEqual([
    { type: 'tool_output', data: { session_id: null, text: 'a warning\n' } }
  ])
})
test('B-27 tool_timeout: a tool_progress beyond the run’s time limit', () => {
  const run = new Run(60_000)
  const progress = (seconds: number): JsonObject => ({
    type: 'tool_progress',
    tool_use_id: 't1',
    tool_name: 'Bash',
    elapsed_time_seconds: seconds,
    ...session
  })
  run.print(init, call('t1'))
  expect(typesOf(run.print(progress(59), progress(61), progress(62)))).toEqual(['tool_timeout'])
})
test('B-28 task_update: each list of a hook or of the agent', () => {
  const run = new Run()
  const tasks = run.print(init, call('w', 'TodoWrite', { todos: [todo] })).at(-1)
  expect(tasks).toEqual({ type: 'task_update', data: { session_id: 's', todos: [todo], cut: false } })
})
test('B-29 status: the start of a session, and notices', () => {
  const notice = { type: 'system', subtype: 'notification', text: 'slow', ...session }
  expect(new Run().print(init, notice)).toMatchObject([
    { type: 'status', data: { kind: 'session' } },
    { type: 'status', data: { kind: 'text', text: 'slow' } }
  ])
})
test('B-30 result: the end of a turn, with its usage', () => {
  const usage = { input_tokens: 1, output_tokens: 2 }
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'Bye', usage, ...session }
  expect(new Run().print(init, result).at(-1)).toMatchObject({ type: 'result', data: { text: 'Bye', usage } })
})
test('B-31 permission_request: the agent asks, or is denied', () => {
  const asks = {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} }
  }
  const denied = { type: 'system', subtype: 'permission_denied', tool_name: 'Write', tool_use_id: 't', ...session }
  expect(new Run().print(asks, denied)).toMatchObject([
    { type: 'permission_request', data: { denied: false } },
    { type: 'permission_request', data: { denied: true } }
  ])
})
test('B-32 mode_changed: a system status with another mode', () => {
  const mode = (permissionMode: string): JsonObject => ({
    type: 'system',
    subtype: 'status',
    permissionMode,
    ...session
  })
  expect(new Run().print(mode('default'), mode('plan'), mode('plan'))).toMatchObject([
    { type: 'mode_changed', data: { mode: 'plan', previous: 'default' } }
  ])
})
test('B-33 error: a failure', () => {
  const run = new Run()
  run.print(init)
  expect(run.end({ finishReason: 'error', message: 'No key.' })).toMatchObject([
    { type: 'error', data: { message: 'No key.' } },
    { type: 'done' }
  ])
})
test('B-34 done: the last event of every stream', () => {
  expect(typesOf(new Run().end())).toEqual(['done'])
})
test('B-36 each call’s result is stored once', () => {
  const run = new Run()
  run.print(init, call('t1'), answer('t1', 'a'), answer('t1', 'a'))
  expect(store.changes('s', 0).tools).toEqual(['t1'])
})
test('B-37 new or missing members of another version stop nothing', () => {
  const run = new Run()
  const anew = [
    { type: 'tool_progress' },
    { type: 'system' },
    { type: 'result' },
    { type: 'control_request' },
    { type: 'new' }
  ]
  run.print(init, ...anew.map((record) => ({ ...record, ...session })), call('t1'))
  expect(run.hook('Invented', 't1', { tool_response: { new: 1 }, hook_version: 9 })).toMatchObject([
    { type: 'tool_result' }
  ])
  for (const hook of [null, {}, { hook_event_name: 'Notification' }]) expect(hookResult(hook)).toBeNull()
  expect(typesOf(run.end())).toEqual(['done'])
})
