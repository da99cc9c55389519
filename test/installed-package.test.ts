import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TaskStore } from '#backend/tasks/task-store.ts'
import { type LocalRegistry, serveRegistry } from './local-registry.ts'
import { letIn } from './server-access.ts'

/** `npm pack`, and `npm install` of what that gives in an empty folder: what a person gets who has no checkout. */

const repository = join(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
const isWindows = process.platform === 'win32'
let folder = ''
let sample = ''
let registry: LocalRegistry

beforeAll(async () => {
  expect(existsSync(join(repository, 'out/shared/page.js')), 'npm run build first').toBe(true)
  // A folder that has spaces and letters of its own in its name, as people have.
  folder = mkdtempSync(join(tmpdir(), 'playhead installed ünï-'))
  sample = join(folder, 'node_modules/playhead/resources/sample-run.jsonl')
  registry = await serveRegistry(join(repository, 'node_modules'))
  const packed = await npm(repository, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--registry', registry.url, '--cache', join(folder, 'npm-cache'), '--no-audit', '--no-fund']
  await npm(folder, 'install', ...options, `./${filename}`)
})
afterAll(async () => {
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, code } = await finish('npm', args, cwd)
  expect([args[0], code], stderr).toEqual([args[0], 0])
  return stdout
}

interface Finished {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

async function finish(command: string, args: readonly string[], cwd: string, input = ''): Promise<Finished> {
  const child = spawn(command, args, { cwd, env: environment(), shell: isWindows })
  child.stdin.end(input)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { stdout, stderr, code }
}

/** Nothing of the checkout's own run: npm hands its settings down in the environment. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|DISPLAY|WAYLAND_DISPLAY)/i.test(name)
  )
  const state = join(folder, 'state')
  return { ...Object.fromEntries(own), PLAYHEAD_STATE_DIR: state, PLAYHEAD_CACHE_DIR: join(folder, 'cache') }
}

const command = (): string => join(folder, 'node_modules', '.bin', isWindows ? 'playhead.cmd' : 'playhead')
/** Runs the installed command in a folder that is neither the package nor the checkout. */
const playhead = (...args: string[]): Promise<Finished> => finish(command(), args, tmpdir())

test('has what it needs and nothing of the checkout', () => {
  const installed = join(folder, 'node_modules/playhead')
  for (const path of [
    'out/main/cli.js',
    'out/main/hook.js',
    'out/renderer/index.html',
    'out/shared/page.js',
    'out/core/index.d.ts',
    'LICENSE'
  ])
    expect([path, existsSync(join(installed, path))]).toEqual([path, true])
  for (const path of ['src', 'test', 'node_modules', 'out/types', 'out/packages', 'packaging'])
    expect([path, existsSync(join(installed, path))]).toEqual([path, false])
})

test('--version and --help', async () => {
  expect(await playhead('--version')).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 })
  const help = await playhead('--help')
  expect([help.code, help.stderr]).toEqual([0, ''])
  for (const name of ['open', 'serve', 'url', 'run', 'check', 'export', 'todos', 'stats', 'hook'])
    expect(help.stdout).toContain(`playhead ${name === 'open' ? '[open]' : name}`)
})

test('check', async () => {
  // The sample has a line of each kind that is wrong.
  expect(await playhead('check', sample)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('sample-run.jsonl')
  })
  const json = JSON.parse((await playhead('check', sample, '--json')).stdout) as object
  expect(json).toHaveProperty('issues')
  const bad = join(folder, 'bad.jsonl')
  writeFileSync(bad, `${readFileSync(sample, 'utf8').split('\n', 1)[0]}\n{"cut`)
  expect((await playhead('check', bad)).code).toBe(1)
  expect(await playhead('check', join(folder, 'missing.jsonl'))).toMatchObject({ code: 2, stdout: '' })
})

test('export, to all that it can write', async () => {
  const jsonl = await playhead('export', sample)
  expect([jsonl.code, jsonl.stderr]).toEqual([0, ''])
  const events = jsonl.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
  expect(events[0]?.type).toBe('session.started')
  expect(events.some(({ type }) => type === 'todo_list')).toBe(true)
  const md = await playhead('export', sample, '--to', 'md')
  expect([md.code, md.stdout.startsWith('# ')]).toEqual([0, true])
  const page = join(folder, 'run.html')
  expect((await playhead('export', sample, '--to', 'html', '-o', page)).code).toBe(0)
  expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>[^]*Content-Security-Policy[^]*<script/i)
})

test('todos and stats', async () => {
  const todos = await playhead('todos', sample, '--json')
  expect(todos.code).toBe(0)
  for (const line of todos.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('items')
  expect((await playhead('todos', sample)).stdout).toMatch(/\S/)
  const stats = JSON.parse((await playhead('stats', sample, '--json')).stdout) as { events: unknown }
  expect(stats.events).toBeTruthy()
  expect((await playhead('stats', sample)).code).toBe(0)
})

test('hook: the tool result of a session is stored, with SQLite for this platform', async () => {
  const call = { session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't' }
  const input = JSON.stringify({ ...call, tool_response: { stdout: 'out', stderr: '' } })
  expect(await finish(command(), ['hook'], tmpdir(), input)).toEqual({ stdout: '', stderr: '', code: 0 })
  const store = await TaskStore.open(join(folder, 'state', 'tasks.db'))
  expect(store.result('s', 't')).toMatchObject({ content: 'out', source: 'hook' })
  store.close()
  const installed = await playhead('hook', '--install', '--project', folder)
  expect([installed.code, installed.stdout]).toEqual([0, ''])
  const settings = readFileSync(join(folder, '.claude', 'settings.local.json'), 'utf8')
  expect(settings).toContain(join('node_modules', 'playhead', 'bin', 'playhead.js'))
  expect((await playhead('hook', '--uninstall', '--project', folder)).code).toBe(0)
})

test('a platform that has no SQLite: the hook says so and ends well, all else works', async () => {
  const native = join(folder, 'node_modules', '@libsql')
  renameSync(native, `${native}-away`)
  try {
    const input = JSON.stringify({
      session_id: 's',
      hook_event_name: 'PostToolUse',
      tool_use_id: 't',
      tool_response: ''
    })
    const hook = await finish(command(), ['hook'], tmpdir(), input)
    expect(hook).toMatchObject({ stdout: '', code: 0, stderr: expect.stringContaining('SQLite is not installed for') })
    expect((await playhead('stats', sample)).code).toBe(0)
    await visit(['serve', '--no-open', sample], expectPage)
  } finally {
    renameSync(`${native}-away`, native)
  }
})

/** Starts what serves, looks at what it serves, and ends it as a person would. */
async function visit(args: readonly string[], visited: (line: string) => Promise<void>): Promise<void> {
  const child = spawn(command(), args, {
    cwd: tmpdir(),
    env: environment(),
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  for await (const line of createInterface({ input: child.stdout })) {
    await visited(line)
    child.kill('SIGTERM')
  }
  const [code] = await closed
  if (!isWindows) expect(code).toBe(0)
}

async function expectPage(address: string): Promise<void> {
  const page = await fetch(address)
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('<title>Playhead')])
  const { origin, headers } = await letIn(address)
  expect((await fetch(`${origin}/api/tasks`, { headers })).status).not.toBe(401)
  const assets = [...html.matchAll(/(?:src|href)="\.?(\/[^"]+)"/g)].map(([, path]) => path)
  expect(assets.length).toBeGreaterThan(1)
  for (const path of assets) expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 200])
}

test('serve: its address is the page', async () => {
  await visit(['serve', '--no-open', sample], async (line) => await expectPage(line))
})

test('open, where no window can be: one line says why, and where the page is', async () => {
  mkdirSync(join(folder, 'elsewhere'))
  await visit(['open', '--no-open', sample], async (line) => {
    const [, why, address] =
      /^Playhead runs in the browser, because (.+): (http:\/\/127\.0\.0\.1:\S+)$/.exec(line) ?? []
    expect(why).toMatch(/display|Electron/)
    await expectPage(address ?? '')
  })
})

test('the library, with its types', async () => {
  const code =
    "import { CodexParser, soloTeam } from 'playhead'; console.log(typeof new CodexParser('a', soloTeam('a', 'A')).flush)"
  expect(await finish(process.execPath, ['--input-type=module', '-e', code], folder)).toEqual({
    stdout: 'function\n',
    stderr: '',
    code: 0
  })
})
