import { MessageChannel } from 'node:worker_threads'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { connectHost } from '#contract/client.ts'
import { memoryTransports } from '../memory-transport.ts'
import { HostError } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import { pageUrl } from '#backend/desktop/page-address.ts'
import { portTransport } from '#contract/port-transport.ts'
import { serveHost } from '#contract/serve.ts'
import type { Transport } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { fakeElectron, FakePageWindow } from './fake-electron.ts'
import { columnsOf, fakeHandlers, statusOf } from './fake-handlers.ts'

/** Both ends of one pipe: the page's and the host's. */
interface Pipe {
  readonly page: Transport
  readonly host: Transport
}

const cleanUps: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

async function memoryPipe(): Promise<Pipe> {
  const [page, host] = memoryTransports()
  return { page, host }
}

async function webSocketPipe(): Promise<Pipe> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  cleanUps.push(() => server.close())
  const accepted = new Promise<Transport>((resolve) => {
    server.once('connection', (socket) => resolve(webSocketTransport(socket)))
  })
  const page = webSocketTransport(new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`))
  cleanUps.push(() => page.close())
  return { page, host: await accepted }
}

async function portPipe(): Promise<Pipe> {
  const { port1, port2 } = new MessageChannel()
  const page = portTransport(port1)
  const host = portTransport(port2)
  cleanUps.push(() => page.close())
  return { page, host }
}

/** Electron's own way: preload, sender checks and ports of `src/`, over an in-memory `electron`. */
async function electronPipe(): Promise<Pipe> {
  const { electron } = fakeElectron()
  vi.resetModules()
  vi.doMock('electron', () => electron)
  const window = new FakePageWindow()
  vi.stubGlobal('window', window)
  const { connectPages } = await import('../../src/main/page.ts')
  const given: Transport[] = []
  connectPages((transport) => given.push(transport))
  await import('../../src/preload/index.ts')
  await new electron.BrowserWindow({ webPreferences: {} }).loadURL(pageUrl)
  const page = portTransport(window.askForPort())
  const [host] = given
  if (!host) throw new Error('no port was given')
  cleanUps.push(() => {
    page.close()
    vi.unstubAllGlobals()
    vi.doUnmock('electron')
  })
  return { page, host }
}

async function failureOf(call: Promise<unknown>): Promise<HostError> {
  const failure = await call.then(
    () => null,
    (error: unknown) => error
  )
  expect(failure).toBeInstanceOf(HostError)
  return failure as HostError
}

describe.each([
  ['memory', memoryPipe],
  ['WebSocket', webSocketPipe],
  ['MessagePort', portPipe],
  ["Electron's ports", electronPipe]
])('contract over %s', (_name, open) => {
  async function connected(handlers = fakeHandlers()): Promise<{ host: Host; pipe: Pipe; faults: unknown[] }> {
    const pipe = await open()
    const faults: unknown[] = []
    serveHost(pipe.host, handlers, (_method, fault) => faults.push(fault))
    return { host: connectHost(pipe.page, { checkResults: true }), pipe, faults }
  }

  test('a call gives the result of its handler', async () => {
    const { host } = await connected()
    expect(await host.call('log.open', { path: '/logs/ünïcode 𝄞.jsonl' })).toEqual(statusOf('/logs/ünïcode 𝄞.jsonl'))
  })

  test('parallel calls get their own answers, in any order', async () => {
    const waiting: (() => void)[] = []
    const { host } = await connected({
      ...fakeHandlers(),
      'log.open': ({ path }) => new Promise((resolve) => waiting.push(() => resolve(statusOf(path))))
    })
    const calls = ['a', 'b', 'c'].map((path) => host.call('log.open', { path }))
    while (waiting.length < 3) await new Promise((resolve) => setImmediate(resolve))
    for (const answer of waiting.reverse()) answer()
    expect((await Promise.all(calls)).map((status) => status.path)).toEqual(['a', 'b', 'c'])
  })

  test('bulk columns arrive as ArrayBuffers with the same bytes', async () => {
    const { host } = await connected()
    const columns = await host.call('log.columns', { log: 'l1', from: 3, count: 5 })
    expect(columns).toEqual(columnsOf(3, 5))
    expect([...new Float64Array(columns.time)]).toEqual([3, 4, 5, 6, 7])
  })

  test('a record that looks like a buffer placeholder stays unchanged', async () => {
    const record = { $buffer: 0, buffers: ['record'], __proto__x: 1 }
    const facts = { model: null, usage: null, exitCode: null, diffs: [], images: 0 }
    const { host } = await connected({
      ...fakeHandlers(),
      'log.event': async ({ row }) => ({
        row,
        event: null,
        record,
        cut: [],
        facts,
        pair: null,
        results: [],
        issues: []
      })
    })
    expect((await host.call('log.event', { log: 'l1', row: 7, limit: 100 })).record).toEqual(record)
  })

  test('a HostError keeps its code and message', async () => {
    const { host, faults } = await connected({
      ...fakeHandlers(),
      'log.open': async () => {
        throw new HostError('not-found', 'There is no file /x.jsonl.')
      }
    })
    const error = await failureOf(host.call('log.open', { path: '/x.jsonl' }))
    expect([error.code, error.message]).toEqual(['not-found', 'There is no file /x.jsonl.'])
    expect(faults).toEqual([])
  })

  test('any other failure is internal, and its message stays in the host', async () => {
    const { host, faults } = await connected({
      ...fakeHandlers(),
      'log.status': async () => {
        throw new TypeError('secret line of a log')
      }
    })
    const error = await failureOf(host.call('log.status', { log: 'l1' }))
    expect(error.code).toBe('internal')
    expect(error.message).not.toContain('secret')
    expect(faults).toEqual([new TypeError('secret line of a log')])
  })

  test('wrong params never reach the handler', async () => {
    let called = false
    const { host } = await connected({
      ...fakeHandlers(),
      'log.open': async ({ path }) => {
        called = true
        return statusOf(path)
      }
    })
    const error = await failureOf(host.call('log.open', { path: 7 as never }))
    expect(error.code).toBe('bad-params')
    expect(error.message).toContain('path')
    expect(called).toBe(false)
  })

  test.each(['log.delete', '__proto__', 'constructor', ''])('unknown method %j', async (method) => {
    const { host } = await connected()
    expect((await failureOf(host.call(method as 'log.list', {}))).code).toBe('unknown-method')
  })

  test('checkResults refuses violations of the contract', async () => {
    const { host } = await connected({
      ...fakeHandlers(),
      'log.list': async () => ({ logs: [{ ...statusOf('a'), bytes: 'many' as never }] })
    })
    expect((await failureOf(host.call('log.list', {}))).message).toContain('log.list breaks the contract')
  })

  test('notices reach every listener until it stops listening', async () => {
    const pipe = await open()
    const served = serveHost(pipe.host, fakeHandlers())
    const host = connectHost(pipe.page, { checkResults: true })
    const heard: string[] = []
    const stop = host.on('log.progress', (status) => heard.push(`first ${status.name}`))
    host.on('log.progress', (status) => heard.push(`second ${status.name}`))
    host.on('log.show', ({ log }) => heard.push(`show ${log}`))
    served.notify('log.progress', statusOf('a'))
    await host.call('host.capabilities', {})
    stop()
    served.notify('log.progress', statusOf('b'))
    served.notify('log.show', { log: 'l1' })
    await host.call('host.capabilities', {})
    expect(heard).toEqual(['first a', 'second a', 'second b', 'show l1'])
  })

  test('closing rejects pending and later calls, and calls listeners once', async () => {
    const { host, pipe } = await connected({ ...fakeHandlers(), 'log.find': () => new Promise(() => {}) })
    let closed = 0
    host.onClose(() => closed++)
    const calls = [1, 2].map(() =>
      failureOf(host.call('log.find', { log: 'l1', text: 'x', regex: false, caseSensitive: false }))
    )
    await host.call('host.capabilities', {})
    pipe.host.close()
    expect((await Promise.all(calls)).map((error) => error.code)).toEqual(['closed', 'closed'])
    expect((await failureOf(host.call('log.list', {}))).code).toBe('closed')
    pipe.page.close()
    expect(closed).toBe(1)
    await new Promise<void>((resolve) => host.onClose(resolve))
  })

  test('an invalid call with an id gets an error; without one it ends the connection', async () => {
    const pipe = await open()
    serveHost(pipe.host, fakeHandlers())
    const answers: unknown[] = []
    const closed = new Promise<void>((resolve) => pipe.page.onClose(resolve))
    pipe.page.onMessage((message) => answers.push(message.body))
    pipe.page.send({ body: { kind: 'shout', id: 4 }, buffers: [] })
    pipe.page.send({ body: { hello: true }, buffers: [] })
    await closed
    expect(answers).toEqual([expect.objectContaining({ kind: 'error', id: 4, code: 'bad-params' })])
  })

  test('a host that does not speak the protocol ends the connection', async () => {
    const pipe = await open()
    const host = connectHost(pipe.page)
    const call = failureOf(host.call('log.list', {}))
    pipe.host.send({ body: { kind: 'result', id: 0, result: [], buffers: [] }, buffers: [] })
    expect((await call).code).toBe('closed')
  })

  test('a result without its buffers is a failure', async () => {
    const pipe = await open()
    const host = connectHost(pipe.page)
    const call = failureOf(host.call('log.raw', { log: 'l1', row: 0, from: 0, count: 1 }))
    pipe.host.send({ body: { kind: 'result', id: 0, result: {}, buffers: ['bytes'] }, buffers: [] })
    expect((await call).code).toBe('internal')
  })
})

test('an invalid frame closes a WebSocket', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  cleanUps.push(() => server.close())
  server.once('connection', (socket) => socket.send('{"cut'))
  const page = webSocketTransport(new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`))
  await new Promise<void>((resolve) => page.onClose(resolve))
  await new Promise<void>((resolve) => page.onClose(resolve))
})

test.each([[null], [7], ['text'], [[]], [{ body: [] }], [{ body: {} }], [{ body: {}, buffers: [1] }]])(
  'a port message %j that is not of the protocol closes the port',
  async (message) => {
    const { port1, port2 } = new MessageChannel()
    const host = portTransport(port2)
    port1.postMessage(message)
    await new Promise<void>((resolve) => host.onClose(resolve))
  }
)
