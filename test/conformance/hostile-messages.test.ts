import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createBackend, type Backend } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { logId } from '#backend/open-logs.ts'
import { connectHost } from '#contract/client.ts'
import { memoryTransports } from '../memory-transport.ts'
import { errorCodes } from '#contract/host-error.ts'
import { type Host, type MethodName, methods } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { serveHost } from '#contract/serve.ts'
import type { Transport } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { issueCodes } from '#core/formats/issue.ts'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { type RunningServer, startServer } from '#server/server.ts'
import { letIn, type LetIn } from '../server-access.ts'

/** Whatever a page sends, every call has one answer, of the contract; nothing fails inside, and the next page is served. */

const names = Object.keys(methods) as MethodName[]
let folder = ''
let log = ''
let server: RunningServer
let access: LetIn
let backend: Backend
const faults: unknown[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-messages-'))
  mkdirSync(join(folder, 'page'))
  writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html>')
  log = join(folder, 'run.jsonl')
  const todos = [{ content: 'Read', status: 'pending', activeForm: 'Reading' }]
  const call = { type: 'tool_use', id: 't1', name: 'TodoWrite', input: { todos } }
  const records = [
    { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] },
    { type: 'assistant', session_id: 's', message: { role: 'assistant', content: [{ type: 'text', text: 'naïve' }] } },
    { type: 'assistant', session_id: 's', message: { role: 'assistant', content: [call] } }
  ]
  writeFileSync(log, `${records.map((record) => JSON.stringify(record)).join('\n')}\n{"cut`)
  const state = join(folder, 'state')
  const common = {
    ...{ createWorker, state, noRuns: 'Nothing is started here.' },
    cache: join(folder, 'cache')
  }
  server = await startServer({
    ...common,
    port: 0,
    logs: [{ path: log }],
    facts: { version: '1.2.3', sample: null },
    root: join(folder, 'page'),
    onFault: (what, fault) => faults.push([what, fault])
  })
  access = await letIn(server.address())
  backend = createBackend({
    ...common,
    facts: { host: 'electron', version: '1.2.3', sample: null, drops: null, openDialog: async () => [] },
    notify: () => {}
  })
  await backend.handlers['log.open']({ path: log })
})
afterAll(async () => {
  await server.close()
  await backend.close()
  rmSync(folder, { recursive: true })
})

const socketOfPage = (): WebSocket => new WebSocket(access.rpc, access.protocols)

const ways: [string, () => Transport][] = [
  ['the server', () => webSocketTransport(socketOfPage())],
  [
    'memory',
    () => {
      const [page, host] = memoryTransports()
      serveHost(host, backend.handlers, (what, fault) => faults.push([what, fault]))
      return page
    }
  ],
  ['a port', () => portTransport(hostPort())]
]

/** The page's end of a channel whose other end the host serves, as Electron's main process does. */
function hostPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  serveHost(portTransport(port2), backend.handlers, (what, fault) => faults.push([what, fault]))
  return port1
}

/** A page that sends what it likes, and hears all that is said to it. */
class Page {
  readonly answers = new Map<unknown, JsonObject[]>()
  readonly #transport: Transport
  #closed = false
  #wake: () => void = () => {}

  constructor(transport: Transport) {
    this.#transport = transport
    transport.onMessage(({ body }) => {
      if (body['kind'] === 'notice') return
      this.answers.set(body['id'], [...(this.answers.get(body['id']) ?? []), body])
      this.#wake()
    })
    transport.onClose(() => {
      this.#closed = true
      this.#wake()
    })
  }

  send(body: JsonObject): void {
    this.#transport.send({ body, buffers: [] })
  }

  /** Until these ids are answered, or the host has closed. */
  async until(ids: readonly number[]): Promise<void> {
    while (!this.#closed && ids.some((id) => !this.answers.has(id)))
      await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  close(): void {
    this.#transport.close()
  }
}

async function stillServes(): Promise<void> {
  for (const [, open] of ways) {
    const transport = open()
    const host: Host = connectHost(transport, { checkResults: true })
    const { logs } = await host.call('log.list', {})
    expect(logs.map(({ path }) => path)).toContain(log)
    transport.close()
  }
  expect(faults.splice(0)).toEqual([])
}

const extremes = [0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, 5e-324]
const texts = ['', logId(1), '__proto__', 'constructor', '\0', '\ud800', '../../etc/passwd', '(a+)+$', '['.repeat(1000)]
const anything = fc.oneof(
  fc.constantFrom<unknown>(...extremes, ...texts, null, true, false, [], {}),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 200_000 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 1, max: 20_000 }).map((length) => Array.from({ length }, (_, i) => i))
)

/** Values that get past the first look, by the name of the param. */
const plausible: Record<string, fc.Arbitrary<unknown>> = {
  log: fc.constantFrom(logId(1), logId(1), logId(1), logId(2), logId(999), ' '),
  path: fc.oneof(
    fc.constantFrom('/', '.', '..', '/dev/null', '/dev/zero', '\0', 'a\0b', '/proc/self/mem', '$', '$.message'),
    fc.string({ maxLength: 5000 })
  ),
  format: fc.constantFrom('claude-stream-json', 'no such format', '__proto__'),
  row: fc.constantFrom(0, 1, 3, 4, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
  rows: fc.array(fc.constantFrom(0, 1, 2, 3, 4, 2 ** 53 - 1), { minLength: 1, maxLength: 8 }),
  from: fc.constantFrom(-1, 0, 1, 2 ** 31, 2 ** 53 - 1),
  count: fc.constantFrom(1, 2, 200, 200_000, 4_000_000),
  limit: fc.constantFrom(100, 4_000_000),
  direction: fc.constantFrom(1, -1),
  text: fc.constantFrom('naïve', '(', '(a+)+$', '\ud800', 'x'.repeat(1000)),
  regex: fc.boolean(),
  caseSensitive: fc.boolean(),
  as: fc.string({ minLength: 1, maxLength: 60 }),
  find: fc.constantFrom(0, 1, -1, 2 ** 53 - 1),
  code: fc.constantFrom(...Object.keys(issueCodes), '__proto__'),
  bookmarks: fc.constantFrom([], [{ id: 'a' }], null),
  breakpoints: fc.constantFrom([], [{ id: 'a', enabled: true, rule: { type: 'rows' } }])
}

function paramsOf(method: MethodName): fc.Arbitrary<JsonObject> {
  const fields = Object.keys(methods[method].params.shape)
  const likely = fc.record(Object.fromEntries(fields.map((name) => [name, plausible[name] ?? anything])))
  const odd = fc.record(Object.fromEntries(fields.map((name) => [name, anything])), { requiredKeys: [] })
  const mixed = fc
    .tuple(likely, odd, fc.integer({ min: 0, max: Math.max(0, fields.length - 1) }))
    .map(([params, wrong, at]) => ({ ...params, [fields[at] ?? 'more']: wrong[fields[at] ?? ''] ?? null }))
  return fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: mixed }, odd) as fc.Arbitrary<JsonObject>
}

/** A call of each kind, but not one that takes away the log that the others are about. */
const someCall = fc
  .constantFrom(...names)
  .chain((method) => paramsOf(method).map((params): [string, unknown] => [method, params]))
  .filter(([method, params]) => method !== 'log.close' || (params as JsonObject)['log'] !== logId(1))
const oddCall = fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), anything)

function expectAnswer(answers: readonly JsonObject[] | undefined): void {
  expect(answers).toHaveLength(1)
  const answer = answers?.[0] ?? {}
  if (answer['kind'] === 'result') return expect(isJsonObject(answer['result'])).toBe(true)
  expect(answer).toMatchObject({ kind: 'error', message: expect.stringMatching(/\S/) })
  expect(errorCodes.filter((code) => code !== 'internal')).toContain(answer['code'])
}

describe.each(ways)('over %s', (_name, open) => {
  test('every call has one answer, whatever its params', async () => {
    const calls = fc.array(fc.oneof({ weight: 4, arbitrary: someCall }, oddCall), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(calls, async (batch) => {
        const page = new Page(open())
        const ids = batch.map((_, id) => id)
        batch.forEach(([method, params], id) => page.send({ kind: 'call', id, method, params } as JsonObject))
        await page.until(ids)
        for (const id of ids) expectAnswer(page.answers.get(id))
        page.close()
      }),
      { numRuns: 150 }
    )
    await stillServes()
  })

  test.each(names)('%s: wrong, missing and too much is refused, not tried', async (method) => {
    const page = new Page(open())
    const fields = Object.keys(methods[method].params.shape)
    const bad = [null, 7, 'text', [], ...fields.map((name) => ({ [name]: { deep: [] } }))]
    bad.forEach((params, id) => page.send({ kind: 'call', id, method, params } as JsonObject))
    const more = bad.length
    page.send({
      kind: 'call',
      id: more,
      method,
      params: { ...Object.fromEntries(fields.map((f) => [f, {}])), log: '' }
    })
    await page.until([...bad.keys(), more])
    for (const id of bad.keys()) expect(page.answers.get(id)).toMatchObject([{ kind: 'error', code: 'bad-params' }])
    if (fields.length > 0) expect(page.answers.get(more)).toMatchObject([{ kind: 'error', code: 'bad-params' }])
    page.close()
  })

  test('messages that are no calls are answered by their number, or end the conversation', async () => {
    for (const body of [{}, { kind: 'call' }, { kind: 'call', id: null }, { kind: 'result', id: '0' }, { id: [] }]) {
      const page = new Page(open())
      page.send(body)
      await page.until([-1])
      expect([...page.answers]).toEqual([])
    }
    const page = new Page(open())
    const ids = [-1, 0.5, 2 ** 60]
    for (const id of ids) page.send({ kind: 'call', id, method: 'log.list', params: {} })
    await page.until(ids)
    for (const id of ids) expect(page.answers.get(id)).toMatchObject([{ kind: 'error', code: 'bad-params' }])
    page.close()
    await stillServes()
  })

  test('the same number twice is two calls; answers and notices of a page mean nothing', async () => {
    const page = new Page(open())
    for (let i = 0; i < 2; i++) page.send({ kind: 'call', id: 1, method: 'log.list', params: {} })
    page.send({ kind: 'result', id: 1, result: {}, buffers: [] })
    page.send({ kind: 'call', id: 2, method: 'log.list', params: {} })
    await page.until([2])
    expect(page.answers.get(1)?.filter(({ kind }) => kind === 'result')).toHaveLength(2)
    page.close()
    await stillServes()
  })

  test('calls of a log that was closed, before and after, are answered', async () => {
    const path = join(folder, 'closing.jsonl')
    writeFileSync(path, '{"type":"system","subtype":"init","session_id":"s"}\n')
    const page = new Page(open())
    page.send({ kind: 'call', id: 0, method: 'log.open', params: { path } })
    await page.until([0])
    const result = page.answers.get(0)?.[0]?.['result']
    const id = isJsonObject(result) ? (result['log'] ?? '') : ''
    const around = (first: number): number[] => {
      const calls: [string, JsonObject][] = [
        ['log.status', {}],
        ['log.columns', { from: 0, count: 10 }],
        ['log.rows', { rows: [0] }],
        ['log.event', { row: 0, limit: 100 }],
        ['log.find', { text: 's', regex: true, caseSensitive: false }],
        ['log.hits', { find: 1, from: 0, count: 10 }],
        ['review.get', {}],
        ['log.close', {}]
      ]
      calls.forEach(([method, params], i) => {
        page.send({ kind: 'call', id: first + i, method, params: { ...params, log: id } })
      })
      return calls.map((_, i) => first + i)
    }
    const meanwhile = [...around(1), ...around(100)]
    await page.until(meanwhile)
    const after = around(200)
    await page.until(after)
    for (const each of [...meanwhile, ...after]) expectAnswer(page.answers.get(each))
    for (const each of [200, 201, 202]) expect(page.answers.get(each)).toMatchObject([{ code: 'not-open' }])
    page.close()
    await stillServes()
  })

  test('a page that goes while its calls are under way leaves nothing behind', async () => {
    for (let i = 0; i < 20; i++) {
      const page = new Page(open())
      for (let id = 0; id < 50; id++)
        page.send({ kind: 'call', id, method: 'log.columns', params: { log: logId(1), from: 0, count: 200_000 } })
      if (i % 2 === 0) await page.until([0])
      page.close()
      page.send({ kind: 'call', id: 99, method: 'log.list', params: {} })
    }
    await stillServes()
  })
})

describe('a port carries more than JSON', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const values: [string, unknown][] = [
    ['a BigInt', 1n],
    ['a map', new Map([['log', logId(1)]])],
    ['a date', new Date(0)],
    ['what holds itself', cyclic],
    ['bytes', new Uint8Array(8)],
    ['a list of holes', Array.from({ length: 3 }).concat(new Array(1_000_000))],
    ['nothing', undefined],
    ['no number', Number.NaN],
    ['an expression', /(a+)+$/],
    ['an error', new Error('page')]
  ]

  test.each(values)('%s is no param', async (_what, value) => {
    const port = hostPort()
    const page = new Page(portTransport(port))
    port.postMessage({ body: { kind: 'call', id: 0, method: 'log.status', params: { log: value } }, buffers: [] })
    port.postMessage({ body: { kind: 'call', id: 1, method: value, params: {} }, buffers: [] })
    port.postMessage({
      body: { kind: 'call', id: 2, method: 'log.rows', params: { log: logId(1), rows: [value] } },
      buffers: []
    })
    await page.until([0, 1, 2])
    for (const id of [0, 1, 2]) expect(page.answers.get(id)).toMatchObject([{ kind: 'error', code: 'bad-params' }])
    page.close()
    await stillServes()
  })

  test.each(values)('%s as a message ends the conversation', async (_what, value) => {
    const port = hostPort()
    const page = new Page(portTransport(port))
    port.postMessage(value)
    await page.until([0])
    expect([...page.answers]).toEqual([])
    await stillServes()
  })

  test('numbers of calls that are none are answered as they came', async () => {
    const port = hostPort()
    const page = new Page(portTransport(port))
    for (const id of [Number.NaN, Infinity, -0.5])
      port.postMessage({ body: { kind: 'call', id, method: 'log.list', params: {} }, buffers: [] })
    await page.until([Number.NaN, Infinity, -0.5])
    for (const answers of page.answers.values()) expect(answers).toMatchObject([{ code: 'bad-params' }])
    page.close()
  })
})

describe('frames', () => {
  test('any bytes as a frame end the connection, and only that', async () => {
    const frame = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 300 }).filter((text) => !isObject(text)),
      fc.constantFrom('null', '[]', '"', '{"cut', '\ufeff{}', '['.repeat(1_000_000))
    )
    await fc.assert(
      fc.asyncProperty(frame, async (bytes) => {
        const socket = socketOfPage()
        await new Promise((resolve) => socket.once('open', resolve))
        socket.send(bytes)
        await new Promise((resolve) => socket.once('close', resolve))
      }),
      { numRuns: 60 }
    )
    await stillServes()
  })

  test('params nested deeper than any stack are answered', async () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
    const socket = socketOfPage()
    await new Promise((resolve) => socket.once('open', resolve))
    const answered = new Map<unknown, unknown>()
    const done = new Promise<void>((resolve) => {
      socket.on('message', (text) => {
        const { id, kind, code } = JSON.parse(String(text)) as JsonObject
        if (kind !== 'notice') answered.set(id, code ?? kind)
        if (answered.size === 3) resolve()
      })
    })
    const call = (id: number, params: string): void =>
      socket.send(`{"kind":"call","id":${id},"method":"log.status","params":${params}}`)
    call(0, `{"log":"${logId(1)}","more":${deep}}`)
    call(1, `{"log":${deep}}`)
    call(2, deep)
    await done
    expect([...answered].sort()).toEqual([
      [0, 'result'],
      [1, 'bad-params'],
      [2, 'bad-params']
    ])
    socket.terminate()
    await stillServes()
  })

  /** What a browser never sends, after a handshake that is right. */
  const broken: [string, number[]][] = [
    ['a frame that is not masked', [0x81, 0x02, 0x7b, 0x7d]],
    ['reserved bits', [0xf1, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]],
    ['an unknown kind', [0x8b, 0x80, 0, 0, 0, 0]],
    ['a length of 8 EiB', [0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]],
    ['a length of 4 GiB', [0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['a ping in pieces', [0x09, 0x80, 0, 0, 0, 0]],
    ['a ping that is too long', [0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0]],
    ['the end of a message that has no beginning', [0x80, 0x80, 0, 0, 0, 0]],
    ['text that is not UTF-8', [0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]],
    ['a reason that is one byte', [0x88, 0x81, 0, 0, 0, 0, 0x03]]
  ]
  const handshake = (): string =>
    `GET /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Protocol: ${access.protocols.join(', ')}\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

  test.each(broken)('%s ends the connection', async (_what, bytes) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(handshake())
    await new Promise((resolve) => socket.once('data', resolve))
    socket.write(Buffer.from(bytes))
    await new Promise((resolve) => socket.once('close', resolve).resume())
    await stillServes()
  })

  test('a frame that is cut, with the connection or without, harms nobody', async () => {
    const whole = Buffer.from([0x81, 0xfe, 0x01, 0x00, 0, 0, 0, 0, ...Buffer.from('{"kind":"call"')])
    const left = []
    for (let length = 1; length <= whole.length; length++) {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(Buffer.concat([Buffer.from(handshake()), whole.subarray(0, length)]))
      await new Promise((resolve) => socket.once('data', resolve))
      if (length % 2 === 0) socket.destroy()
      else left.push(socket)
    }
    await stillServes()
    for (const socket of left) socket.destroy()
    await stillServes()
  })
})

function isObject(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}
