import { once } from 'node:events'
import * as fs from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorker } from '#backend/indexer/create-worker.ts'
import type { FeedOutcome, FeedStart } from '#backend/live-runs/feed-messages.ts'
import { GrowingFile } from '#backend/live-runs/growing-file.ts'
import { RebuiltStreams } from '#backend/live-runs/rebuilt-streams.ts'
import { RunFeed } from '#backend/live-runs/run-feed.ts'
import { runFiles } from '#backend/live-runs/run-folder.ts'
import { shrinkStream } from '#backend/live-runs/shrink-stream.ts'
import { writeFailedStream } from '#backend/live-runs/failed-stream.ts'
import { bearer } from '#contract/access.ts'
import { HostError } from '#contract/host-error.ts'
import type { Task } from '#contract/tasks.ts'
import { fakeHandlers } from '../../test/conformance/fake-handlers.ts'
import { EventReader, readEvents } from '../../test/server-sent-events.ts'
import { EventStream } from './event-stream.ts'
import { type Loopback, startLoopback } from './loopback.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-routes-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

let folder: string
let file: string
const streams = new RebuiltStreams(createWorker)
afterAll(() => streams.close())
const open = (): GrowingFile =>
  new GrowingFile(async () => await streams.open(basename(folder), runFiles(root, basename(folder))))
let own: boolean
let isOver: boolean
let listeners: Set<(bytes: number) => void>
let feed: RunFeed | null
let workers: Worker[]
let server: Loopback
const faults: unknown[] = []

const task: Task = {
  id: 'sdk-s-0',
  session_id: 's',
  title: 'One',
  status: 'pending',
  description: null,
  sort_order: 0,
  source: 'sdk',
  created_at: 1,
  updated_at: 1
}

beforeEach(async () => {
  folder = fs.mkdtempSync(join(root, 'run-'))
  file = join(folder, 'stream.sse')
  own = true
  isOver = false
  listeners = new Set()
  feed = null
  workers = []
  faults.length = 0
  server = await startLoopback({
    port: 0,
    root: folder,
    handlers: {
      ...fakeHandlers(),
      'run.list': async () => ({ runs: [], sizes: [], total: 0, bytes: 0, unreadable: [] }),
      'task.list': async ({ session }) => ({ tasks: session === 's' ? [task] : [] })
    },
    runs: {
      stream: async (run) => {
        if (run !== 'r1') throw new HostError('not-found', 'This run no longer exists.')
        return { file, open, own, isOver }
      },
      onStreamed: (_run, listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      }
    },
    onFault: (_what, fault) => faults.push(fault)
  })
})
afterEach(async () => {
  await feed?.close()
  await server.close()
  expect(faults).toEqual([])
})

function feedStart(): FeedStart {
  return {
    run: 'r1',
    folder,
    recording: join(folder, 'stdout.jsonl'),
    format: 'claude-stream-json',
    timeLimitMs: null,
    logs: null,
    tasks: null,
    shrinks: false
  }
}

/** Begins to follow what is written into `stdout.jsonl`, as a host does. */
function startFeed(): RunFeed {
  feed = new RunFeed(
    (options) => {
      const worker = createWorker(options)
      workers.push(worker)
      return worker
    },
    feedStart(),
    {
      facts: () => {},
      tasks: () => {},
      result: () => {},
      streamed: (bytes) => listeners.forEach((listener) => listener(bytes))
    }
  )
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

let lines = 0
const said = (text: string): string =>
  `${JSON.stringify({
    type: 'assistant',
    parent_tool_use_id: null,
    session_id: 's',
    message: { id: `m${lines++}`, role: 'assistant', content: [{ type: 'text', text }] }
  })}\n`
const write = (text: string): void => fs.appendFileSync(join(folder, 'stdout.jsonl'), text)

/** The header of whoever is let in. */
const authorized = (): Record<string, string> => ({ authorization: bearer(server.token) })
const streamPath = '/api/runs/r1/stream'

function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false })
    request.on('error', reject)
    request.on('response', resolve)
    request.end(body)
  })
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function send(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string
): Promise<Answer> {
  const response = await ask(path, headers, method, body)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }
}

/** Reads on from the last event that was whole, and leaves after `bytes`, in the middle of whatever comes. True: the stream has ended. */
async function readSome(reader: EventReader, bytes: number): Promise<boolean> {
  const headers: Record<string, string> = reader.lastId === '' ? {} : { 'last-event-id': reader.lastId }
  const response = await ask(streamPath, { ...authorized(), ...headers })
  if (response.statusCode === 204) return true
  expect(response.statusCode).toBe(200)
  let left = bytes
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response) {
      const taken = (chunk as Buffer).subarray(0, left)
      reader.push(decoder.decode(taken, { stream: true }))
      left -= taken.length
      if (left <= 0) return false
    }
    return true
  } finally {
    response.destroy()
    reader.lose()
  }
}

describe('a run that is written while it is read', () => {
  test.each([
    ['by this host', true],
    ['by another', false]
  ])('%s: a client that goes away at random 100 times has every event once, in order', async (_by, isOwn) => {
    own = isOwn
    lines = 0
    let random = 1
    const below = (most: number): number => (random = (random * 48271) % 2147483647) % most
    startFeed()
    const some = (): string =>
      Array.from({ length: 1 + below(5) }, (_, i) => said(`${i} ${'é'.repeat(below(200))}`)).join('')
    const writing = setInterval(() => write(some()), 1)
    const reader = new EventReader()
    try {
      for (let times = 0; times < 100; times++) {
        if (times % 40 === 39) void workers.at(-1)?.terminate()
        expect(await readSome(reader, 1 + below(times % 3 === 0 ? 20 : 8000))).toBe(false)
      }
    } finally {
      clearInterval(writing)
    }
    await feed?.end(over)
    isOver = true
    const written = readEvents(fs.readFileSync(file, 'utf8'))
    // From here on it is made anew; what was received before goes on all the same.
    expect(await shrinkStream(feedStart())).toBe(true)
    expect(fs.existsSync(file)).toBe(false)
    while (!(await readSome(reader, Math.ceil(fs.statSync(join(folder, 'stdout.jsonl')).size / 20))));
    expect(reader.events).toEqual(written)
    expect(written.filter(({ event }) => event.type === 'text').length).toBe(lines)
    expect(reader.events.at(-1)?.event.type).toBe('done')
    expect(listeners.size).toBe(0)
  })
})

describe('the end of a stream', () => {
  test('who has all of it is told that there is no more, and does not come again', async () => {
    write(said('all'))
    await startFeed().end(over)
    const all = await send(streamPath, authorized())
    const events = readEvents(all.body)
    expect(events.map(({ event }) => event.type)).toEqual(['text', 'done'])
    expect(all.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const [first, last] = events
    expect((await send(streamPath, { ...authorized(), 'last-event-id': last?.id ?? '' })).status).toBe(204)
    // The header says what was received, the address only where it began.
    const rest = await send(`${streamPath}?last_event_id=0`, { ...authorized(), 'last-event-id': first?.id ?? '' })
    expect(readEvents(rest.body)).toEqual([last])
    const fromAddress = await send(`${streamPath}?last_event_id=${first?.id}`, authorized())
    expect(readEvents(fromAddress.body)).toEqual([last])
  })

  test('of a run that failed to start it is the reason', async () => {
    await writeFailedStream(file, 'claude-stream-json', 'It is not installed.')
    isOver = true
    const { body } = await send(streamPath, authorized())
    expect(readEvents(body).map(({ event }) => event)).toMatchObject([
      { type: 'error', data: { message: 'It is not installed.' } },
      { type: 'done', data: { finish_reason: 'error', message: 'It is not installed.' } }
    ])
  })

  test('of a run whose stream was never ended it is what there is', async () => {
    write(said('half'))
    const first = startFeed()
    await vi.waitFor(() => expect(fs.existsSync(file) && fs.statSync(file).size).toBeGreaterThan(0), 60_000)
    await first.close()
    isOver = true
    const { body } = await send(streamPath, authorized())
    const events = readEvents(body)
    expect(events.map(({ event }) => event.type)).toEqual(['text'])
    expect((await send(streamPath, { ...authorized(), 'last-event-id': events[0]?.id ?? '' })).status).toBe(204)
    fs.rmSync(file)
    expect((await send(streamPath, authorized())).status).toBe(204)
  })

  test('what a writer could not finish is not sent', async () => {
    write(said('whole'))
    const first = startFeed()
    await vi.waitFor(() => expect(fs.existsSync(file) && fs.statSync(file).size).toBeGreaterThan(0), 60_000)
    await first.close()
    const { size } = fs.statSync(file)
    fs.appendFileSync(file, `event: text\ndata: {"session_id":"s","track_id":null,"text":"torn"}\nid: ${size + 80}\n\n`)
    const response = await ask(streamPath, authorized())
    const reader = new EventReader()
    response.on('data', (chunk: Buffer) => reader.push(chunk.toString()))
    await vi.waitFor(() => expect(reader.events).toHaveLength(1), 60_000)
    const ended = once(response, 'end')
    await startFeed().end(over)
    await ended
    expect(reader.events.map(({ event }) => event.type)).toEqual(['text', 'done'])
    expect(reader.events).toEqual(readEvents(fs.readFileSync(file, 'utf8')))
  })
})

describe('many clients', () => {
  test('each has all of it; those that vanish leave nothing behind', async () => {
    startFeed()
    write(said('one'))
    const readers = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const response = await ask(streamPath, authorized())
        const reader = new EventReader()
        response.on('data', (chunk: Buffer) => reader.push(chunk.toString()))
        response.on('error', () => {})
        return { response, reader }
      })
    )
    await vi.waitFor(() => readers.forEach(({ reader }) => expect(reader.events).toHaveLength(1)), 60_000)
    expect(listeners.size).toBe(60)
    for (const { response } of readers.slice(0, 30)) response.destroy()
    await vi.waitFor(() => expect(listeners.size).toBe(30), 60_000)
    const ended = readers.slice(30).map(({ response }) => once(response, 'end'))
    write(said('two'))
    await feed?.end(over)
    await Promise.all(ended)
    for (const { reader } of readers.slice(30)) expect(reader.events).toHaveLength(3)
    expect(listeners.size).toBe(0)
  })

  test('one that does not listen is not written to without end, and is let go of when it leaves', async () => {
    write(said('x'.repeat(4 << 20)))
    await startFeed().end(over)
    let taken = 0
    class Deaf extends Writable {
      writeHead(): this {
        return this
      }
      override _write(chunk: Buffer): void {
        // Never says that it is ready for more.
        taken += chunk.length
      }
    }
    const deaf = new Deaf()
    let left = false
    const stream = {
      open,
      isOver: async () => false,
      onGrowth: () => () => {
        left = true
      }
    }
    const sent = new EventStream(stream).sendTo(deaf as Writable as ServerResponse, 0)
    await vi.waitFor(() => expect(deaf.writableNeedDrain).toBe(true), 60_000)
    // What goes on without being asked would go on by now.
    for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(taken + deaf.writableLength).toBeLessThan(1 << 18)
    deaf.destroy()
    await sent
    expect(left).toBe(true)
  })
})

describe('who is let in', () => {
  const paths = [streamPath, '/api/runs', '/api/tasks?session_id=s']

  test.each(paths)('%s: not without the token, nor under another name, nor from another site', async (path) => {
    write(said('secret'))
    await startFeed().end(over)
    const search = path.includes('?') ? '&' : '?'
    const strangers = [
      await send(path),
      await send(path, { authorization: bearer(`${server.token.slice(1)}x`) }),
      await send(path, { authorization: server.token }),
      await send(path, { authorization: `Basic ${btoa(`:${server.token}`)}` }),
      // Once these were ways in.
      await send(`${path}${search}token=${server.token}`),
      await send(path, { cookie: `playhead-${server.port}=${server.token}` }),
      await send(path, { 'sec-websocket-protocol': `playhead, playhead.token.${server.token}` })
    ]
    const others = [
      await send(path, { ...authorized(), host: `evil.example:${server.port}` }),
      await send(path, { ...authorized(), origin: 'http://evil.example' }),
      await send(path, { ...authorized(), origin: `http://127.0.0.1:${server.port + 1}` }),
      await send(path, { ...authorized(), 'sec-fetch-site': 'cross-site' })
    ]
    expect(strangers.map(({ status }) => status)).toEqual(strangers.map(() => 401))
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 403))
    for (const { body } of [...strangers, ...others]) expect(body).not.toMatch(/secret|One/)
    expect((await send(path, { ...authorized(), origin: `http://127.0.0.1:${server.port}` })).status).toBe(200)
  })
})

describe('other requests', () => {
  test('the lists are JSON', async () => {
    const runs = await send('/api/runs', authorized())
    expect(runs.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(runs.body)).toMatchObject({ runs: [], total: 0, bytes: 0 })
    expect((await send('/api/runs?count=5&before=r1', authorized())).status).toBe(200)
    expect((await send('/api/runs?count=many', authorized())).status).toBe(400)
    expect(JSON.parse((await send('/api/tasks?session_id=s', authorized())).body)).toEqual({ tasks: [task] })
    expect(JSON.parse((await send('/api/tasks?session_id=other', authorized())).body)).toEqual({ tasks: [] })
  })

  test('an id that no event has is refused', async () => {
    write(said('one'))
    await startFeed().end(over)
    for (const id of ['x', '-1', '1.5', '1e3', '999999', '7', '9999999999999999']) {
      for (const answer of [
        await send(streamPath, { ...authorized(), 'last-event-id': id }),
        await send(`${streamPath}?last_event_id=${id}`, authorized())
      ]) {
        expect(answer.status).toBe(400)
        expect(answer.body).toMatch(/Unknown event id/)
      }
    }
    expect(listeners.size).toBe(0)
  })

  test('what is not there, not asked well, or not to be done', async () => {
    expect((await send('/api/runs/r2/stream', authorized())).status).toBe(404)
    expect((await send(`/api/runs/${'r'.repeat(65)}/stream`, authorized())).status).toBe(404)
    expect((await send('/api/runs/..%2fr1/stream', authorized())).status).toBe(404)
    expect((await send('/api/runs/r1', authorized())).status).toBe(404)
    expect((await send('/api/tasks', authorized())).status).toBe(400)
    expect((await send(`/api/tasks?session_id=${'s'.repeat(300)}`, authorized())).status).toBe(400)
    for (const path of [streamPath, '/api/runs', '/api/tasks?session_id=s']) {
      const origin = `http://127.0.0.1:${server.port}`
      const posted = await send(path, { ...authorized(), origin, 'content-length': '3' }, 'POST', 'abc')
      expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD'])
      const head = await send(path, authorized(), 'HEAD')
      expect([head.status, head.body]).toEqual([200, ''])
    }
  })

  test('a host without live runs says so', async () => {
    const other = await startLoopback({ port: 0, root: folder, handlers: fakeHandlers(), onFault: () => {} })
    for (const path of ['/api/runs', streamPath, '/api/tasks?session_id=s']) {
      const url = `http://127.0.0.1:${other.port}${path}`
      expect((await fetch(url, { headers: { authorization: bearer(other.token) } })).status).toBe(503)
    }
    await other.close()
  })

  test('closing the server ends the streams', async () => {
    write(said('one'))
    startFeed()
    const response = await ask(streamPath, authorized())
    response.on('error', () => {})
    response.resume()
    const closed = new Promise((resolve) => response.once('close', resolve))
    await server.close()
    await closed
    await vi.waitFor(() => expect(listeners.size).toBe(0), 60_000)
  })
})
