import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rowKinds } from '#core/index/row-kind.ts'
import { laneStates } from '#core/replay/todo-lanes.ts'
import type { HostError } from '#contract/host-error.ts'
import { LogStatus, methods, type RecentLog } from '#contract/methods.ts'
import { FoundRows } from '../../test/found-rows.ts'
import { type Backend, createBackend } from './handlers.ts'
import { createWorker } from './indexer/create-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-backend-'))
afterAll(() => rmSync(folder, { recursive: true }))

let backend: Backend
let progress: LogStatus[]
let found: FoundRows
let remembered: RecentLog[]
beforeEach(() => {
  progress = []
  found = new FoundRows()
  remembered = []
  backend = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1.2.3', sample: null, drops: '/drops' },
    recent: { list: async () => remembered, remember: async (log) => void remembered.push(log) },
    notify(name, payload) {
      if (name === 'log.progress') progress.push(LogStatus.parse(payload))
      found.onNotice(name, payload)
    },
    now: () => 42
  })
})
afterEach(() => backend.close())

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** Opens a log and waits until it is read. */
async function opened(path: string, format?: string): Promise<LogStatus> {
  const { log } = await backend.handlers['log.open']({ path, ...(format === undefined ? {} : { format }) })
  return await doneWith(log)
}

async function doneWith(log: string): Promise<LogStatus> {
  for (;;) {
    const status = await backend.handlers['log.status']({ log })
    if (status.phase !== 'reading') return status
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

async function allKinds(log: string): Promise<string[]> {
  const { kind } = await backend.handlers['log.columns']({ log, from: 0, count: 1000 })
  return [...new Uint8Array(kind)].map((number) => rowKinds[number] ?? '?')
}

const session = { session_id: 's1' }
const init = { type: 'system', subtype: 'init', cwd: '/w', tools: ['Bash'], model: 'm-1', ...session }
const assistant = (...content: object[]) => ({
  type: 'assistant',
  message: { id: 'msg', role: 'assistant', model: 'm-1', content },
  parent_tool_use_id: null,
  timestamp: '2026-01-02T03:04:05.000Z',
  ...session
})
const user = (...content: object[]) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  timestamp: '2026-01-02T03:04:06.000Z',
  ...session
})
const bash = (id: string, command: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command } })
const toolResult = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content })
const todoWrite = (id: string, ...todos: [string, string][]) => ({
  type: 'tool_use',
  id,
  name: 'TodoWrite',
  input: { todos: todos.map(([content, status]) => ({ content, status, activeForm: content })) }
})
const jsonl = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

const run = jsonl(
  init,
  assistant({ type: 'text', text: 'I will plan.' }),
  assistant(todoWrite('td1', ['Read', 'in_progress'], ['Write', 'pending'])),
  assistant(bash('t1', 'ls "größe"')),
  user(toolResult('t1', 'a\nb\n')),
  user(toolResult('t1', 'c')),
  { type: 'keep_alive' },
  assistant(todoWrite('td2', ['Read', 'completed'], ['Write', 'in_progress']))
)

describe('an open log', () => {
  test('is read to its end, with its counts', async () => {
    const path = file('run.jsonl', run)
    const status = await opened(path)
    expect(status).toMatchObject({
      path,
      name: 'run.jsonl',
      phase: 'done',
      error: null,
      format: 'claude-stream-json',
      formatNote: null,
      bytes: run.length + 2,
      bytesRead: run.length + 2,
      lines: 8,
      events: 7,
      rows: 8,
      todoSnapshots: 2,
      model: 'm-1',
      sessionId: 's1',
      tools: ['Bash'],
      firstTimestamp: Date.parse('2026-01-02T03:04:05.000Z')
    })
    expect(await backend.handlers['log.list']({})).toEqual({ logs: [status] })
    expect(progress.map((one) => one.phase).filter((phase) => phase === 'done')).toHaveLength(1)
    expect(progress[0]).toMatchObject({ phase: 'reading', format: 'claude-stream-json', rows: 0 })
  })

  test('returns its columns and the summaries of its rows', async () => {
    const { log } = await opened(file('rows.jsonl', run))
    expect(await allKinds(log)).toEqual([
      'session',
      'assistant',
      'todo',
      'tool',
      'tool-result',
      'tool-result',
      'record',
      'todo'
    ])
    const { rows } = methods['log.rows'].result.parse(await backend.handlers['log.rows']({ log, rows: [7, 3, 4, 6] }))
    expect(rows.map(({ row, text }) => [row, text])).toEqual([
      [7, 'Read, 1 started'],
      [3, 'ls "größe"'],
      [4, 'a'],
      [6, 'keep_alive']
    ])
    expect(rows[0]?.todo).toEqual({ statuses: ['completed', 'in_progress'], total: 2, completed: 1, completedDelta: 1 })
    expect(rows[2]?.badges).toEqual([{ text: '2 lines', tone: 'plain' }])
  })

  test('returns a whole row with its pair', async () => {
    const { log } = await opened(file('event.jsonl', run))
    const parse = methods['log.event'].result.parse
    const call = parse(await backend.handlers['log.event']({ log, row: 3, limit: 1000 }))
    expect(call).toMatchObject({
      row: 3,
      event: { type: 'tool.started', toolId: 't1', sessionId: 's1', source: { line: 4, ordinal: 0 } },
      record: null,
      cut: [],
      pair: { row: 5, event: { type: 'tool.completed', output: 'c' } },
      results: [5, 4]
    })
    const result = parse(await backend.handlers['log.event']({ log, row: 4, limit: 1000 }))
    expect(result).toMatchObject({ pair: { row: 3, event: { type: 'tool.started' } }, results: [5, 4] })
    const record = parse(await backend.handlers['log.event']({ log, row: 6, limit: 1000 }))
    expect(record).toMatchObject({ event: null, record: { type: 'keep_alive' }, pair: null })
  })

  test('cuts long strings, with their paths and lengths', async () => {
    const { log } = await opened(file('long.jsonl', jsonl(init, assistant({ type: 'text', text: 'x'.repeat(5000) }))))
    const { event, cut } = await backend.handlers['log.event']({ log, row: 1, limit: 200 })
    expect(event).toMatchObject({ type: 'text', text: 'x'.repeat(200) })
    expect(cut).toEqual([{ path: '$.text', length: 5000 }])
  })

  test('returns a long text in pieces without splitting characters', async () => {
    const text = `${'x'.repeat(4999)}\u{1f30d}end`
    const { log } = await opened(file('pieces.jsonl', jsonl(init, assistant({ type: 'text', text }))))
    let read = ''
    for (let length = 1; read.length < length;) {
      const piece = await backend.handlers['log.text']({ log, row: 1, path: '$.text', from: read.length, count: 1250 })
      expect(Buffer.from(piece.text).toString()).toBe(piece.text)
      read += piece.text
      length = piece.length
    }
    expect(read).toBe(text)
    const missing = backend.handlers['log.text']({ log, row: 1, path: '$.timestamp', from: 0, count: 10 })
    await expect(missing).rejects.toMatchObject({ code: 'not-found' })
  })

  test('returns the images of a result, typed by their bytes', async () => {
    const image = (media_type: string, data: string) => ({
      type: 'image',
      source: { type: 'base64', media_type, data }
    })
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]).toString('base64')
    const page = Buffer.from('<svg onload="alert(1)"></svg>').toString('base64')
    const content = [image('image/jpeg', png), image('image/png', page)]
    const result = { type: 'tool_result', tool_use_id: 't9', content }
    const log = jsonl(init, { type: 'user', message: { role: 'user', content: [result] }, session_id: 's1' })
    const status = await opened(file('images.jsonl', log))
    const event = await backend.handlers['log.event']({ log: status.log, row: 1, limit: 1000 })
    expect(event.facts.images).toBe(2)
    const given = methods['log.images'].result.parse(await backend.handlers['log.images']({ log: status.log, row: 1 }))
    expect(given.images).toMatchObject([
      { path: '$.message.content[0].content[0]', declared: 'image/jpeg', type: 'image/png', offset: 0, length: 11 },
      { type: null, length: 0, problem: 'It is not a PNG, JPEG, GIF or WebP image.' }
    ])
    expect(Buffer.from(given.bytes).toString('base64')).toBe(png)
  })

  test('returns the line end', async () => {
    const { log } = await opened(file('ends.jsonl', '{"type":"a"}\n{"type":"b"}\r\n{"type":"c"}'))
    const ends = await Promise.all(
      [0, 1, 2].map(async (row) => (await backend.handlers['log.raw']({ log, row, from: 0, count: 10 })).end)
    )
    expect(ends).toEqual(['lf', 'crlf', 'none'])
  })

  test('returns the bytes of a line as in the file', async () => {
    const path = file('raw.jsonl', run)
    const { log } = await opened(path)
    const line = Buffer.from(run.split('\n')[3] ?? '')
    const whole = await backend.handlers['log.raw']({ log, row: 3, from: 0, count: 100_000 })
    expect(Buffer.from(whole.bytes).equals(line)).toBe(true)
    expect(whole).toMatchObject({ line: 4, length: line.length })
    const part = await backend.handlers['log.raw']({ log, row: 3, from: 5, count: 7 })
    expect(Buffer.from(part.bytes).equals(line.subarray(5, 12))).toBe(true)
    expect((await backend.handlers['log.raw']({ log, row: 3, from: 1e6, count: 7 })).bytes.byteLength).toBe(0)
  })

  test('returns its todo snapshots with their changes', async () => {
    const { log } = await opened(file('todos.jsonl', run))
    const columns = await backend.handlers['log.todoColumns']({ log, from: 0 })
    expect([...new Int32Array(columns.seq)]).toEqual([2, 6])
    expect([...new Int32Array(columns.row)]).toEqual([2, 7])
    expect([...new Uint16Array(columns.completed)]).toEqual([0, 1])
    const { snapshots } = methods['log.todos'].result.parse(
      await backend.handlers['log.todos']({ log, from: 1, count: 9 })
    )
    expect(snapshots).toMatchObject([
      {
        index: 1,
        seq: 6,
        row: 7,
        line: 8,
        trackId: null,
        items: [
          { text: 'Read', status: 'completed' },
          { text: 'Write', status: 'in_progress' }
        ],
        changes: [
          { kind: 'status', text: 'Read', from: 'in_progress', to: 'completed' },
          { kind: 'status', text: 'Write', from: 'pending', to: 'in_progress' }
        ],
        lanes: [0, 1],
        sinceSeq: [6, 6],
        edited: [],
        returned: []
      }
    ])
  })

  test('returns the lanes of its todo items in pieces', async () => {
    const edited = run + jsonl(assistant(todoWrite('td3', ['Read', 'completed'], ['Write it down', 'in_progress'])))
    const { log } = await opened(file('lanes.jsonl', edited))
    const whole = await backend.handlers['log.todoLanes']({ log, from: 0, count: 100 })
    expect(whole).toMatchObject({ transitions: 5, lanes: 2, texts: ['Read', 'Write', 'Write it down'] })
    expect([...new Uint32Array(whole.snapshot)]).toEqual([0, 0, 1, 1, 2])
    expect([...new Uint32Array(whole.lane)]).toEqual([0, 1, 0, 1, 1])
    expect([...new Uint8Array(whole.state)].map((state) => laneStates[state])).toEqual([
      ...['in_progress', 'pending', 'completed', 'in_progress', 'in_progress']
    ])
    expect([...new Uint32Array(whole.text)]).toEqual([0, 1, 0, 1, 2])
    const piece = await backend.handlers['log.todoLanes']({ log, from: 4, count: 1 })
    expect(piece).toMatchObject({ from: 4, transitions: 5, texts: ['Write it down'] })
    const { snapshots } = await backend.handlers['log.todos']({ log, from: 2, count: 1 })
    expect(snapshots).toMatchObject([{ lanes: [0, 1], sinceSeq: [6, 6], edited: [{ place: 1, from: 'Write' }] }])
  })

  test('limits long items in one answer', async () => {
    const items = Array.from({ length: 5000 }, (_, i): [string, string] => [`${i} ${'long '.repeat(400)}`, 'pending'])
    const { log } = await opened(file('long-items.jsonl', jsonl(init, assistant(todoWrite('td1', ...items)))))
    const { transitions, texts, lane } = await backend.handlers['log.todoLanes']({ log, from: 0, count: 200_000 })
    expect(transitions).toBe(5000)
    expect(texts).toHaveLength(2000)
    expect(texts[0]).toHaveLength(1000)
    expect(lane.byteLength).toBe(4 * 2000)
  })

  test('shows issues in their row, and all other rows', async () => {
    const broken =
      jsonl(init) + 'not json\n' + jsonl({ ...init, session_id: 7 }, assistant({ type: 'text', text: 'on' }))
    const { log, issues } = await opened(file('broken.jsonl', broken))
    expect(issues).toEqual({ malformed: 1, violation: 1, notice: 0 })
    const listed = await backend.handlers['log.issues']({ log, from: 0, count: 10 })
    expect(listed.total).toBe(2)
    expect(listed.issues).toMatchObject([
      { line: 2, row: 1, code: 'JsonParse', path: null },
      { line: 3, code: 'TypedParse', severity: 'violation' }
    ])
    const codes = [
      { code: 'JsonParse', severity: 'malformed', count: 1 },
      { code: 'TypedParse', severity: 'violation', count: 1 }
    ]
    expect(await backend.handlers['log.issues']({ log, from: 0, count: 9, code: 'TypedParse', row: 2 })).toMatchObject({
      from: 0,
      total: 1,
      codes,
      issues: [{ line: 3 }]
    })
    const after = await backend.handlers['log.issues']({ log, from: 0, count: 9, row: 2 })
    expect(after).toMatchObject({ from: 1, total: 2, issues: [{ line: 3 }] })
    const { rows } = await backend.handlers['log.rows']({ log, rows: [1] })
    expect(rows[0]?.issues).toMatchObject([{ code: 'JsonParse' }])
    expect((await allKinds(log)).at(-1)).toBe('assistant')
  })

  test('finds text as displayed, also if JSON escapes it', async () => {
    const { log } = await opened(file('find.jsonl', run))
    const find = async (text: string, caseSensitive = false) =>
      await found.search(backend, { log, text, regex: false, caseSensitive })
    expect(await find('ls "größe"')).toEqual([3])
    expect(await find('LS "GR')).toEqual([3])
    expect(await find('LS "GR', true)).toEqual([])
    expect(await find('a\nb')).toEqual([4])
    expect(await find('TodoWrite')).toEqual([2, 7])
    expect(await find('nowhere to be found')).toEqual([])
  })

  test('matches regular expressions against lines as written, and rejects invalid ones', async () => {
    const { log } = await opened(file('expression.jsonl', run))
    const find = async (text: string, caseSensitive = false) =>
      await found.search(backend, { log, text, regex: true, caseSensitive })
    expect(await find('"(?:Read|Write)","status":"pending"')).toEqual([2])
    expect(await find('^\\{"TYPE":"user".*\\}$')).toEqual([4, 5])
    expect(await find('^\\{"TYPE":"user".*\\}$', true)).toEqual([])
    await expect(find('(?<=')).rejects.toThrow(/^Invalid regular expression: .+\.$/)
    await expect(find('(?<=')).rejects.toMatchObject({ code: 'bad-params' })
  })

  test('is found by any path to it, and closed', async () => {
    const path = file('same.jsonl', run)
    symlinkSync(path, join(folder, 'link.jsonl'))
    const [one, two] = await Promise.all([opened(path), opened(join(folder, 'link.jsonl'))])
    expect(two.log).toBe(one.log)
    await backend.handlers['log.close']({ log: one.log })
    await expect(backend.handlers['log.columns']({ log: one.log, from: 0, count: 1 })).rejects.toMatchObject({
      code: 'not-open'
    })
    expect((await opened(path)).log).not.toBe(one.log)
  })

  test('is remembered once it is read, with the progress of its todo list', async () => {
    const path = file('remember.jsonl', run)
    await opened(path)
    await expect
      .poll(() => remembered)
      .toMatchObject([
        {
          path,
          name: 'remember.jsonl',
          format: 'claude-stream-json',
          openedAt: 42,
          events: 7,
          todo: { completed: 1, total: 2 }
        }
      ])
  })
})

describe('the list of recent logs', () => {
  /** As the store keeps them: one for each path. */
  async function recentOf(path: string): Promise<RecentLog | undefined> {
    await backend.handlers['recent.list']({})
    return remembered.findLast((log) => log.path === path)
  }

  test('has the current counts of a log that was empty when opened', async () => {
    const path = file('recording.jsonl', '')
    const { log } = await opened(path, 'claude-stream-json')
    await expect.poll(() => recentOf(path)).toMatchObject({ events: 0, malformed: 0, todo: null })
    const openedOnce = remembered.length
    appendFileSync(path, `${run}no record\n`)
    await expect.poll(async () => (await backend.handlers['log.status']({ log })).issues.malformed).toBe(1)
    expect(await recentOf(path)).toMatchObject({ events: 9, malformed: 1, todo: { completed: 1, total: 2 } })
    expect(remembered.length).toBe(openedOnce + 1)
    // What has not changed is not written again.
    await backend.handlers['recent.list']({})
    expect(remembered.length).toBe(openedOnce + 1)
  })

  test.each(['log.close', 'the end of Playhead'])('has them also after %s', async (how) => {
    const path = file('closed.jsonl', '')
    const { log } = await opened(path, 'claude-stream-json')
    await expect.poll(() => remembered.length).toBe(1)
    appendFileSync(path, run)
    await expect.poll(async () => (await backend.handlers['log.status']({ log })).events).toBe(7)
    if (how === 'log.close') await backend.handlers['log.close']({ log })
    else await backend.close()
    expect(remembered.at(-1)).toMatchObject({ path, events: 7, openedAt: 42 })
  })
})

describe('an invalid log', () => {
  const failure = (path: string, format?: string): Promise<HostError> =>
    backend.handlers['log.open']({ path, ...(format === undefined ? {} : { format }) }).then(
      () => Promise.reject(new Error('it was opened')),
      (error: HostError) => error
    )

  test('a missing file, a directory and an unknown format are refused with a message', async () => {
    expect(await failure(join(folder, 'no such file'))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('no such file')
    })
    mkdirSync(join(folder, 'dir'))
    expect(await failure(join(folder, 'dir'))).toMatchObject({
      code: 'not-a-file',
      message: expect.stringContaining('directory')
    })
    expect(await failure(file('f', run), 'cobol')).toMatchObject({
      code: 'bad-params',
      message: expect.stringContaining('claude-transcript')
    })
    expect(await backend.handlers['log.list']({})).toEqual({ logs: [] })
  })

  test('an empty file has no rows', async () => {
    const status = await opened(file('empty.jsonl', ''))
    expect(status).toMatchObject({ phase: 'done', format: null, rows: 0, lines: 0, bytes: 0 })
    expect(status.formatNote).toMatch(/empty/)
    expect(await backend.handlers['log.columns']({ log: status.log, from: 0, count: 5 })).toMatchObject({ count: 0 })
  })

  test('a log of unknown format shows its lines and the reason', async () => {
    const { log, ...status } = await opened(file('other.txt', 'hello\n{"a":1}\n'))
    expect(status).toMatchObject({ phase: 'done', format: null, events: 0, rows: 2, issues: { malformed: 1 } })
    expect(status.formatNote).not.toBe('')
    const { rows } = await backend.handlers['log.rows']({ log, rows: [0, 1] })
    expect(rows.map((row) => row.text)).toEqual(['hello', '{"a":1}'])
  })

  test('a missing row is refused, and the log stays usable', async () => {
    const { log } = await opened(file('range.jsonl', run))
    await expect(backend.handlers['log.rows']({ log, rows: [8] })).rejects.toMatchObject({ code: 'bad-params' })
    await expect(backend.handlers['log.event']({ log, row: 99, limit: 100 })).rejects.toMatchObject({
      code: 'bad-params'
    })
    expect((await backend.handlers['log.rows']({ log, rows: [0] })).rows).toHaveLength(1)
  })

  test('a truncated file is reported', async () => {
    const path = file('shrunk.jsonl', run)
    const { log } = await opened(path)
    writeFileSync(path, 'x')
    await expect(backend.handlers['log.rows']({ log, rows: [7] })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a thread that ends by itself', () => {
  test('leaves a failed log with the reason, which can be opened again', async () => {
    const path = file('crash.jsonl', run)
    let crash: (() => void) | undefined
    const crashing = createBackend({
      createWorker: (options) => {
        const worker = createWorker(options)
        crash = () => void worker.terminate()
        return worker
      },
      facts: { host: 'browser', version: '1', sample: null, drops: null },
      notify: () => {}
    })
    try {
      const { log } = await crashing.handlers['log.open']({ path })
      crash?.()
      await expect.poll(async () => (await crashing.handlers['log.status']({ log })).phase).toBe('failed')
      await expect(crashing.handlers['log.rows']({ log, rows: [0] })).rejects.toMatchObject({ code: 'internal' })
      expect((await crashing.handlers['log.open']({ path })).log).not.toBe(log)
    } finally {
      await crashing.close()
    }
  })
})

describe('the host', () => {
  test('returns its capabilities', async () => {
    expect(await backend.handlers['host.capabilities']({})).toEqual({
      host: 'browser',
      version: '1.2.3',
      openDialog: false,
      drops: '/drops',
      sample: null,
      platform: process.platform,
      runs: false,
      tasks: false,
      exports: false,
      shared: null,
      problems: []
    })
    await expect(backend.handlers['dialog.open']({ what: 'files' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await backend.handlers['recent.list']({})).toEqual({ recent: [] })
  })
})
