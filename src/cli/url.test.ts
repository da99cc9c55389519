import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { environment, sink } from '../../test/command-line.ts'
import { letIn } from '../../test/server-access.ts'
import { run } from './run.ts'

let state = ''
let stops: (() => Promise<unknown>)[] = []
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'playhead-url-'))
  stops = []
})
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  rmSync(state, { recursive: true })
})

const variables = (): NodeJS.ProcessEnv => ({ PLAYHEAD_STATE_DIR: state, PLAYHEAD_CACHE_DIR: join(state, 'cache') })
const fileOf = (port: number): string => join(state, 'servers', `${port}.json`)
const kept = (port: number): Record<string, unknown> => JSON.parse(readFileSync(fileOf(port), 'utf8'))

async function playhead(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err] = [sink(), sink()]
  const code = await run(argv, environment({ variables: variables(), stdout: out.stream, stderr: err.stream }))
  return { code, out: out.text(), err: err.text() }
}

/** A server that runs until the test ends, or `stop` is called; `said` is what it said on stderr. */
async function serve(...argv: string[]) {
  const [out, err] = [sink(), sink()]
  let stop = (): void => {}
  const stopped = new Promise<void>((resolve) => (stop = resolve))
  const serving = environment({
    variables: variables(),
    stdout: out.stream,
    stderr: err.stream,
    untilStopped: async () => await stopped
  })
  const ended = run(['serve', '--no-open', ...argv], serving)
  const end = async (): Promise<number> => {
    stop()
    return await ended
  }
  stops.push(end)
  await vi.waitFor(() => expect(out.text()).toMatch(/\n$/), 20_000)
  const address = out.text().trim()
  return { address, port: Number(new URL(address).port), end, said: err.text }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('a new address of the server that runs, as often as one is asked for, and the token', async () => {
  const { address, port } = await serve()
  const addresses = [address]
  for (let i = 0; i < 2; i++) {
    const { code, out, err } = await playhead('url')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#code=[\\w-]{43}\\n$`))
    addresses.push(out.trim())
  }
  expect(new Set(addresses).size).toBe(3)
  const tokens = [...new Set((await Promise.all(addresses.map(letIn))).map(({ token }) => token))]
  expect(await playhead('url', '--token', '--port', String(port))).toEqual({ code: 0, out: `${tokens[0]}\n`, err: '' })
  expect(tokens).toHaveLength(1)
  if (process.platform === 'win32') return
  expect([fileOf(port), join(state, 'servers')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
})

test('where none runs, or several do, it says so and what to do', async () => {
  expect(await playhead('url')).toEqual({
    code: 2,
    out: '',
    err: expect.stringMatching(/no running server .*"playhead serve"/)
  })
  const [one, two] = [await serve(), await serve()]
  const both = await playhead('url')
  expect([both.code, both.out]).toEqual([2, ''])
  for (const { port } of [one, two]) expect(both.err).toContain(`--port ${port} (since `)
  const chosen = await playhead('url', '--port', String(two.port))
  expect(new URL(chosen.out).port).toBe(String(two.port))
  const wrong = await playhead('url', '--port', '1')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining(`--port ${one.port}`) })
  expect(wrong.err).toContain('you have no running server on port 1;')
  expect((await playhead('url', '--port', 'x')).code).toBe(2)
  expect((await playhead('url', 'x')).code).toBe(2)

  await one.end()
  expect(new URL((await playhead('url')).out).port).toBe(String(two.port))
  expect(readdirSync(join(state, 'servers'))).toEqual([`${two.port}.json`])
})

test('on a port of its own a server has the token of the one before, unless a new one is asked for', async () => {
  const port = await freePort()
  const token = async (...more: string[]): Promise<string> => {
    const server = await serve('--port', String(port), ...more)
    const { token: had } = await letIn(server.address)
    await server.end()
    return had
  }
  const first = await token()
  expect(kept(port)['token']).toBe(first)
  expect(await token()).toBe(first)
  const second = await token('--new-token')
  expect(second).not.toBe(first)
  expect(await token()).toBe(second)
  expect((await playhead('url')).err).toMatch(/you have no running server/)
  // What others could have read or written is not trusted.
  if (process.platform !== 'win32') {
    chmodSync(fileOf(port), 0o644)
    expect(await token()).not.toBe(second)
  }
  writeFileSync(fileOf(port), '{"cut', { mode: 0o600 })
  expect(await token()).toMatch(/^[\w-]{43}$/)
  expect(await playhead('serve', '--new-token')).toMatchObject({ code: 2, err: expect.stringContaining('--port') })
})

test('a server that ended without a word is none; a process that has its number now is told apart', async () => {
  const { port, end } = await serve()
  const living = kept(port)
  await end()
  expect(existsSync(fileOf(port))).toBe(false)
  for (const keep of [true, false]) {
    const owner = { ...(living['owner'] as object), startTime: 'another' }
    writeFileSync(fileOf(port), JSON.stringify({ ...living, keep, owner }), { mode: 0o600 })
    expect((await playhead('url')).err).toMatch(/you have no running server/)
    expect(existsSync(fileOf(port))).toBe(keep)
  }
})

test('whoever else has the port now is not told the token', async () => {
  const { port, end } = await serve()
  const living = kept(port)
  await end()
  const heard: string[] = []
  const other = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`)
    response.end('{"proof":"mine"}')
  })
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  writeFileSync(fileOf(port), JSON.stringify(living), { mode: 0o600 })
  for (const more of [[], ['--token']]) {
    const { code, out, err } = await playhead('url', ...more)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('is not the server that was started there')
  }
  expect(heard).toHaveLength(2)
  expect(heard.join()).not.toContain(living['token'])
  other.close()
})

test('where the state folder cannot be written, it serves all the same and says what is lost', async () => {
  writeFileSync(join(state, 'servers'), 'in the way')
  const { address, said } = await serve()
  expect((await letIn(address)).token).toMatch(/^[\w-]{43}$/)
  expect(said()).toMatch(/servers.*cannot be written.*"playhead url" cannot find this server/)
})
