import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { GrowingFile } from '#backend/live-runs/growing-file.ts'
import { connectHost } from '#contract/client.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { fakeHandlers } from '../../test/conformance/fake-handlers.ts'
import { type LetIn, withToken } from '../../test/server-access.ts'
import { DropFolder, dropLimits } from './drop-folder.ts'
import { startLoopback, type Loopback } from './loopback.ts'

const secret = 'what nobody may read'
const maxDropBytes = 1024 * 1024
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-hostile-'))
  // What is dropped on other servers of this machine meanwhile is not seen.
  mkdirSync(join(folder, 'temporary'))
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, join(folder, 'temporary'))
  const root = join(folder, 'page')
  mkdirSync(join(root, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'page-beside'))
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Playhead</title>')
  writeFileSync(join(root, 'assets', 'script.js'), new Uint8Array(32 << 20))
  writeFileSync(join(folder, 'stream.sse'), `: ${'x'.repeat(1 << 20)}\n\n`.repeat(32))
  for (const path of ['secret.js', 'page/.secret.js', 'page/secret.txt', 'page-beside/secret.js'])
    writeFileSync(join(folder, path), secret)
  symlinkSync(join(folder, 'secret.js'), join(root, 'assets', 'linked.js'))
  symlinkSync(folder, join(root, 'assets', 'up'))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

let server: Loopback
const faults: unknown[] = []
const sockets: Socket[] = []
/** A minute for headers: what ends sooner was not ended for them. */
async function start({ headersMs = 60_000, unreadMs = 60_000, handlers = fakeHandlers() } = {}): Promise<void> {
  const onFault = (_what: string, fault: unknown): void => void faults.push(fault)
  const root = join(folder, 'page')
  const drops = new DropFolder({ ...dropLimits, bytes: maxDropBytes })
  const file = join(folder, 'stream.sse')
  const open = (): GrowingFile => new GrowingFile(file)
  const runs = { stream: async () => ({ file, open, own: true, isOver: false }), onStreamed: () => () => {} }
  server = await startLoopback({ port: 0, root, handlers, drops, runs, headersMs, unreadMs, onFault })
}
beforeEach(async () => {
  faults.length = 0
  await start()
})
afterEach(async () => {
  await answers()
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
  expect(faults).toEqual([])
})

const access = (): LetIn => withToken(`127.0.0.1:${server.port}`, server.token)
/** A line of a request. */
const authorization = (): string => `Authorization: ${access().headers.authorization}\r\n`
const offer = (): string => `Sec-WebSocket-Protocol: ${access().protocols.join(', ')}\r\n`
const socketOfPage = (): WebSocket => new WebSocket(access().rpc, access().protocols)

/** The page loads and a call is answered, by connections that are new. */
async function answers(): Promise<void> {
  const page = await raw('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
  expect(page).toMatch(/^HTTP\/1\.1 200 [^]*<title>Playhead/)
  const socket = socketOfPage()
  expect(await connectHost(webSocketTransport(socket)).call('log.list', {})).toEqual({ logs: [] })
  socket.terminate()
}

/** A connection whose end is never closed by us, unless the server has closed it altogether. */
function open(): Socket {
  const socket = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** All that comes back for these bytes. */
async function raw(bytes: string | Buffer): Promise<string> {
  const socket = open()
  socket.write(bytes)
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  socket.destroy()
  return text
}

/** Resolves when the server does not even listen to what we send any more. */
async function untilClosed(socket: Socket): Promise<void> {
  let closed = false
  socket.once('close', () => (closed = true))
  socket.resume()
  while (!closed) {
    if (socket.writable) socket.write('x')
    await sleep(5)
  }
}

describe('paths', () => {
  const paths = [
    '/../secret.js',
    '/assets/../../secret.js',
    '/%2e%2e/secret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/%2E%2E%2f%2E%2E%2fsecret.js',
    '/..%2fsecret.js',
    '/..%5csecret.js',
    '/..\\secret.js',
    '/%252e%252e/secret.js',
    '/....//secret.js',
    '/../page-beside/secret.js',
    '/assets/linked.js',
    '/assets/up/secret.js',
    '/.secret.js',
    '/secret.txt',
    '/secret.js%00.html',
    '/assets/linked.js%00',
    '/%00/../secret.js',
    '//secret.js',
    '/file:///etc/passwd',
    '/C:%5csecret.js',
    '/%c0%ae%c0%ae/secret.js',
    '/%'
  ]
  test.each(paths)('%s leads nowhere', async (path) => {
    for (const shown of ['', authorization()]) {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${shown}Connection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 (403|404) /)
      expect(answer).not.toContain(secret)
    }
  })

  test('nor does one of the folder itself, absolute', async () => {
    for (const path of [join(folder, 'secret.js'), `/${join(folder, 'secret.js')}`]) {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 (403|404) /)
    }
  })
})

describe('invalid requests', () => {
  test.each([
    ['bytes of another protocol', Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3])],
    ['a line that is too long', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ['more headers than anybody sends', `GET / HTTP/1.1\r\nHost: localhost\r\n${'a: b\r\n'.repeat(50_000)}\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    [
      'a length and pieces',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    ],
    ['the address of another server', 'GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n']
  ])('%s', async (_what, bytes) => {
    expect(await raw(bytes)).toMatch(/^$|^HTTP\/1\.1 4\d\d /)
  })

  test.each(['TRACE', 'DELETE', 'POST', 'PUT', 'OPTIONS', 'PATCH'])('%s is refused', async (method) => {
    const bytes = (shown: string): string =>
      `${method} / HTTP/1.1\r\nHost: localhost\r\n${shown}Connection: close\r\n\r\n`
    expect(await raw(bytes(authorization()))).toMatch(/^HTTP\/1\.1 405 /)
    expect(await raw(bytes(''))).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('connections that stay', () => {
  test('the oldest of thousands of silent ones are ended, and the page is served', async () => {
    // Ours stay open, so each costs one descriptor, and those that the server keeps another.
    const count = Math.max(400, Math.min(10_000, descriptors() - 2000))
    let connected = 0
    let ended = 0
    for (let i = 0; i < count; i += 100) {
      const some = Array.from({ length: Math.min(100, count - i) }, () => open())
      for (const socket of some) socket.once('end', () => ended++).resume()
      await Promise.all(
        some.map(
          (socket) =>
            new Promise<void>((resolve) => {
              socket.once('connect', () => resolve(void connected++)).once('close', () => resolve())
            })
        )
      )
    }
    expect(connected).toBeGreaterThan(count / 2)
    await answers()
    while (ended < connected - 400) await sleep(10)
  })

  test('one with endless headers is ended', async () => {
    await server.close()
    await start({ headersMs: 200 })
    const socket = open()
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${authorization()}`)
    const drip = setInterval(() => socket.writable && socket.write('a: b\r\n'), 20)
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve).resume())
    clearInterval(drip)
  })

  test('a refused one is closed completely, even if the client keeps it open', async () => {
    for (const path of ['/api/runs', '/rpc', '/other']) {
      const socket = open()
      const shown = path === '/other' ? offer() : ''
      const upgrade = path === '/api/runs' ? '' : `Connection: Upgrade\r\nUpgrade: websocket\r\n${shown}`
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`)
      await untilClosed(socket)
    }
  })

  test('an invalid handshake ends its connection', async () => {
    for (const header of ['', 'Sec-WebSocket-Key: short\r\n', 'Sec-WebSocket-Version: 99\r\n']) {
      const socket = open()
      const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n${offer()}${header}`
      socket.write(`GET /rpc HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`)
      await untilClosed(socket)
    }
  })

  test('authenticated pages stay, whatever the number of other connections', async () => {
    const page = connectHost(webSocketTransport(socketOfPage()))
    await page.call('log.list', {})
    const strangers = Array.from({ length: 600 }, () => open().resume())
    await Promise.all(
      strangers.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('close', resolve)))
    )
    expect(await page.call('log.list', {})).toEqual({ logs: [] })
  })
})

describe('a body of 1 GB', () => {
  const gigabyte = 1024 ** 3

  /** Sends until the server takes no more; how much it took, and what it said if that arrived. */
  function pour(
    method: string,
    path: string,
    headers: Record<string, string>
  ): Promise<{ sent: number; status: number }> {
    return new Promise((resolve) => {
      let sent = 0
      let status = 0
      const request = httpRequest({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false })
      const piece = Buffer.alloc(1024 * 1024)
      const write = (): void => {
        while (!request.destroyed && sent < gigabyte) {
          sent += piece.length
          if (!request.write(piece)) return
        }
        if (sent >= gigabyte) request.end()
      }
      request.on('drain', write)
      request.on('response', (response) => {
        status = response.statusCode ?? 0
        response.resume().on('error', () => {})
      })
      request.on('error', () => {})
      request.on('close', () => resolve({ sent, status }))
      write()
    })
  }

  test.each([
    ['without the token', 'PUT', '/drop/g/a.jsonl', true],
    ['to /drop, its length said', 'PUT', '/drop/g/a.jsonl', true],
    ['to /drop, in pieces', 'PUT', '/drop/g/a.jsonl', false],
    ['of a GET', 'GET', '/', true],
    ['of a GET, in pieces', 'GET', '/', false],
    ['of a POST', 'POST', '/', true],
    ['for a code', 'POST', '/api/token', true],
    ['for a code, in pieces', 'POST', '/api/token', false],
    ['to /rpc', 'POST', '/rpc', false]
  ])('%s is not taken in', async (what, method, path, saysLength) => {
    const length: Record<string, string> = saysLength
      ? { 'content-length': String(gigabyte) }
      : { 'transfer-encoding': 'chunked' }
    const shown = what === 'without the token' ? {} : access().headers
    const headers = { host: 'localhost', origin: 'http://localhost', ...shown, ...length }
    const { sent, status } = await pour(method, path, headers)
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    expect([0, 401, 405, 413]).toContain(status)
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('playhead-drop-'))
    for (const name of left) expect(existsSync(join(tmpdir(), name, 'g', 'a.jsonl'))).toBe(false)
  })
})

describe('a client that reads nothing', () => {
  const get = 'GET /assets/script.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  /** The server's ends: a client that does not read does not see its own end closed. */
  const accepted: Socket[] = []
  const onAccepted = (message: unknown): void => void accepted.push((message as { socket: Socket }).socket)
  beforeEach(() => {
    accepted.length = 0
    subscribe('net.server.socket', onAccepted)
  })
  afterEach(() => void unsubscribe('net.server.socket', onAccepted))
  const allClosed = async (): Promise<void> => {
    await Promise.all(accepted.map(async (socket) => socket.closed || (await once(socket, 'close'))))
  }

  test('and asks for hundreds of files at once is cut off, and others are answered', async () => {
    const before = process.memoryUsage().rss
    const flooding = Array.from({ length: 20 }, () => {
      const socket = open().pause()
      socket.write(get.repeat(700))
      return socket
    })
    await answers()
    // 14,000 copies of the script would be 437 GB.
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20)
    await allClosed()
    for (const socket of flooding) socket.destroy()
  })

  test('may have eight requests without an answer', async () => {
    const text = await raw(
      `${'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(7)}GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`
    )
    expect(text.match(/<title>Playhead/g)).toHaveLength(8)
  })

  test('of a file, of a stream, or of answers to calls, is dropped', async () => {
    await server.close()
    const bytes = new ArrayBuffer(32 << 20)
    const raw = { file: null, line: 1, offset: 0, length: bytes.byteLength, end: 'lf' as const, bytes }
    // Longer than a busy machine is silent.
    await start({ unreadMs: 5000, handlers: { ...fakeHandlers(), 'log.raw': async () => raw } })
    open().pause().write(get)
    const stream = open()
    stream.write(`GET /api/runs/r1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization()}\r\n`)
    // It has begun, and is read no further.
    await once(stream, 'readable')
    expect(String(stream.read(12))).toBe('HTTP/1.1 200')
    const page = socketOfPage()
    const host = connectHost(webSocketTransport(page))
    await host.call('log.list', {})
    page.pause()
    const lost = host.call('log.raw', { log: 'l1', row: 0, from: 0, count: 1 }).catch((error: unknown) => error)
    await allClosed()
    page.resume()
    expect(await lost).toMatchObject({ code: 'closed' })
  })
})

function descriptors(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const limit = Number(report.userLimits?.open_files?.soft ?? 4096)
  return Number.isFinite(limit) ? limit : 65_536
}
