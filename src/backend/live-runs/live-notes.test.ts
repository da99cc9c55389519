import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { corpusIsHere, corpusPath } from '../../../test/conformance/corpus.ts'
import { RunHost } from '../../../test/run-host.ts'
import { program } from '../../../test/run-processes.ts'
import { readEvents } from '../../../test/server-sent-events.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { readLog } from '../sources/read-log.ts'
import { Feed } from './feed.ts'
import type { FeedOutcome, FeedStart } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { shrinkStream } from './shrink-stream.ts'
import { rebuildStream } from './rebuild-stream.ts'
import { readOrder } from './stream-order.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-notes-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const session = '7e731bc9-0f6a-47ce-8088-6f311003de5e'
let runs = 0
let start: FeedStart
let chat: string
let problems: string[]
beforeEach(() => {
  const folder = join(root, `r${runs++}`)
  const logs = join(folder, 'home', '.gemini', 'tmp')
  chat = join(logs, 'project', 'chats', `session-2026-11-21T22-00-${session.slice(0, 8)}.jsonl`)
  fs.mkdirSync(dirname(chat), { recursive: true })
  // A file there is no folder of a project.
  fs.writeFileSync(join(logs, 'settings.json'), '{}')
  const recording = join(folder, 'stdout.jsonl')
  start = {
    ...{ run: 'r', folder, recording, format: 'gemini-stream-json' },
    ...{ timeLimitMs: null, logs, tasks: null, shrinks: false }
  }
  problems = []
})

const over: FeedOutcome = {
  ...{ finishReason: 'done', lastTurnDecides: true, exitCode: 0, signal: null, message: null },
  ...{ stderrTail: '', disk: null }
}

const hear = {
  ...{ tasks: () => {}, result: () => {}, streamed: () => {} },
  problem: (message: string) => void problems.push(message)
}
const open = async (): Promise<Feed> => await Feed.open(start, hear, new AbortController().signal)
const print = (text: string): void => fs.appendFileSync(start.recording, text)
const save = (text: string): void => fs.appendFileSync(chat, text)
const notesPath = (): string => start.recording.replace('.jsonl', '.tasks.jsonl')

/** A step of both logs: what the agent prints, and what it saves. */
type Step = readonly ['print' | 'save', string]

async function followed(steps: readonly Step[], readsAfter: (index: number) => boolean = () => true): Promise<void> {
  let feed = await open()
  for (const [index, [where, text]] of steps.entries()) {
    if (where === 'print') print(text)
    else save(text)
    if (!readsAfter(index)) continue
    await feed.readOn()
    // Another feed goes on where one was killed.
    if (index % 7 === 3) {
      await feed.close()
      feed = await open()
    }
  }
  await feed.end(over)
  await feed.close()
}

type Lists = readonly (readonly { readonly text: string; readonly status: string }[])[]

/** Each list that programs were told of. */
function streamedLists(): Lists {
  const events = readEvents(fs.readFileSync(join(start.folder, 'stream.sse'), 'utf8'))
  return events.flatMap(({ event }) =>
    event.type === 'task_update' ? [event.data.todos.map(({ content, status }) => ({ text: content, status }))] : []
  )
}

async function readLists(): Promise<{ lists: Lists; notices: number }> {
  const lists: AgentEvent[] = []
  let notices = 0
  await readLog(
    { path: start.recording, format: null, single: false },
    {
      line: ({ issues }) => void (notices += issues.length),
      event: (event) => void (event.type === 'todo_list' && lists.push(event))
    }
  )
  return { lists: lists.flatMap((event) => (event.type === 'todo_list' ? [event.items] : [])), notices }
}

const at = (ms: number): string => new Date(Date.UTC(2026, 10, 21, 22, 0, 0, ms)).toISOString()
const line = (record: object): string => `${JSON.stringify(record)}\n`
const create = (id: string, title: string, ms: number): string =>
  line({
    ...{ type: 'tool_use', timestamp: at(ms), tool_name: 'tracker_create_task', tool_id: id },
    parameters: { title, description: '', type: 'task' }
  })
const update = (id: string, task: string, status: string, ms: number): string =>
  line({
    ...{ type: 'tool_use', timestamp: at(ms), tool_name: 'tracker_update_task', tool_id: id },
    parameters: { id: task, status }
  })
const done = (id: string, ms: number): string =>
  line({ type: 'tool_result', timestamp: at(ms), tool_id: id, status: 'success' })
const saved = (ms: number, ...calls: readonly (readonly [id: string, output: string])[]): string =>
  line({
    ...{ id: `m${ms}`, timestamp: at(ms), type: 'gemini', content: '' },
    toolCalls: calls.map(([id, output]) => ({
      ...{ id, name: 'tracker_create_task', status: 'success', timestamp: at(ms) },
      result: [{ functionResponse: { id, name: 'tracker_create_task', response: { output } } }]
    }))
  })

const header = line({ sessionId: session, projectHash: 'x', startTime: at(0), kind: 'main' })
const init = line({ type: 'init', timestamp: at(5), session_id: session, model: 'auto' })
/** Two tasks are made at once; the second is worked on first. */
const steps: readonly Step[] = [
  ['save', header],
  ['print', init],
  ['print', create('c1', 'One', 10) + create('c2', 'Two', 11)],
  ['print', done('c1', 20) + done('c2', 20)],
  ['save', saved(20, ['c1', 'Created task aaaaaa: One'], ['c2', 'Created task bbbbbb: Two'])],
  ['print', line({ type: 'message', timestamp: at(28), role: 'assistant', content: 'Now ', delta: true })],
  ['print', line({ type: 'message', timestamp: at(29), role: 'assistant', content: 'two', delta: true })],
  ['print', update('u1', 'bbbbbb', 'in_progress', 30) + done('u1', 31)],
  ['save', saved(20, ['c1', 'Created task aaaaaa: One'], ['c2', 'Created task bbbbbb: Two'])],
  ['print', create('c3', 'Three', 40) + done('c3', 41)],
  ['save', saved(41, ['c3', 'Created task cccccc: Three'])],
  ['print', update('u2', 'cccccc', 'closed', 50) + done('u2', 51)],
  ['print', update('u3', 'aaaaaa', 'closed', 60) + done('u3', 61)],
  ['print', line({ type: 'result', timestamp: at(70), status: 'success', stats: { duration_ms: 65 } })]
]
const expected: Lists = [
  [{ text: 'One', status: 'pending' }],
  [
    { text: 'One', status: 'pending' },
    { text: 'Two', status: 'pending' }
  ],
  [
    { text: 'One', status: 'pending' },
    { text: 'Two', status: 'in_progress' }
  ],
  [
    { text: 'One', status: 'pending' },
    { text: 'Two', status: 'in_progress' },
    { text: 'Three', status: 'pending' }
  ],
  [
    { text: 'One', status: 'pending' },
    { text: 'Two', status: 'in_progress' },
    { text: 'Three', status: 'completed' }
  ],
  [
    { text: 'One', status: 'completed' },
    { text: 'Two', status: 'in_progress' },
    { text: 'Three', status: 'completed' }
  ]
]

describe('the ids of tracker tasks, which only the chat of the session has', () => {
  test.each<[how: string, readsAfter: (index: number) => boolean]>([
    ['at each step', () => true],
    ['when all is written', () => false],
    ['now and then', (index) => index % 3 === 2]
  ])(
    'are noted beside the recording: read %s, the lists are the same, live, offline and made anew',
    async (_how, when) => {
      await followed(steps, when)
      expect(streamedLists()).toEqual(expected)
      expect(await readLists()).toEqual({ lists: expected, notices: 0 })
      expect(fs.readFileSync(notesPath(), 'utf8').trim().split('\n')).toHaveLength(3)
      const stream = fs.readFileSync(join(start.folder, 'stream.sse'))
      expect(await shrinkStream(start)).toBe(true)
      const printed = {
        stdout: new GrowingFile(start.recording),
        stderr: new GrowingFile(join(start.folder, 'stderr.txt'))
      }
      const anew: Buffer[] = []
      for await (const bytes of rebuildStream(
        start.folder,
        await readOrder(join(start.folder, 'order.json.gz')),
        printed
      ))
        anew.push(bytes)
      for (const file of Object.values(printed)) await file.close()
      expect(Buffer.concat(anew)).toEqual(stream)
      expect(problems).toEqual([])
    }
  )

  test('a note that was written in part by a program that was killed is written anew', async () => {
    await followed(steps.slice(0, 8))
    const whole = fs.readFileSync(notesPath())
    fs.truncateSync(notesPath(), whole.length - 10)
    fs.rmSync(join(start.folder, 'stream.sse'))
    await followed(steps.slice(8))
    expect(fs.readFileSync(notesPath(), 'utf8').split('\n').filter(Boolean).sort()).toHaveLength(3)
    expect((await readLists()).lists).toEqual(expected)
  })

  test('a chat of another session with the same beginning, and one that is no log, are left alone', async () => {
    const other = { sessionId: `${session.slice(0, 8)}-0000`, projectHash: 'x', startTime: at(0) }
    fs.writeFileSync(chat.replace('22-00', '21-00'), line(other) + saved(20, ['c1', 'Created task bbbbbb: One']))
    fs.writeFileSync(chat.replace('22-00', '20-00'), 'no log\n')
    await followed(steps)
    expect((await readLists()).lists).toEqual(expected)
  })

  test('without a chat nothing is written, and the list is as the recording alone tells', async () => {
    await followed(steps.filter(([where]) => where === 'print'))
    expect(fs.existsSync(notesPath())).toBe(false)
    const { lists, notices } = await readLists()
    expect(lists.at(-1)?.map(({ text }) => text)).toContain('Task bbbbbb')
    expect(notices).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })

  test('notes that cannot be written are said once; the run is followed all the same', async () => {
    fs.mkdirSync(notesPath())
    await followed(steps)
    expect(new Set(problems).size).toBe(1)
    expect(problems[0]).toContain('stdout.tasks.jsonl')
    expect(streamedLists()).toHaveLength((await readLists()).lists.length)
  })
})

test.skipIf(!corpusIsHere)('a recorded run: its five tasks stay five, and end as in the chat', async () => {
  const recorded = corpusPath('recorded/gemini/tracker')
  const chats = join(recorded, 'transcript/tmp/demo-project/chats')
  const [name = ''] = fs.readdirSync(chats)
  const stamped = (where: Step[0], path: string): { step: Step; time: string }[] => {
    let time = ''
    const lines = fs.readFileSync(path, 'utf8').split('\n').filter(Boolean)
    return lines.map((text) => {
      const record = JSON.parse(text) as { timestamp?: string; toolCalls?: { timestamp: string }[] }
      // A message is saved again when its calls are answered.
      const stated = record.toolCalls?.at(-1)?.timestamp ?? record.timestamp
      if (stated !== undefined && stated > time) time = stated
      return { step: [where, `${text}\n`], time }
    })
  }
  const both = [...stamped('print', join(recorded, 'stdout.jsonl')), ...stamped('save', join(chats, name))]
  both.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
  await followed(both.map(({ step }) => step))
  const { lists, notices } = await readLists()
  expect(notices).toBe(0)
  expect(Math.max(...lists.map((items) => items.length))).toBe(5)
  expect(lists.at(-1)?.map(({ status }) => status)).toEqual(Array(5).fill('completed'))
  expect(streamedLists()).toEqual(lists)
  const ofChat: string[] = []
  await readLog(
    { path: join(chats, name), format: null, single: true },
    { event: (event) => void (event.type === 'todo_list' && ofChat.push(...event.items.map(({ text }) => text))) }
  )
  expect(new Set(lists.at(-1)?.map(({ text }) => text))).toEqual(new Set(ofChat))
})

test('a live run: the open log has the titles as well, once the notes are there', async () => {
  vi.stubEnv('GEMINI_CLI_HOME', join(start.folder, 'home'))
  const host = new RunHost()
  try {
    const [first = '', ...rest] = steps.map(
      ([where, text]) => `printf %s '${text}' ${where === 'save' ? `>> '${chat}'` : ''}`
    )
    const agent = program(start.folder, ['case "$1" in --version) exit; esac', first, ...rest])
    const { run, recording } = await host.start('gemini', agent)
    const { log } = await host.handlers['log.open']({ path: recording })
    expect((await host.ended(run)).todo).toEqual({ completed: 2, total: 3 })
    await host.log(log, ({ files, phase, todoSnapshots }) => {
      return files.length === 1 && phase === 'done' && todoSnapshots === expected.length
    })
    const { snapshots } = await host.handlers['log.todos']({ log, from: 0, count: 100 })
    expect(snapshots.at(-1)?.items).toEqual(expected.at(-1))
  } finally {
    await host.close()
    vi.unstubAllEnvs()
  }
})
