import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { StreamEvent } from '#core/bridge/stream-events.ts'
import { newFolder } from '../../../test/run-processes.ts'
import { readEvents } from '../../../test/server-sent-events.ts'
import type { FeedOutcome, FeedStart } from './feed-messages.ts'
import { Feed } from './feed.ts'
import { addHostNotes } from './host-notes.ts'
import { rebuildStream } from './rebuild-stream.ts'
import { readOrder } from './stream-order.ts'
import { GrowingFile } from './growing-file.ts'
import { shrinkStream } from './shrink-stream.ts'

const limitMs = 10_000
const over: FeedOutcome = {
  ...{ finishReason: 'done', lastTurnDecides: false, exitCode: 0, signal: null },
  ...{ message: null, stderrTail: '', disk: null }
}

let start: FeedStart
/** Of clocks that the tests set. */
let nowMs = 0
let ageMs = 0
beforeEach(() => {
  const folder = newFolder()
  const files = { folder, recording: join(folder, 'stdout.jsonl'), format: 'claude-stream-json' }
  start = { run: 'r', ...files, timeLimitMs: limitMs, logs: null, tasks: null, shrinks: false }
  nowMs = 0
  ageMs = 0
})

async function opened(more: Partial<FeedStart> = {}): Promise<Feed> {
  start = { ...start, ...more }
  const listener = { tasks: () => {}, result: () => {}, streamed: () => {}, problem: fail }
  return await Feed.open(start, listener, new AbortController().signal, clocks)
}

/** The recording was written `ageMs` ago. */
const clocks = { now: () => nowMs, wallTime: () => fs.statSync(start.recording).mtimeMs + ageMs }

function fail(message: string): void {
  throw new Error(message)
}

const line = (record: object): string => `${JSON.stringify(record)}\n`
const write = (...records: readonly object[]): void => fs.appendFileSync(start.recording, records.map(line).join(''))
const note = (...notes: Parameters<typeof addHostNotes>[2]): void =>
  addHostNotes(join(start.folder, 'hooks.jsonl'), 0, notes)

/** Reads on at a moment. */
async function readAt(feed: Feed, atMs: number): Promise<void> {
  nowMs = atMs
  await feed.readOn()
}

const events = (): StreamEvent[] =>
  readEvents(fs.readFileSync(join(start.folder, 'stream.sse'), 'utf8')).map(({ event }) => event)
const late = (): string[] =>
  events().flatMap(({ type, data }) =>
    type === 'tool_timeout' ? [`${data.tool_name} ${data.tool_use_id} ${data.elapsed_seconds}`] : []
  )
const places = (): string[] =>
  events().flatMap(({ type }) =>
    type === 'tool_use' || type === 'tool_timeout' || type === 'tool_result' ? [type] : []
  )

/** A command of each agent, as its format states it. */
interface Calls {
  readonly format: string
  readonly interactive?: true
  readonly tool: string
  readonly first: readonly object[]
  readonly begins: (id: string) => object
  readonly ends: (id: string) => object
}

const claude = { session_id: 's', parent_tool_use_id: null }
const codexItem = (id: string, status: string): object => ({
  item: { id, type: 'command_execution', command: 'make', aggregated_output: '', exit_code: null, status }
})
const serverItem = (id: string, status: string): object => ({
  threadId: 't',
  turnId: 'u',
  item: { type: 'commandExecution', id, command: 'make', cwd: '/w', status, commandActions: [] }
})

const formats: readonly Calls[] = [
  {
    format: 'claude-stream-json',
    tool: 'Bash',
    first: [{ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', ...claude }],
    begins: (id) => ({
      type: 'assistant',
      message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
      ...claude
    }),
    ends: (id) => ({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'made' }] },
      ...claude
    })
  },
  {
    format: 'codex-exec-json',
    tool: 'command_execution',
    first: [{ type: 'thread.started', thread_id: 's' }, { type: 'turn.started' }],
    begins: (id) => ({ type: 'item.started', ...codexItem(id, 'in_progress') }),
    ends: (id) => ({ type: 'item.completed', ...codexItem(id, 'completed') })
  },
  {
    format: 'codex-app-server',
    interactive: true,
    tool: 'command_execution',
    first: [
      { method: 'thread/started', params: { thread: { id: 't' } } },
      { method: 'turn/started', params: { threadId: 't', turn: { id: 'u', status: 'inProgress', items: [] } } }
    ],
    begins: (id) => ({ method: 'item/started', params: serverItem(id, 'inProgress') }),
    ends: (id) => ({ method: 'item/completed', params: serverItem(id, 'completed') })
  },
  {
    format: 'gemini-stream-json',
    tool: 'run_shell_command',
    first: [{ type: 'init', timestamp: '2026-01-05T09:00:00.000Z', session_id: 's', model: 'm' }],
    begins: (tool_id) => ({
      ...{ type: 'tool_use', timestamp: '2026-01-05T09:00:01.000Z', tool_name: 'run_shell_command' },
      ...{ tool_id, parameters: {} }
    }),
    ends: (tool_id) => ({
      ...{ type: 'tool_result', timestamp: '2026-01-05T09:00:02.000Z', tool_id, status: 'success', output: '' }
    })
  }
]

describe.each(formats)('a call in $format', ({ format, interactive = false, tool, first, begins, ends }) => {
  const begun = async (): Promise<Feed> => {
    const feed = await opened({ format, interactive })
    write(...first)
    await readAt(feed, 0)
    return feed
  }

  test('is told at the limit, once, before its result', async () => {
    const feed = await begun()
    write(begins('a'))
    await readAt(feed, 0)
    expect(feed.wakeInMs).toBe(limitMs)
    await readAt(feed, limitMs - 1)
    expect(late()).toEqual([])
    await readAt(feed, limitMs)
    const [told = ''] = late()
    const id = told.split(' ')[1] ?? ''
    expect(late()).toEqual([`${tool} ${id} 10`])
    expect(feed.wakeInMs).toBe(null)
    await readAt(feed, 3 * limitMs)
    write(ends('a'))
    await readAt(feed, 4 * limitMs)
    expect(places()).toEqual(['tool_use', 'tool_timeout', 'tool_result'])
    await feed.end(over)
    await feed.close()
  })

  test('that ended before the limit is not, also where that is read later', async () => {
    const feed = await begun()
    write(begins('a'))
    await readAt(feed, 0)
    write(ends('a'))
    await readAt(feed, limitMs)
    await readAt(feed, 2 * limitMs)
    expect(places()).toEqual(['tool_use', 'tool_result'])
    await feed.end(over)
    await feed.close()
  })

  test('has its own time beside others', async () => {
    const feed = await begun()
    write(begins('a'))
    await readAt(feed, 0)
    await readAt(feed, 4000)
    write(begins('b'), begins('c'))
    await readAt(feed, 4000)
    await readAt(feed, limitMs)
    expect(late()).toHaveLength(1)
    write(ends('b'))
    await readAt(feed, limitMs + 4000)
    expect(late()).toHaveLength(2)
    expect(new Set(late().map((told) => told.split(' ')[1])).size).toBe(2)
    await feed.end(over)
    await feed.close()
  })

  test('that was read late began when it was printed', async () => {
    const feed = await begun()
    write(begins('a'))
    ageMs = 5000
    await readAt(feed, 5000)
    await readAt(feed, limitMs)
    expect(late()).toHaveLength(1)
    await feed.end(over)
    await feed.close()
  })

  test('is told again from its notes: by another feed, and once the run is over', async () => {
    const feed = await begun()
    write(begins('a'))
    await readAt(feed, 0)
    await readAt(feed, limitMs)
    await feed.close()
    const before = events()
    const next = await opened()
    await readAt(next, 5 * limitMs)
    expect(events()).toEqual(before)
    write(begins('b'), ends('a'))
    await readAt(next, 5 * limitMs)
    await readAt(next, 6 * limitMs)
    expect(late()).toHaveLength(2)
    await next.end(over)
    await next.close()
    const whole = fs.readFileSync(join(start.folder, 'stream.sse'))
    expect(await shrinkStream(start)).toBe(true)
    const files = {
      stdout: new GrowingFile(start.recording),
      stderr: new GrowingFile(join(start.folder, 'stderr.txt'))
    }
    const parts: Buffer[] = []
    const order = await readOrder(join(start.folder, 'order.json.gz'))
    for await (const part of rebuildStream(start.folder, order, files)) parts.push(part)
    for (const file of Object.values(files)) await file.close()
    expect(Buffer.concat(parts).equals(whole)).toBe(true)
  })

  test('of an agent that has ended is not measured', async () => {
    const feed = await begun()
    write(begins('a'))
    await readAt(feed, 0)
    feed.agentEnded()
    await readAt(feed, 2 * limitMs)
    await feed.end(over)
    await feed.close()
    expect(late()).toEqual([])
  })
})

describe('a call', () => {
  const [{ begins, ends, first }] = formats as [Calls]

  test('of a run whose host died is not measured when another host finishes it', async () => {
    write(...first, begins('a'))
    ageMs = 3_600_000
    const feed = await opened({ isOver: true })
    expect(feed.wakeInMs).toBe(null)
    await feed.end(over)
    await feed.close()
    expect(late()).toEqual([])
  })

  test('of a stream that another host finishes is told once', async () => {
    const feed = await opened()
    write(...first, begins('a'), begins('b'))
    await readAt(feed, 0)
    note({ kind: 'turn', turn: 'working' })
    await readAt(feed, 0)
    await feed.close()
    const before = events()
    const other = await opened({ isOver: true })
    await readAt(other, 0)
    expect(events()).toEqual(before)
    await other.end(over)
    await other.close()
    expect(places()).toEqual(['tool_use', 'tool_use'])
  })

  test('goes on in a feed that takes over', async () => {
    const feed = await opened()
    write(...first, begins('a'))
    await readAt(feed, 0)
    await feed.close()
    nowMs = ageMs = 9000
    const next = await opened()
    await readAt(next, 9000)
    expect(late()).toEqual([])
    await readAt(next, limitMs)
    expect(late()).toEqual(['Bash a 10'])
    await next.end(over)
    await next.close()
  })

  test('whose permission a person has not given does not run', async () => {
    const feed = await opened({ interactive: true })
    await readAt(feed, 0)
    const ask = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'a' }
    write(...first, begins('a'), { type: 'control_request', request_id: 'r', request: ask })
    await readAt(feed, 0)
    await readAt(feed, 100 * limitMs)
    expect(late()).toEqual([])
    note({ kind: 'answer', ask: '"r"', decision: 'allowed', by: 'person', message: null })
    await readAt(feed, 100 * limitMs)
    await readAt(feed, 101 * limitMs)
    expect(late()).toEqual(['Bash a 10'])
    await feed.end(over)
    await feed.close()
  })

  test.each(['refused', 'withdrawn'] as const)('that was %s never runs', async (decision) => {
    const feed = await opened({ interactive: true })
    await readAt(feed, 0)
    const ask = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'a' }
    write(...first, begins('a'), { type: 'control_request', request_id: 'r', request: ask })
    note({ kind: 'answer', ask: '"r"', decision, by: 'person', message: null })
    await readAt(feed, 0)
    await readAt(feed, 2 * limitMs)
    expect(late()).toEqual([])
    await feed.end(over)
    await feed.close()
  })

  test('has the limit that a person sets meanwhile', async () => {
    const feed = await opened({ timeLimitMs: null, interactive: true })
    await readAt(feed, 0)
    write(...first, begins('a'), begins('b'))
    await readAt(feed, 0)
    expect(feed.wakeInMs).toBe(null)
    note({ kind: 'tool-limit', ms: 3000 })
    await readAt(feed, 1000)
    expect(feed.wakeInMs).toBe(2000)
    write(ends('b'))
    note({ kind: 'tool-limit', ms: 5000 })
    await readAt(feed, 4000)
    expect(late()).toEqual([])
    await readAt(feed, 5000)
    expect(late()).toEqual(['Bash a 5'])
    await feed.end(over)
    await feed.close()
  })

  test('that a failed turn gave up is not measured any more', async () => {
    const feed = await opened()
    write(...first, begins('a'))
    await readAt(feed, 0)
    write({ type: 'result', subtype: 'error_during_execution', is_error: true, num_turns: 1, ...claude })
    await readAt(feed, 1)
    await readAt(feed, 2 * limitMs)
    expect(late()).toEqual([])
    await feed.end(over)
    await feed.close()
  })

  test('that runs when the time of the run is up is told before what the agent makes of it', async () => {
    const feed = await opened()
    write(...first, begins('a'), begins('b'), ends('b'))
    await readAt(feed, 0)
    note({ kind: 'time-up' })
    write(ends('a'))
    await readAt(feed, 500)
    await feed.end({ ...over, finishReason: 'timeout' })
    await feed.close()
    expect(late()).toEqual(['Bash a null'])
  })

  test('of Gemini CLI in a conversation is noted by the host: its log has it when it is over', async () => {
    const feed = await opened({ format: 'gemini-chat', interactive: true })
    fs.writeFileSync(start.recording, line({ sessionId: 's', kind: 'main', messages: [] }))
    note({ kind: 'session', session: 's' })
    await readAt(feed, 0)
    await readAt(feed, 60_000)
    const call = { kind: 'call', name: 'run_shell_command' } as const
    note({ ...call, tool: 'a', isOver: false }, { ...call, tool: 'b', isOver: false })
    await readAt(feed, 60_000)
    note({ ...call, tool: 'b', isOver: true })
    await readAt(feed, 60_000 + limitMs - 1)
    expect(late()).toEqual([])
    await readAt(feed, 60_000 + limitMs)
    expect(late()).toEqual(['run_shell_command a 10'])
    await feed.end(over)
    await feed.close()
  })
})
