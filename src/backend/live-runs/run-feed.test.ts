import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StreamEvent, StreamEventType } from '#core/bridge/stream-events.ts'
import { readEvents } from '../../../test/server-sent-events.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { TaskStore } from '../tasks/task-store.ts'
import type { FeedFacts, FeedOutcome, FeedStart } from './feed-messages.ts'
import { Feed } from './feed.ts'
import { RunFeed } from './run-feed.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-feed-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

let start: FeedStart
let stream: string
let facts: FeedFacts[]
let problems: string[]
let stored: string[]
let workers: Worker[]
let feeds: RunFeed[]

beforeEach(() => {
  const folder = fs.mkdtempSync(join(root, 'run-'))
  stream = join(folder, 'stream.sse')
  start = {
    run: 'r',
    folder,
    recording: join(folder, 'stdout.jsonl'),
    format: 'claude-stream-json',
    timeLimitMs: null,
    logs: null,
    tasks: join(folder, 'tasks.db'),
    shrinks: false
  }
  facts = []
  problems = []
  stored = []
  workers = []
  feeds = []
})
afterEach(async () => {
  for (const feed of feeds) await feed.close()
})

function feedOf(overrides: Partial<FeedStart> = {}): RunFeed {
  const feed = new RunFeed(
    (options) => {
      const worker = createWorker(options)
      workers.push(worker)
      return worker
    },
    { ...start, ...overrides },
    {
      facts: (one) => facts.push(one),
      tasks: (session) => stored.push(`tasks ${session}`),
      result: (session, tool) => stored.push(`result ${session} ${tool}`),
      streamed: () => {},
      problem: (message) => problems.push(message)
    }
  )
  feeds.push(feed)
  return feed
}

const over: FeedOutcome = {
  finishReason: 'done',
  lastTurnDecides: false,
  exitCode: 0,
  signal: null,
  message: null,
  stderrTail: '',
  disk: null
}

const record = (value: object): string => `${JSON.stringify({ session_id: 's', ...value })}\n`
let messages = 0
const assistant = (...content: object[]): string =>
  record({
    type: 'assistant',
    parent_tool_use_id: null,
    message: {
      id: `m${messages++}`,
      role: 'assistant',
      model: 'x',
      content,
      usage: { input_tokens: 5, output_tokens: 2 }
    }
  })
const init = record({ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'x', permissionMode: 'default' })
const said = (text: string): string => assistant({ type: 'text', text })
const call = (id: string): string => assistant({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })
const todoWrite = (id: string, todos: object[]): string =>
  assistant({ type: 'tool_use', id, name: 'TodoWrite', input: { todos } })
const answer = (id: string, content: string): string =>
  record({
    type: 'user',
    parent_tool_use_id: null,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
  })
const result = record({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'all done',
  usage: { input_tokens: 50, output_tokens: 20 },
  total_cost_usd: 0.5,
  duration_ms: 1200
})
const hookLine = (id: string, stdout: string, stdoutBytes?: number, more: object = {}): string =>
  `${JSON.stringify({
    at: 1,
    ...(stdoutBytes === undefined ? {} : { stdoutBytes }),
    hook: {
      session_id: 's',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: id,
      tool_response: { stdout, stderr: '' },
      ...more
    }
  })}\n`

const write = (text: string): void => fs.appendFileSync(start.recording, text)
const writeStderr = (bytes: string | Uint8Array): void => fs.appendFileSync(join(start.folder, 'stderr.txt'), bytes)
const writeHook = (text: string): void => fs.appendFileSync(join(start.folder, 'hooks.jsonl'), text)

const streamed = (): readonly StreamEvent[] => {
  const bytes = fs.existsSync(stream) ? fs.readFileSync(stream) : Buffer.alloc(0)
  const all = readEvents(bytes.toString())
  // An id is where its event ends.
  for (const { id } of all) {
    const tail = `\nid: ${id}\n\n`
    expect(bytes.subarray(Number(id) - tail.length, Number(id)).toString()).toBe(tail)
  }
  return all.map(({ event }) => event)
}
const types = (): readonly StreamEventType[] => streamed().map(({ type }) => type)
const texts = (): string => streamed().reduce((all, { type, data }) => (type === 'text' ? all + data.text : all), '')

async function until(holds: () => void): Promise<void> {
  await vi.waitFor(holds, { timeout: 60_000, interval: 5 })
}

describe('a run that is followed', () => {
  test('is streamed as it is written, and its end is the last that is said', async () => {
    const feed = feedOf()
    write(init)
    await until(() => expect(types()).toEqual(['status']))
    write(said('Hello'))
    await until(() => expect(types()).toEqual(['status', 'text']))
    // A line is read when it is whole.
    const next = said('goodbye')
    write(next.slice(0, 40))
    writeStderr('warning\n')
    await until(() => expect(types()).toEqual(['status', 'text', 'tool_output']))
    write(next.slice(40) + result)
    await feed.end(over)
    expect(types()).toEqual(['status', 'text', 'tool_output', 'text', 'result', 'done'])
    expect(streamed().at(-1)?.data).toEqual({
      session_id: 's',
      finish_reason: 'done',
      exit_code: 0,
      signal: null,
      message: null
    })
    expect(problems).toEqual([])
  })

  test('tells facts: tokens once for each message, the list of the main agent, and how the last turn ended', async () => {
    const feed = feedOf()
    const twice = said('a')
    write(init + twice + twice.replace('"a"', '"b"') + said('c'))
    write(
      todoWrite('w', [
        { content: 'One', status: 'completed' },
        { content: 'Two', status: 'pending' }
      ])
    )
    await until(() => expect(facts.at(-1)?.tokens).toEqual({ sent: 15, received: null, atLeast: true }))
    expect(facts.at(-1)).toMatchObject({ sessionId: 's', todo: { completed: 1, total: 2 }, lastTurn: null })
    write(result)
    const last = await feed.end(over)
    expect(last).toMatchObject({
      tokens: { sent: 50, received: 20, atLeast: false },
      lastTurn: 'done',
      stdoutBytes: fs.statSync(start.recording).size,
      streamBytes: fs.statSync(stream).size
    })
  })

  test('the end of the last turn decides how it ended, where the outcome leaves it open', async () => {
    write(init + result.replace('"subtype":"success","is_error":false', '"subtype":"error_max_turns","is_error":true'))
    await feedOf().end({ ...over, finishReason: 'done', lastTurnDecides: true })
    expect(streamed().at(-1)?.data).toMatchObject({ finish_reason: 'error' })
    expect(types().slice(-2)).toEqual(['error', 'done'])
  })

  test('without an end of the last turn a run is not done', async () => {
    write(init + result + said('And on'))
    expect(await feedOf().end({ ...over, lastTurnDecides: true })).toMatchObject({ isTurnOpen: true, lastTurn: 'done' })
    expect(streamed().at(-1)?.data).toMatchObject({
      finish_reason: 'error',
      message: expect.stringMatching(/^The agent exited without a final turn/)
    })
  })

  test('nothing was printed, and there are no files: the stream says that it failed', async () => {
    await feedOf().end({ ...over, finishReason: 'error', lastTurnDecides: false, exitCode: 3, message: 'No key.' })
    expect(streamed()).toEqual([
      { type: 'error', data: { session_id: null, track_id: null, message: 'No key.', code: 'run_failed', cut: false } },
      {
        type: 'done',
        data: { session_id: null, finish_reason: 'error', exit_code: 3, signal: null, message: 'No key.' }
      }
    ])
  })

  test('a character of standard error that is cut waits for its rest', async () => {
    const feed = feedOf()
    const bytes = Buffer.from('é😀')
    writeStderr(bytes.subarray(0, 4))
    await until(() => expect(streamed()).toEqual([{ type: 'tool_output', data: { session_id: null, text: 'é' } }]))
    writeStderr(bytes.subarray(4))
    await until(() => expect(types()).toEqual(['tool_output', 'tool_output']))
    writeStderr(bytes.subarray(0, 1))
    await feed.end(over)
    const said = streamed().map(({ type, data }) => (type === 'tool_output' ? data.text : ''))
    expect(said.join('')).toBe('é😀\uFFFD')
  })
})

describe('hooks', () => {
  const results = (): readonly string[] =>
    streamed().flatMap(({ type, data }) => (type === 'tool_result' ? [`${data.source} ${data.content}`] : []))

  test('a result is given by the hook at once, and again by the agent, which counts', async () => {
    const feed = feedOf()
    write(init + call('t1'))
    writeHook(hookLine('t1', 'quick', fs.statSync(start.recording).size))
    await until(() => expect(results()).toEqual(['hook quick']))
    await until(() => expect(stored).toEqual(['result s t1']))
    write(answer('t1', 'canonical'))
    await until(() => expect(results()).toEqual(['hook quick', 'agent canonical']))
    await feed.end(over)
    expect(types()).toEqual(['status', 'tool_use', 'tool_result', 'tool_result', 'done'])
    const store = await TaskStore.open(start.tasks ?? '')
    expect(store.result('s', 't1')).toMatchObject({ content: 'canonical', source: 'agent' })
    store.close()
  })

  test('read together, a hook stands where it ran: after its call, before the result of the agent', async () => {
    const before = init + call('t1')
    write(before + answer('t1', 'canonical'))
    writeHook(hookLine('t1', 'quick', before.length))
    await feedOf().end(over)
    expect(types()).toEqual(['status', 'tool_use', 'tool_result', 'tool_result', 'done'])
    expect(results()).toEqual(['hook quick', 'agent canonical'])
  })

  test('one that comes after the result of the agent is not given', async () => {
    const feed = feedOf()
    write(init + call('t1') + answer('t1', 'canonical'))
    await until(() => expect(results()).toEqual(['agent canonical']))
    writeHook(hookLine('t1', 'late'))
    await feed.end(over)
    expect(results()).toEqual(['agent canonical'])
  })

  test('one that lies about when it ran, or says nothing that is understood, stops nothing', async () => {
    const feed = feedOf()
    write(init + call('t1'))
    writeHook(`garbage\n${hookLine('t1', 'quick', 1e15)}{"hook":7}\n`)
    await until(() => expect(results()).toEqual(['hook quick']))
    await feed.end(over)
  })

  test('one of TodoWrite gives the list, and no result; of an older list nothing', async () => {
    const todos = [{ content: 'One', status: 'pending', activeForm: 'Doing one' }]
    const write1 = init + todoWrite('w1', todos)
    const write2 = todoWrite('w2', [{ content: 'One', status: 'completed', activeForm: 'Doing one' }])
    const hook = { tool_name: 'TodoWrite', tool_input: { todos }, tool_response: { newTodos: todos } }
    write(write1 + write2)
    writeHook(hookLine('w1', '', write1.length, hook) + hookLine('w1', '', (write1 + write2).length, hook))
    await feedOf().end(over)
    // The hook states it as the call did.
    expect(streamed().flatMap(({ type, data }) => (type === 'task_update' ? data.todos : []))).toEqual([
      ...todos,
      { content: 'One', status: 'completed', activeForm: 'Doing one' }
    ])
    expect(types()).not.toContain('tool_result')
    const store = await TaskStore.open(start.tasks ?? '')
    expect(store.tasks('s')).toMatchObject([
      { id: 'sdk-s-0', title: 'One', status: 'completed', description: 'Doing one' }
    ])
    store.close()
  })
})

describe('a feed that stops in the middle', () => {
  const many = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => said(`${from + i} `) + call(`t${from + i}`)).join('')
  const expected = (count: number): string => Array.from({ length: count }, (_, i) => `${i} `).join('')

  test('a thread that dies is started again, and nothing is lost or said twice', async () => {
    const feed = feedOf()
    write(init)
    for (let round = 0; round < 2; round++) {
      write(many(round * 400, round * 400 + 400))
      await until(() => expect(fs.readFileSync(stream, 'utf8')).toContain(`t${round * 400}"`))
      const [worker] = workers.slice(-1)
      if (worker === undefined) throw new Error('no thread was started')
      const exited = once(worker, 'exit')
      await worker.terminate()
      await exited
    }
    write(many(800, 900))
    await feed.end(over)
    expect(workers.length).toBe(3)
    expect(texts()).toBe(expected(900))
    expect(types().filter((type) => type === 'tool_use').length).toBe(900)
    expect(types().at(-1)).toBe('done')
  })

  test('one that dies for ever is given up, and what is known is told', async () => {
    const feed = feedOf({ format: 'none-such' })
    const last = await feed.end(over)
    expect(last.streamBytes).toBe(0)
    expect(problems).toHaveLength(1)
  })

  test('closed, it is gone on with by another', async () => {
    const first = feedOf()
    write(init + many(0, 50))
    await until(() => expect(texts()).toBe(expected(50)))
    await first.close()
    write(many(50, 80))
    await feedOf().end(over)
    expect(texts()).toBe(expected(80))
    expect(types().filter((type) => type === 'done').length).toBe(1)
  })

  test('a stream that was ended is not ended again, and the facts are known', async () => {
    write(init + many(0, 3) + result)
    const first = await feedOf().end(over)
    const whole = fs.readFileSync(stream)
    const second = await feedOf().end({ ...over, finishReason: 'error', lastTurnDecides: false })
    expect(fs.readFileSync(stream)).toEqual(whole)
    expect(second).toEqual(first)
  })

  test('cut off at any byte, the stream is made whole again', async () => {
    const before = init + many(0, 5) + answer('t1', 'x'.repeat(3000)) + call('u')
    write(before + answer('u', 'slow') + said('späte Änderung 😀') + result)
    writeHook(hookLine('u', 'quick', before.length))
    const { signal } = new AbortController()
    const hear = { tasks: () => {}, result: () => {}, problem: () => {}, streamed: () => {} }
    const end = async (): Promise<void> => {
      const feed = await Feed.open({ ...start, tasks: null }, hear, signal)
      await feed.end(over)
      await feed.close()
    }
    await end()
    const whole = fs.readFileSync(stream)
    const events = streamed()
    for (let cut = whole.length; cut >= 0; cut -= 31) {
      fs.writeFileSync(stream, whole.subarray(0, cut))
      await end()
      expect(streamed()).toEqual(events)
    }
  })
})

describe('what fails beside it', () => {
  test('without a database the stream goes on, and it is said once', async () => {
    const feed = feedOf({ tasks: join(start.recording, 'tasks.db') })
    write(init + todoWrite('w', [{ content: 'One', status: 'pending' }]) + call('t') + answer('t', 'x'))
    await feed.end(over)
    expect(types()).toEqual(['status', 'task_update', 'tool_use', 'tool_result', 'done'])
    expect(problems).toHaveLength(1)
    expect(stored).toEqual([])
  })

  test('a recording that cannot be read is told in words', async () => {
    fs.mkdirSync(start.recording)
    await feedOf().end(over)
    expect(problems).toEqual(['A file of this run cannot be read: it is a folder.'])
  })

  test('where the stream cannot be written, tasks and facts are known all the same', async () => {
    fs.mkdirSync(stream)
    write(init + todoWrite('w', [{ content: 'One', status: 'pending' }]) + result)
    const last = await feedOf().end(over)
    expect(last).toMatchObject({ lastTurn: 'done', todo: { completed: 0, total: 1 }, streamBytes: 0 })
    expect(stored).toEqual(['tasks s'])
    expect(problems).toHaveLength(1)
    fs.rmdirSync(stream)
  })

  test('garbage, and a very long line', async () => {
    const garbage = Buffer.from(Array.from({ length: 1 << 16 }, (_, i) => (i * 7919) % 251))
    fs.appendFileSync(start.recording, garbage)
    write(`\n${init}${said('long '.repeat(1 << 20))}`)
    write(call('t') + answer('t', 'y'.repeat(4 << 20)) + result)
    const last = await feedOf().end(over)
    expect(last.lastTurn).toBe('done')
    expect(texts()).toBe('long '.repeat(1 << 20))
    const cut = streamed().flatMap(({ type, data }) => (type === 'tool_result' ? [data] : []))
    expect(cut).toMatchObject([{ cut: true, content: 'y'.repeat(1 << 16) }])
  })
})
