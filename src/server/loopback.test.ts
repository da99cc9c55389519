import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { proofText } from '#contract/access.ts'
import { connectHost } from '#contract/client.ts'
import type { Handlers } from '#contract/methods.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { fakeHandlers, statusOf } from '../../test/conformance/fake-handlers.ts'
import { type LetIn, letIn, withToken } from '../../test/server-access.ts'
import { DropFolder } from './drop-folder.ts'
import { startLoopback, type Loopback } from './loopback.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'playhead-root-'))
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Playhead</title>')
  writeFileSync(join(root, 'assets', 'index.js'), 'export {}')
})
afterAll(() => rmSync(root, { recursive: true }))

let server: Loopback
const faults: unknown[] = []
async function start(handlers: Handlers = fakeHandlers(), bytes = 1000): Promise<Loopback> {
  const drops = new DropFolder({ bytes, files: 4, groups: 8 })
  return startLoopback({ port: 0, root, handlers, drops, onFault: (_method, fault) => faults.push(fault) })
}
beforeEach(async () => {
  faults.length = 0
  server = await start()
})
afterEach(async () => {
  await server.close()
  expect(faults).toEqual([])
})

/** A raw request: fetch would not let a test choose `Host` and `Origin`. */
function send(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string | Buffer
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: server.port, path, method, headers, agent: false })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() })
      })
    })
    request.end(body)
  })
}

const access = (of = server): LetIn => withToken(`127.0.0.1:${of.port}`, of.token)
const authorized = (): Record<string, string> => access().headers
const origin = (): string => access().origin
/** What is not a file of the page. It is not there, since this host has no runs; without the token not even that is said. */
const runs = '/api/runs'

describe('token', () => {
  test('is 256 random bits, and new for every server', async () => {
    const other = await start()
    expect(Buffer.from(server.token, 'base64url').byteLength * 8).toBe(256)
    expect(other.token).not.toBe(server.token)
    await other.close()
  })

  test.each(['/', '/assets/index.js', '/missing'])("the files of the page are anybody's: %s", async (path) => {
    const answer = await send(path)
    expect(answer.status).toBe(path === '/missing' ? 404 : 200)
    expect(JSON.stringify(answer)).not.toContain(server.token)
  })

  test('without it nothing else is told, not even that it is not there', async () => {
    for (const path of [runs, '/api/nothing', '/api', '/drop/a', '/rpc', '/api/../api/runs']) {
      const answer = await send(path)
      expect([path, answer.status, answer.headers['www-authenticate']]).toEqual([path, 401, 'Bearer'])
      expect(answer.body).toContain('playhead url')
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await send('/', {}, method)).status).toBe(401)
    expect((await send(runs, authorized())).status).toBe(503)
  })

  test('nobody is given a cookie, whatever they have', async () => {
    for (const path of ['/', runs, '/missing', '/assets/index.js'])
      for (const headers of [{}, authorized()])
        expect((await send(path, headers)).headers['set-cookie']).toBeUndefined()
  })
})

describe('codes', () => {
  const exchange = (code: string): Promise<Answer> =>
    send('/api/token', { authorization: `Bearer ${code}`, origin: origin() }, 'POST')
  const codeOf = (address: string): string => new URL(address).hash.replace('#code=', '')

  test('an address stands for the token once, and says nothing of it', async () => {
    const address = server.address()
    expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/#code=[\\w-]{43}$`))
    expect(address).not.toContain(server.token)
    expect(await letIn(address)).toEqual(access())
    const again = await exchange(codeOf(address))
    expect([again.status, again.body]).toEqual([401, expect.stringContaining('Run "playhead url"')])
    expect(again.body).not.toContain(server.token)
  })

  test('of two that come at once one gets it', async () => {
    const code = codeOf(server.address())
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await exchange(code)).status))
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)])
  })

  test('the token gives new ones; a code does not, nor is it the token, nor the token a code', async () => {
    const { body } = await send('/api/code', authorized(), 'POST')
    const { code } = JSON.parse(body) as { code: string }
    expect((await send('/api/code', { authorization: `Bearer ${code}` }, 'POST')).status).toBe(401)
    expect((await send(runs, { authorization: `Bearer ${code}` })).status).toBe(401)
    expect((await exchange(server.token)).status).toBe(401)
    expect(JSON.parse((await exchange(code)).body)).toEqual({ token: server.token })
    expect((await send('/api/code', {}, 'POST')).status).toBe(401)
  })

  test('are asked for as they should be, by nobody else', async () => {
    const authorization = `Bearer ${codeOf(server.address())}`
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' }
    ])
      expect((await send('/api/token', { authorization, ...headers }, 'POST')).status).toBe(403)
    expect((await send('/api/token', { authorization })).status).toBe(405)
    expect((await send('/api/token', { authorization }, 'POST', 'x')).status).toBe(413)
    expect((await send('/api/token', {}, 'POST')).status).toBe(401)
    expect((await send('/api/token', { authorization }, 'POST')).status).toBe(200)
  })

  test('who has the token proves it without showing it', async () => {
    const nonce = 'a'.repeat(32)
    const { body } = await send(`/proof?nonce=${nonce}`)
    const proof = createHmac('sha256', server.token).update(proofText(nonce)).digest('base64url')
    expect(JSON.parse(body)).toEqual({ proof })
    for (const query of ['', '?nonce=', '?nonce=short', `?nonce=${'a'.repeat(65)}`, '?nonce=%20'.repeat(20)])
      expect((await send(`/proof${query}`)).status).toBe(400)
    expect((await send(`/proof?nonce=${nonce}`, { 'sec-fetch-site': 'same-site' })).status).toBe(403)
  })
})

describe('other sites', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '127.0.0.1:9999', 'LOCALHOST:1'])(
    'Host %s is ours, or a tunnel to us',
    async (host) => {
      expect((await send('/', { ...authorized(), host })).status).toBe(200)
    }
  )

  test.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example:80',
    '10.0.0.1',
    '127.0.0.1@evil.example'
  ])('Host %j is refused, token or not (DNS rebinding)', async (host) => {
    expect((await send('/', { ...authorized(), host })).status).toBe(403)
  })

  test.each(['http://evil.example', 'null', 'https://127.0.0.1:1', 'http://127.0.0.1:1'])(
    'Origin %j is refused',
    async (foreign) => {
      expect((await send('/', { ...authorized(), origin: foreign })).status).toBe(403)
    }
  )

  test('Origin has to match Host, whichever port a tunnel uses', async () => {
    expect((await send('/', { ...authorized(), host: 'localhost:9999', origin: 'http://localhost:9999' })).status).toBe(
      200
    )
    expect((await send('/', { ...authorized(), host: 'localhost:9999', origin: origin() })).status).toBe(403)
  })

  test('another server on this machine may link to the page, and load nothing of it', async () => {
    const sameSite = { 'sec-fetch-site': 'same-site' }
    expect(
      (
        await send('/assets/index.js', {
          ...sameSite,
          'sec-fetch-mode': 'no-cors',
          'sec-fetch-dest': 'script'
        })
      ).status
    ).toBe(403)
    expect(
      (await send('/', { ...authorized(), ...sameSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }))
        .status
    ).toBe(403)
    expect(
      (await send('/', { ...authorized(), ...sameSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }))
        .status
    ).toBe(200)
    expect((await send('/', { ...authorized(), 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('every answer, refusals too, carries the security headers', async () => {
    const answers = [await send('/'), await send('/missing'), await send(runs), await send(runs, authorized())]
    answers.push(await send('/', { host: 'evil.example' }), await send('/api/token', {}, 'POST'))
    for (const answer of answers) {
      expect(answer.headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin'
      })
    }
  })
})

describe('files', () => {
  test.each([
    '/../server.ts',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/assets',
    '/missing.js',
    '//x',
    '/%zz',
    '*'
  ])('GET %s finds nothing', async (path) => {
    expect([403, 404]).toContain((await send(path, authorized())).status)
  })

  test('HEAD has no body, other methods are refused', async () => {
    const head = await send('/', {}, 'HEAD')
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', '38'])
    expect((await send('/', authorized(), 'POST')).status).toBe(405)
    expect((await send('/', authorized(), 'PUT')).status).toBe(405)
  })
})

describe('dropped files', () => {
  const drop = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    send(`/drop/${path}`, { ...authorized(), origin: origin(), ...headers }, 'PUT', body)
  const remove = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send(`/drop/${path}`, { ...authorized(), origin: origin(), ...headers }, 'DELETE')
  const pathIn = ({ body }: Answer): string => (JSON.parse(body) as { path: string }).path
  const modeOf = (path: string): number => statSync(path).mode & 0o777

  test('land whole in a private folder and are gone after close', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 239, 187, 191])
    const answer = await drop(`g/${encodeURIComponent('my run ü.jsonl')}`, bytes)
    expect(answer.status).toBe(200)
    const path = pathIn(answer)
    expect(basename(path)).toBe('my run ü.jsonl')
    expect(readFileSync(path)).toEqual(bytes)
    if (process.platform !== 'win32') expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700])
    await server.close()
    expect(existsSync(dirname(dirname(path)))).toBe(false)
    server = await start()
  })

  test('of a group lie as they lay before, and apart from those of others', async () => {
    const main = pathIn(await drop('g/project/a.jsonl', 'main'))
    const agent = pathIn(await drop('g/project/a/subagents/agent-1.jsonl', 'agent'))
    expect(agent).toBe(join(dirname(main), 'a', 'subagents', 'agent-1.jsonl'))
    const other = pathIn(await drop('h/project/a.jsonl', 'other'))
    expect([main, agent, other].map((path) => readFileSync(path, 'utf8'))).toEqual(['main', 'agent', 'other'])
    const again = await drop('g/project/a.jsonl', 'again')
    expect([again.status, readFileSync(main, 'utf8')]).toEqual([409, 'main'])
  })

  test('of a group can be removed, and nothing is added to it any more', async () => {
    const path = pathIn(await drop('g/a/b.jsonl', 'x'))
    const other = pathIn(await drop('h/b.jsonl', 'x'))
    expect((await remove('g/a')).status).toBe(400)
    expect((await remove('nobody')).status).toBe(200)
    expect((await remove('..')).status).not.toBe(200)
    expect(existsSync(path)).toBe(true)
    expect((await remove('g')).status).toBe(200)
    expect([existsSync(dirname(dirname(path))), existsSync(other)]).toEqual([false, true])
    expect((await drop('g/c.jsonl', 'x')).status).toBe(409)
  })

  test.each([
    ['...', 'dropped.jsonl'],
    ['.hidden.jsonl', 'hidden.jsonl'],
    ['a%0Ab%E2%80%AE.jsonl', 'a_b_.jsonl'],
    ['C%3A%5Clogs%5Crun.jsonl', 'C__logs_run.jsonl'],
    ['%zz', '%zz'],
    [encodeURIComponent('𝄞'.repeat(200) + '.jsonl'), '𝄞'.repeat(54) + '.jsonl'],
    ['x'.repeat(230) + '.jsonl', 'x'.repeat(230) + '.jsonl']
  ])('name %s becomes %s', async (name, stored) => {
    const answer = await drop(`g/${name}`, 'x')
    expect([answer.status, basename(pathIn(answer))]).toEqual([200, stored])
  })

  test.each([
    ['no file', 'g'],
    ['no name', 'g/'],
    ['an absolute path', 'g//etc/passwd'],
    ['a folder without a name', 'g/a//b'],
    ['a name that leads up', 'g/..%2F..%2Fetc%2Fpasswd'],
    ['a folder that leads up', 'g/a%2F..%2F..%2Fb/c'],
    ['a slash in a name', 'g/a%2Fb'],
    ['an absolute name', 'g/%2Fetc%2Fpasswd'],
    ['a NUL', 'g/a%00b'],
    ['too many folders', `g/${'a/'.repeat(30)}b`],
    ['a long path', `g/${'x'.repeat(200)}/${'x'.repeat(200)}/${'x'.repeat(200)}/${'x'.repeat(200)}/${'x'.repeat(201)}`],
    ['another name of a group', 'g%20h/a'],
    ['a group that leads up', '..%2Fg/a'],
    ['a group with a long name', `${'g'.repeat(65)}/a`]
  ])('with %s are refused', async (_what, path) => {
    const { status, body } = await drop(path, 'x')
    expect([status, body]).toEqual([400, expect.stringMatching(/not valid|too long/)])
  })

  test('with dots that a URL takes out stay in the folder', async () => {
    for (const path of ['g/../../../etc/passwd', 'g/%2e%2e/%2e%2e/x', 'g/./x'])
      expect((await drop(path, 'x')).body).not.toMatch(/etc|[.][.]/)
  })

  test('need token and origin', async () => {
    expect((await send('/drop/g/a', { origin: origin() }, 'PUT', 'x')).status).toBe(401)
    expect((await send(`/drop/g/a?token=${server.token}`, { origin: origin() }, 'PUT', 'x')).status).toBe(401)
    expect((await send('/drop/g/a', authorized(), 'PUT', 'x')).status).toBe(403)
    expect((await drop('g/a', 'x', { origin: 'http://evil.example' })).status).toBe(403)
    const path = pathIn(await drop('g/a', 'x'))
    expect((await send('/drop/g', { origin: origin() }, 'DELETE')).status).toBe(401)
    expect((await send('/drop/g', authorized(), 'DELETE')).status).toBe(403)
    expect((await remove('g', { origin: 'http://evil.example' })).status).toBe(403)
    expect(existsSync(path)).toBe(true)
  })

  test('are limited in size together, and nothing of a refused one stays', async () => {
    const path = pathIn(await drop('g/a', 'x'.repeat(600)))
    const said = await drop('g/b', 'x'.repeat(1001))
    const refused = await drop('g/b', 'x'.repeat(401), { 'transfer-encoding': 'chunked' })
    for (const { status, body } of [said, refused])
      expect([status, body]).toEqual([413, expect.stringContaining('too large')])
    expect(readdirSync(dirname(path))).toEqual(['a'])
    // What was refused does not count.
    expect((await drop('g/b', 'x'.repeat(400))).status).toBe(200)
  })

  test('are limited in number, and so are groups', async () => {
    const statuses: number[] = []
    for (const name of 'abcde') statuses.push((await drop(`g/${name}`, 'x')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 413])
    for (let group = 1; group < 8; group++) expect((await drop(`g${group}/a`, 'x')).status).toBe(200)
    expect((await drop('g8/a', 'x')).status).toBe(413)
  })
})

describe('/rpc', () => {
  const socketOf = (of = server): WebSocket => new WebSocket(access(of).rpc, access(of).protocols)

  function refusalOf(
    protocols: string[],
    headers: Record<string, string> = {},
    url = access().rpc
  ): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, protocols, { headers })
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      socket.on('open', () => reject(new Error('the connection was accepted')))
      socket.on('error', reject)
    })
  }

  test('answers calls and sends every notice to every page', async () => {
    const hosts = [1, 2].map(() => connectHost(webSocketTransport(socketOf()), { checkResults: true }))
    const heard = hosts.map((host) => new Promise((resolve) => host.on('log.show', resolve)))
    const statuses = await Promise.all(hosts.map((host) => host.call('log.open', { path: '/a.jsonl' })))
    expect(statuses).toEqual([statusOf('/a.jsonl'), statusOf('/a.jsonl')])
    server.notify('log.show', { log: 'l1' })
    expect(await Promise.all(heard)).toEqual([{ log: 'l1' }, { log: 'l1' }])
  })

  test('is refused at the upgrade without token, from another site, and at another path', async () => {
    const { rpc, protocols, token } = access()
    for (const offered of [
      [],
      ['playhead'],
      ['playhead', 'playhead.token.wrong'],
      [`playhead.token.${token}`],
      [token],
      ['playhead', 'playhead.token.wrong', `playhead.token.${token}`]
    ])
      expect([offered, await refusalOf(offered)]).toEqual([offered, 401])
    expect(await refusalOf([], authorized())).toBe(401)
    expect(await refusalOf([], { cookie: `playhead-${server.port}=${token}` })).toBe(401)
    expect(await refusalOf([], {}, `${rpc}?token=${token}`)).toBe(401)
    expect(await refusalOf(protocols, { origin: 'http://evil.example' })).toBe(403)
    expect(await refusalOf(protocols, { host: 'evil.example' })).toBe(403)
    expect(await refusalOf(protocols, {}, rpc.replace('/rpc', '/other'))).toBe(404)
  })

  test('answers with its own name, and not with the token', async () => {
    const socket = socketOf()
    const [response] = (await once(socket, 'upgrade')) as [IncomingMessage]
    expect(response.headers['sec-websocket-protocol']).toBe('playhead')
    expect(JSON.stringify(response.rawHeaders)).not.toContain(server.token)
    socket.terminate()
  })

  test('a call over 16 MiB ends the connection', async () => {
    const socket = socketOf()
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    socket.send('x'.repeat(16 * 1024 * 1024 + 1))
    expect(await closed).toBe(1009)
  })

  test('a page that takes no answers is not served further, and loses none of them', async () => {
    const size = 1024 * 1024
    let called = 0
    const slow = await start({
      ...fakeHandlers(),
      'log.raw': async ({ row }) => {
        called++
        return { file: null, line: row, offset: 0, length: size, end: 'lf', bytes: new ArrayBuffer(size) }
      }
    })
    const socket = socketOf(slow)
    const host = connectHost(webSocketTransport(socket))
    await host.call('log.list', {})
    socket.pause()
    // All together more than the limit at which a page is cut off.
    const calls = Array.from({ length: 400 }, (_, row) => host.call('log.raw', { log: 'l1', row, from: 0, count: 1 }))
    const other = connectHost(webSocketTransport(socketOf(slow)))
    for (let i = 0; i < 50; i++) await other.call('log.list', {})
    expect(called).toBeLessThan(100)
    socket.resume()
    expect((await Promise.all(calls)).map((raw) => raw.line)).toEqual(calls.map((_, row) => row))
    expect(called).toBe(400)
    await slow.close()
  })

  test('close ends the connections', async () => {
    const host = connectHost(webSocketTransport(socketOf()))
    await host.call('log.list', {})
    const closed = new Promise<void>((resolve) => host.onClose(resolve))
    await server.close()
    await closed
    server = await start()
  })
})

describe('port', () => {
  test('one that is taken is a clear error', async () => {
    const start = startLoopback({ port: server.port, root, handlers: fakeHandlers(), onFault: () => {} })
    await expect(start).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(`Port ${server.port} is in use`)
    })
  })

  test('nothing listens but 127.0.0.1', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const addresses = [
      '::1',
      ...others.filter((face) => !face.internal && face.family === 'IPv4').map((face) => face.address)
    ]
    for (const host of addresses) {
      const reached = await new Promise((resolve) => {
        const socket = connect({ host, port: server.port })
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
        socket.on('close', () => socket.destroy())
      })
      expect([host, reached]).toEqual([host, false])
    }
  })

  test('a port that was closed can be had again', async () => {
    const probe = createServer()
    const port = await new Promise<number>((resolve) =>
      probe.listen(0, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port))
    )
    await new Promise((resolve) => probe.close(resolve))
    const again = await startLoopback({ port, root, handlers: fakeHandlers(), onFault: () => {} })
    expect(again.port).toBe(port)
    await again.close()
  })
})
