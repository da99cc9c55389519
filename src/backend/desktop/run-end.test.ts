import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import type { LogStatus } from '#contract/methods.ts'
import { createBackend } from '../handlers.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { Reviews } from '../reviews.ts'
import { type RunEnd, RunEnds, runEndText } from './run-end.ts'

const line = (record: object): string => `${JSON.stringify(record)}\n`
const init = line({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
const result = (more: object = {}): string =>
  line({ type: 'result', subtype: 'success', is_error: false, result: 'Over', session_id: 's', ...more })
const content = (...blocks: object[]): string =>
  line({ type: 'assistant', message: { id: 'a', role: 'assistant', content: blocks }, session_id: 's' })
const said = (text: string): string => content({ type: 'text', text })
const todos = content({
  type: 'tool_use',
  id: 't',
  name: 'TodoWrite',
  input: {
    todos: ['completed', 'pending'].map((status) => ({ content: status, activeForm: status, status }))
  }
})
/** No event comes of it. */
const silent = line({ type: 'rate_limit_event', session_id: 's' })

let folder = ''
let file = ''
let ends: RunEnd[] = []
/** What waits for a log's rest. */
let waiting = new Set<() => void>()
/** What the clock says that nobody sets. */
let clock = 0
let started: ReturnType<typeof start>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-ends-'))
  file = join(folder, 'run.jsonl')
  ends = []
  clock = 5000
  waiting = new Set()
  started = start()
})
afterEach(async () => {
  await started.backend.close()
  rmSync(folder, { recursive: true })
})

function start() {
  const backend = createBackend({
    createWorker,
    facts: { host: 'electron', version: '1', sample: null, drops: null },
    reviews: new Reviews(folder),
    notify: (name, payload) => runEnds.onNotice(name, payload)
  })
  const answering = new Set<Promise<unknown>>()
  const watched =
    <P, R>(handler: (params: P) => Promise<R>) =>
    async (params: P): Promise<R> => {
      const answer = handler(params)
      answering.add(answer)
      return await answer.finally(() => answering.delete(answer))
    }
  const { handlers } = backend
  const asked = vi.fn(handlers['log.list'])
  const runEnds: RunEnds = new RunEnds(
    {
      'log.list': watched(asked),
      'log.columns': watched(handlers['log.columns']),
      'log.event': watched(handlers['log.event']),
      'log.todoColumns': watched(handlers['log.todoColumns'])
    },
    (end) => ends.push(end),
    (run) => {
      waiting.add(run)
      return () => waiting.delete(run)
    },
    () => clock
  )
  return { backend, asked, answering, runEnds }
}

async function until(check: (status: LogStatus) => boolean, log: string): Promise<void> {
  const ask = started.backend.handlers['log.status']
  await vi.waitFor(async () => expect(check(await ask({ log }))).toBe(true), 20_000)
}

async function open(text: string): Promise<string> {
  writeFileSync(file, text)
  const { log } = await started.backend.handlers['log.open']({ path: file })
  await until(({ phase }) => phase === 'done', log)
  return log
}

async function grow(log: string, text: string): Promise<void> {
  const { bytesRead } = await started.backend.handlers['log.status']({ log })
  appendFileSync(file, text)
  await until((status) => status.bytesRead === bytesRead + text.length && status.grownAt !== null, log)
  await vi.waitFor(() => expect(waiting.size).toBe(1), 20_000)
}

/** The log is at rest: what was waited for is done, and what is asked then has been answered. */
async function atRest(): Promise<void> {
  const runs = [...waiting]
  waiting.clear()
  for (const run of runs) run()
  while (started.answering.size > 0) {
    await Promise.allSettled(started.answering)
    // What is asked next, if anything is, is asked at once.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a turn that ends while the log is open is reported once, with the progress of the list', async () => {
  const log = await open(init)
  await grow(log, todos)
  clock += 90_000
  await grow(log, result())
  expect(ends).toEqual([])
  await atRest()
  const facts = { unfinished: false, denied: null, durationMs: 90_000 }
  const todo = { completed: 1, total: 2 }
  const name = 'run.jsonl'
  expect(ends).toEqual([{ log, path: file, format: null, name, isLive: false, finishReason: 'done', todo, ...facts }])
  // What is written after it is no event of the run.
  await grow(log, silent)
  await atRest()
  expect(ends).toHaveLength(1)
})

test('each end after growth is reported', async () => {
  const log = await open(init)
  await grow(log, result())
  await atRest()
  await grow(log, said('More') + result({ subtype: 'error_during_execution', is_error: true }))
  await atRest()
  expect(ends.map(({ finishReason, todo }) => [finishReason, todo])).toEqual([
    ['done', null],
    ['error', null]
  ])
})

test('a log that had ended when it was opened is not reported, also after growth without events', async () => {
  const log = await open(init + result())
  expect(waiting.size).toBe(0)
  await grow(log, silent)
  await atRest()
  expect(ends).toEqual([])
})

test('a pause is not an end', async () => {
  const log = await open(init)
  await grow(log, said('Let me think'))
  await atRest()
  await grow(log, result() + said('And on'))
  await atRest()
  await grow(log, `${result()}{"type":"assis`)
  await atRest()
  expect(ends).toEqual([])
})

test('a closed log is not reported, and its timer is cancelled', async () => {
  const log = await open(init)
  await grow(log, result())
  await started.backend.handlers['log.close']({ log })
  await atRest()
  expect(started.asked).toHaveBeenCalledOnce()
  expect([ends, waiting.size]).toEqual([[], 0])
})

/** As a host tells of a live run that records into the file. */
function liveRun(facts: Partial<LiveRun>): LiveRun {
  return {
    ...{ agent: 'claude', prompt: 'Count', cwd: '/home/me/geese', model: null, mode: null, extraArguments: [] },
    ...{
      timeLimitMs: null,
      resumes: null,
      run: 'r',
      version: null,
      commandLine: [],
      hookLost: null,
      state: 'running',
      own: true,
      startedAt: 1000
    },
    ...{
      endedAt: null,
      finishReason: null,
      exitCode: null,
      signal: null,
      message: null,
      incomplete: null,
      sessionId: null
    },
    ...{ elapsedMs: null, unfinished: false, denied: null, dialogue: null },
    ...{ recording: file, format: 'claude-stream-json', stdoutBytes: 0, stderrBytes: 0, tokens: null, todo: null },
    ...facts
  }
}

const over = { state: 'ended', endedAt: 61_000, finishReason: 'done' } as const

test('a live run is reported once, when its process ends, not when its log rests', async () => {
  started.runEnds.onNotice('run.changed', liveRun({}))
  const log = await open(init)
  appendFileSync(file, result())
  await until(({ grownAt }) => grownAt !== null, log)
  await atRest()
  expect([ends, waiting.size]).toEqual([[], 0])
  const denied = { calls: 1, tools: ['Bash'] }
  // The time of day was set back while it ran.
  started.runEnds.onNotice(
    'run.changed',
    liveRun({ ...over, endedAt: 400, elapsedMs: 60_000, denied, todo: { completed: 1, total: 2 } })
  )
  started.runEnds.onNotice('run.changed', liveRun(over))
  await vi.waitFor(() => expect(ends).toHaveLength(1), 20_000)
  await atRest()
  const format = 'claude-stream-json'
  const todo = { completed: 1, total: 2 }
  expect(ends).toEqual([
    {
      log,
      path: file,
      format,
      name: 'Claude Code in geese',
      isLive: true,
      finishReason: 'done',
      unfinished: false,
      denied,
      todo,
      durationMs: 60_000
    }
  ])
})

test('a live run without an open log is reported, but not one of another Playhead or one that failed to start', async () => {
  const recording = join(folder, 'other.jsonl')
  started.runEnds.onNotice('run.changed', liveRun({ recording, own: false }))
  started.runEnds.onNotice('run.changed', liveRun({ ...over, recording, own: false }))
  const failed = join(folder, 'failed.jsonl')
  started.runEnds.onNotice('run.changed', liveRun({ recording: failed, state: 'starting' }))
  started.runEnds.onNotice(
    'run.changed',
    liveRun({ ...over, recording: failed, state: 'failed', finishReason: 'error' })
  )
  // It was over when it was first reported.
  started.runEnds.onNotice('run.changed', liveRun({ ...over, recording: join(folder, 'before.jsonl') }))
  started.runEnds.onNotice('run.changed', liveRun({}))
  started.runEnds.onNotice('run.changed', liveRun({ ...over, state: 'ended', finishReason: 'cancelled' }))
  await vi.waitFor(() => expect(ends).toHaveLength(1), 20_000)
  expect(ends).toMatchObject([{ log: null, path: file, finishReason: 'cancelled', todo: null }])
})

test('an end is skipped if a call fails, and the next one reported', async () => {
  const log = await open(init)
  await grow(log, result())
  started.asked.mockRejectedValueOnce(new Error('gone'))
  await atRest()
  expect(ends).toEqual([])
  await grow(log, said('More') + result())
  await atRest()
  expect(ends).toHaveLength(1)
})

test('a notification has the outcome and known facts', () => {
  const log = { log: 'log-1', path: '/logs/a.jsonl', format: null, name: 'a.jsonl', isLive: false }
  const end = { ...log, unfinished: false, denied: null, todo: { completed: 3, total: 5 }, durationMs: 393_000 }
  expect(runEndText({ ...end, finishReason: 'done' })).toEqual({
    title: 'a.jsonl: done',
    body: '3 of 5 todos completed · watched for 6m 33s'
  })
  expect(runEndText({ ...end, finishReason: 'timeout', todo: null, durationMs: 0 })).toEqual({
    title: 'a.jsonl: ran out of time',
    body: ''
  })
  const live = { ...end, name: 'Codex in geese', isLive: true }
  expect(runEndText({ ...live, finishReason: 'cancelled', todo: null })).toEqual({
    title: 'Codex in geese: cancelled',
    body: 'took 6m 33s'
  })
  expect(runEndText({ ...live, finishReason: 'error', unfinished: true, todo: null, durationMs: 0 })).toEqual({
    title: 'Codex in geese: ended without a final turn',
    body: ''
  })
  const denied = { calls: 5, tools: ['Write', 'Bash', 'Edit', 'WebFetch'] }
  expect(runEndText({ ...live, finishReason: 'done', denied, todo: null })).toEqual({
    title: 'Codex in geese: done',
    body: '5 calls denied (Write, Bash, Edit, …) · took 6m 33s'
  })
})
