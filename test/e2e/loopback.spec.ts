import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import Database from 'libsql'
import { WebSocket, WebSocketServer } from 'ws'
import { rpcProtocols } from '#contract/access.ts'
import { letIn } from '../server-access.ts'
import { grid as timeline, open, seriousViolations, slider } from './page-parts.ts'
import { expect, playheadIn, sample, test, withState } from './playhead-server.ts'
import { freePort, stopServer } from './server-port.ts'

// What its process leaves and how it ends are of interest here.
test.use({ ownProcess: true })

test('the page breaks no policy of its own, and asks nothing of anybody else', async ({ page, serve }) => {
  const url = await serve(sample)
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) foreign.push(request.url())
  })
  await page.goto(url)
  await expect(page.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  await expect(page.getByRole('status').first()).toBeVisible()
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('what could not be kept is said on the page by file name, also when that was before it came', async ({
  page,
  serve,
  state
}) => {
  // A folder stands where the file would: nobody can write it, whatever the rights of who runs this.
  mkdirSync(join(state, 'recent-logs.json'), { recursive: true })
  await open(page, await serve(sample))
  const problem = page.getByRole('alert')
  await expect(problem).toContainText(join(state, 'recent-logs.json'))
  expect(await seriousViolations(page, '.banner')).toEqual([])
  await problem.getByRole('button', { name: 'Dismiss' }).click()
  await expect(problem).toHaveCount(0)
})

test('a host of many logs says nothing but its address', async ({ serve, state }) => {
  const logs = Array.from({ length: 14 }, (_, number) => join(state, `${number}.jsonl`))
  mkdirSync(state, { recursive: true })
  for (const log of logs) copyFileSync(sample, log)
  // Its end expects no warning of Node.
  await serve(...logs)
  const { stderr, code } = await playheadIn(withState(state), 'query', ...logs, 'has:error', '--count')
  expect([stderr, code]).toEqual(['', 0])
})

test('an address opens one tab, once; the tab keeps its access, and others are told what to do', async ({
  page,
  context,
  serve,
  another
}) => {
  const url = await serve(sample)
  const { origin } = new URL(url)
  await open(page, url)
  await expect(page).toHaveURL(`${origin}/#path=${encodeURI(sample)}`)
  expect(await page.evaluate(() => [document.cookie, localStorage.length >= 0])).toEqual(['', true])
  await page.reload()
  await expect(timeline(page)).toBeVisible()
  // As a tab that is duplicated: the browser copies what the tab keeps.
  const [copy] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => void window.open('/'))])
  await expect(timeline(copy)).toBeVisible()

  const other = await context.newPage()
  await other.goto(url)
  await expect(other.getByRole('heading', { name: 'This tab has no access to Playhead' })).toBeVisible()
  await expect(other.getByRole('alert')).toContainText('already used')
  await expect(other.getByText('playhead url', { exact: true })).toBeVisible()
  expect(other.url()).toBe(`${origin}/`)
  expect(await seriousViolations(other)).toEqual([])
  // Only its fragment changes: the tab has to notice.
  await other.goto(await another(url))
  await expect(timeline(other)).toBeVisible()
  // What was opened before takes nothing from a tab that has access.
  await other.goto(url)
  await expect(timeline(other)).toBeVisible()

  const bare = await context.newPage()
  await bare.goto(origin)
  await expect(bare.getByRole('heading', { name: 'This tab has no access to Playhead' })).toBeVisible()
  await expect(bare.getByText('playhead url', { exact: true })).toBeVisible()
})

/** Another server of this machine, on any port or a certain one, which keeps all that anybody sends to it. */
async function eavesdropper(port = 0, page = '<p>other</p>') {
  const heard: string[] = []
  const hear = ({ method, url, rawHeaders }: IncomingMessage): void =>
    void heard.push(`${method} ${url}\n${rawHeaders.join('\n')}`)
  const redirects: Record<string, string> = {}
  const server = createServer((request, response) => {
    hear(request)
    const location = redirects[request.url ?? '']
    if (location === undefined) response.setHeader('content-type', 'text/html').end(page)
    else response.writeHead(302, { location }).end()
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, stream, head) => {
    hear(request)
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('message', (message) => heard.push(`message ${String(message)}`))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    heard,
    redirects,
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    }
  }
}

const tokenOf = async (page: Page): Promise<string> =>
  (await page.evaluate(() => sessionStorage.getItem('playhead.token'))) ?? ''

test('another server on this machine is told nothing, and gets nothing', async ({ page, serve, context }) => {
  const url = await serve(sample)
  const { host, origin } = new URL(url)
  await open(page, url)
  const token = await tokenOf(page)
  expect(token).toMatch(/^[\w-]{43}$/)

  const other = await eavesdropper()
  Object.assign(other.redirects, {
    '/to-api': `${origin}/api/runs`,
    '/to-page': `${origin}/`,
    '/to-rpc': `${origin}/rpc`
  })
  const otherOrigin = `http://127.0.0.1:${other.port}`
  try {
    // A page, its favicon, an image, a redirect and a WebSocket, of a browser that has Playhead open.
    const visitor = await context.newPage()
    await visitor.goto(otherOrigin)
    const got = await visitor.evaluate(
      async ({ host, origin, otherOrigin }) => {
        const socket = (address: string, protocols: string[] = []) =>
          new Promise<string>((resolve) => {
            const rpc = new WebSocket(address, protocols)
            rpc.onopen = () => resolve('open')
            rpc.onerror = () => resolve('refused')
          })
        const request = (path: string, options: RequestInit = {}) =>
          fetch(path.startsWith('/') ? `${origin}${path}` : path, { credentials: 'include', ...options }).then(
            (answer) => `${answer.type} ${answer.status}`,
            () => 'refused'
          )
        const element = (name: 'img' | 'script' | 'iframe', src: string) =>
          new Promise<string>((resolve) => {
            const made = document.createElement(name)
            made.onload = () => resolve(`${name} loaded`)
            made.onerror = () => resolve('refused')
            made.src = src
            document.body.append(made)
          })
        const post = { method: 'POST', headers: { authorization: 'Bearer x' } }
        await Promise.all([
          request('/favicon.ico'),
          element('img', `${otherOrigin}/image.png`),
          socket(`ws://${otherOrigin.slice(7)}/rpc`)
        ])
        const popup = window.open(`${origin}/`)
        const peek = async (): Promise<string> => {
          for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 25))
          try {
            return popup === null ? 'refused' : String(popup.sessionStorage.length)
          } catch {
            return 'refused'
          }
        }
        return [
          await socket(`ws://${host}/rpc`),
          await socket(`ws://${host}/rpc`, ['playhead', 'playhead.token.x']),
          await request('/'),
          await request('/', { mode: 'no-cors' }),
          await request('/proof?nonce=aaaaaaaaaaaaaaaaaaaa'),
          await request('/api/runs'),
          await request('/api/runs', { mode: 'no-cors' }),
          await request('/api/token', post),
          await request('/api/code', post),
          await request('/drop/g/x.jsonl', { method: 'PUT', body: 'x' }),
          await request(`${otherOrigin}/to-api`),
          await request(`${otherOrigin}/to-api`, { mode: 'no-cors' }),
          await element('img', `${otherOrigin}/to-page`),
          await element('script', `${origin}/main.js`),
          await peek()
        ]
      },
      { host, origin, otherOrigin }
    )
    expect(got).toEqual(got.map(() => 'refused'))
    await visitor.goto(`${otherOrigin}/to-page`)
    await expect(visitor.getByRole('heading', { name: 'This tab has no access to Playhead' })).toBeVisible()
    // The page that has access leads there, too: as a link of a log would.
    await page.evaluate((to) => void window.open(to), `${otherOrigin}/from-playhead`)
    await expect.poll(() => other.heard.some((each) => each.startsWith('GET /from-playhead'))).toBe(true)

    expect(other.heard.length).toBeGreaterThan(5)
    const heard = other.heard.join('\n')
    for (const secret of [token, url.split('#code=')[1] ?? '', 'playhead.token', host]) {
      const lines = heard.split('\n').filter((line) => line.includes(secret) && !/^https?:/.test(line))
      expect(lines).toEqual([])
    }
    expect(heard).not.toMatch(/cookie|authorization|referer\n.*#/i)

    // What it heard it may send itself, as no browser would: nothing of that opens anything.
    for (const path of ['/api/runs', '/api/tasks?session_id=s', '/api/runs/r/stream', '/rpc', '/drop/x'])
      expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 401])
    const put = await fetch(`${origin}/drop/g/x.jsonl`, { method: 'PUT', body: 'x', headers: { origin } })
    expect([put.status, await put.text()]).toEqual([401, expect.not.stringContaining('path')])
  } finally {
    await other.close()
  }
})

test('a tab goes on where it was when its server is started again on the same port; who has the port meanwhile learns nothing', async ({
  page,
  serve,
  another,
  state
}) => {
  const port = await freePort()
  const url = await serve('--port', String(port), sample)
  await open(page, url)
  const token = await tokenOf(page)
  for (const key of ['p', 'p', 'ArrowRight']) await page.keyboard.press(key)
  const place = await slider(page).getAttribute('aria-valuenow')
  expect(Number(place)).toBeGreaterThan(0)
  expect(place).not.toBe(await slider(page).getAttribute('aria-valuemax'))
  if (process.platform !== 'win32')
    expect(['servers', `servers/${port}.json`].map((path) => statSync(join(state, path)).mode & 0o777)).toEqual([
      0o700, 0o600
    ])

  await stopServer(state, port)
  const other = await eavesdropper(port)
  // It asks again and again who is there.
  await expect.poll(() => other.heard.filter((each) => each.includes('/proof')).length).toBeGreaterThan(1)
  await expect(page.getByRole('alert')).toContainText('has stopped, or was restarted')
  expect(other.heard.join('\n')).not.toContain(token)
  // A browser may ask for the icon again when the place in the address changes.
  const asked = other.heard.filter((each) => !/^GET \/(?:proof\?nonce=|assets\/icon-[\w-]+\.svg\n)/.test(each))
  expect(asked).toEqual([])
  expect(other.heard.join('\n')).not.toMatch(/cookie|authorization|referer\n.*[#?]/i)
  await other.close()

  await serve('--port', String(port))
  await expect(timeline(page)).toBeVisible()
  await expect(slider(page)).toHaveAttribute('aria-valuenow', place ?? '')
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible()
  expect(await tokenOf(page)).toBe(token)

  await stopServer(state, port)
  await serve('--port', String(port), '--new-token', sample)
  await expect(page.getByText('playhead url', { exact: true })).toBeVisible()
  await page.goto(await another(url))
  await expect(timeline(page)).toBeVisible()
  expect(await tokenOf(page)).not.toBe(token)
})

test('what the browser writes into its history opens nothing', async ({ serve }, info) => {
  const url = await serve(sample)
  const { origin } = new URL(url)
  const profile = info.outputPath('profile')
  const context = await chromium.launchPersistentContext(profile, info.project.use.launchOptions)
  const page = context.pages()[0] ?? (await context.newPage())
  await open(page, url)
  const token = await tokenOf(page)
  await page.reload()
  await expect(timeline(page)).toBeVisible()
  await context.close()

  const history = new Database(join(profile, 'Default', 'History'), { readonly: true } as object)
  const rows = history.prepare('SELECT url FROM urls').all() as { url: string }[]
  history.close()
  const urls = rows.map((row) => row.url).filter((each) => each.startsWith(origin))
  // The first address is there, whatever the page does: it has to be worthless.
  expect(urls).toContain(url)
  for (const name of ['History', 'History-journal', 'Favicons', 'Visited Links', 'Top Sites'].map((each) =>
    join(profile, 'Default', each)
  ))
    if (existsSync(name)) expect(readFileSync(name).includes(token), name).toBe(false)
  for (const each of urls) {
    const authorization = `Bearer ${each.split('#code=')[1] ?? ''}`
    const answer = await fetch(`${origin}/api/token`, { method: 'POST', headers: { authorization } })
    expect([each, answer.status]).toEqual([each, 401])
  }
})

test('a server that starts no programs offers none, and refuses whoever asks all the same', async ({ page, serve }) => {
  const url = await serve('--no-runs', sample)
  await open(page, url)
  await expect(page.getByRole('button', { name: 'New run' })).toHaveCount(0)
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { host } = new URL(url)
  const socket = new WebSocket(`ws://${host}/rpc`, rpcProtocols(await tokenOf(page)))
  const answers = new Map<number, unknown>()
  socket.on('message', (message) => {
    const { id, ...answer } = JSON.parse(String(message)) as { id: number }
    answers.set(id, answer)
  })
  await once(socket, 'open')
  const request = {
    agent: 'claude',
    prompt: 'Go',
    cwd: '/',
    model: null,
    mode: null,
    timeLimitMs: null,
    extraArguments: []
  }
  const calls: [string, object][] = [
    ['run.start', { request, confirmed: true }],
    ['agent.setCommand', { agent: 'claude', command: '/bin/true' }],
    ['agent.list', {}],
    ['host.capabilities', {}]
  ]
  calls.forEach(([method, params], id) => socket.send(JSON.stringify({ kind: 'call', id, method, params })))
  await expect.poll(() => answers.size).toBe(4)
  for (const id of [0, 1, 2])
    expect(answers.get(id)).toMatchObject({
      kind: 'error',
      code: 'unavailable',
      message: expect.stringMatching(/--no-runs/)
    })
  expect(answers.get(3)).toMatchObject({ kind: 'result', result: { runs: false, tasks: true } })
  socket.terminate()
})

test('a name of somebody else that leads to this machine (DNS rebinding) gets nothing, token or not', async ({
  serve
}, info) => {
  const address = new URL(await serve(sample))
  const { port, hash } = address
  const { launchOptions } = info.project.use
  const args = [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP rebound.example 127.0.0.1']
  const browser = await chromium.launch({ ...launchOptions, args })
  try {
    const page = await browser.newPage()
    const answer = await page.goto(`http://rebound.example:${port}/${hash}`)
    expect(answer?.status()).toBe(403)
    await expect(page.getByText('from this machine only')).toBeVisible()
    const socket = await page.evaluate(
      ([to = '', ...protocols]) =>
        new Promise<string>((resolve) => {
          const rpc = new WebSocket(to, protocols)
          rpc.onopen = () => resolve('open')
          rpc.onerror = () => resolve('refused')
        }).catch(() => 'refused'),
      [`ws://rebound.example:${port}/rpc`, ...(await letIn(address.href)).protocols]
    )
    expect(socket).toBe('refused')
  } finally {
    await browser.close()
  }
})

test('a file dropped on the page opens', async ({ page, serve }) => {
  await page.goto(await serve())
  // It takes files once it knows what its host can do.
  await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
  const line = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([`${text}\n`], 'dropped run.jsonl'))
    return transfer
  }, line)
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: data })
  }
  await expect(page.getByText('dropped run.jsonl').first()).toBeVisible()
  await expect(page.getByRole('grid', { name: 'Timeline' }).locator('[data-line="1"]').first()).toBeVisible()
})
