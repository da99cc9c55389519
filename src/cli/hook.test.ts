import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hookResult } from '#core/formats/claude/hook-result.ts'
import { maxResultLength, TaskStore } from '#backend/tasks/task-store.ts'
import { bundleForNode } from '../../test/node-worker-plugin.ts'
import { environment, sink } from '../../test/command-line.ts'
import { run } from './run.ts'

const root = mkdtempSync(join(tmpdir(), 'playhead-hook-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
let folder: string
beforeEach(() => {
  folder = join(root, String(count++))
  mkdirSync(folder)
})

const given = {
  session_id: 's',
  transcript_path: '/home/me/.claude/projects/-w/s.jsonl',
  cwd: '/w',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_response: { stdout: 'a', stderr: '', interrupted: false, isImage: false },
  tool_use_id: 'toolu_1'
}
const todoCall = (todos: unknown) => ({
  ...given,
  tool_name: 'TodoWrite',
  tool_use_id: 'toolu_2',
  tool_input: { todos },
  tool_response: { oldTodos: [], newTodos: todos }
})

/** `playhead hook` with what is on its stdin; gives what it says. It always ends with 0. */
async function hook(input: unknown, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const bytes = Buffer.isBuffer(input) ? input : Buffer.from(JSON.stringify(input))
  // In pieces, as a pipe gives it.
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
    bytes.subarray(i * 65_536, (i + 1) * 65_536)
  )
  const [out, err] = [sink(), sink()]
  const code = await run(
    ['hook'],
    environment({
      stdin: Readable.from(pieces),
      stdout: out.stream,
      stderr: err.stream,
      variables: { PLAYHEAD_STATE_DIR: join(folder, 'state'), ...variables }
    })
  )
  expect([code, out.text()]).toEqual([0, ''])
  return err.text()
}

describe('in a run that Playhead started', () => {
  const lines = (): Record<string, unknown>[] =>
    readFileSync(join(folder, 'hooks.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const live = (): NodeJS.ProcessEnv => ({ PLAYHEAD_HOOKS: join(folder, 'hooks.jsonl') })

  test('appends a line: when, how long the recording was, and what there is to know', async () => {
    const recording = join(folder, 'elsewhere.jsonl')
    writeFileSync(recording, 'x'.repeat(77))
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ recording }))
    expect(await hook(given, live())).toBe('')
    expect(await hook(todoCall([{ content: 'a' }]), live())).toBe('')
    const { transcript_path: _path, cwd: _cwd, tool_input: _input, ...kept } = given
    expect(lines()[0]).toEqual({ at: Date.UTC(2026, 0, 2), stdoutBytes: 77, hook: kept })
    expect(hookResult(lines()[1]?.['hook'] as never)?.todos).toEqual([{ content: 'a' }])
    if (process.platform !== 'win32') expect(statSync(join(folder, 'hooks.jsonl')).mode & 0o777).toBe(0o600)
  })

  test('without a manifest that says where the recording is, it is left out', async () => {
    await hook(given, live())
    writeFileSync(join(folder, 'run.json'), '{"recording": 7}')
    await hook(given, live())
    expect(lines().map((line) => Object.keys(line))).toEqual([
      ['at', 'hook'],
      ['at', 'hook']
    ])
  })

  test('a long result is cut, and said to have been longer', async () => {
    const stdout = 'x'.repeat(5_000_000)
    await hook({ ...given, tool_response: { stdout, stderr: '' } }, live())
    await hook({ ...given, tool_response: { success: false, content: stdout } }, live())
    await hook({ ...given, hook_event_name: 'PostToolUseFailure', error: stdout }, live())
    expect(statSync(join(folder, 'hooks.jsonl')).size).toBeLessThan(8_000_000)
    const results = lines().map((line) => hookResult(line['hook'] as never)?.result)
    expect(results.map((result) => result?.isError)).toEqual([false, true, true])
    for (const result of results) expect(result?.content.length).toBeGreaterThan(maxResultLength)
  })

  test('no database is needed', async () => {
    await hook(given, live())
    expect(() => statSync(join(folder, 'state'))).toThrow('ENOENT')
  })

  test('where the file cannot be written, it says so', async () => {
    expect(await hook(given, { PLAYHEAD_HOOKS: join(folder, 'gone', 'hooks.jsonl') })).toContain(
      'hooks.jsonl cannot be written: its folder does not exist.'
    )
  })
})

describe('in an interactive session', () => {
  async function stored<T>(look: (store: TaskStore) => T): Promise<T> {
    const store = await TaskStore.open(join(folder, 'state', 'tasks.db'))
    try {
      return look(store)
    } finally {
      store.close()
    }
  }

  test('stores the result and the todo list', async () => {
    expect(await hook(given)).toBe('')
    expect(await hook(todoCall([{ content: 'a', status: 'completed', activeForm: 'Doing a' }]))).toBe('')
    expect(await stored((store) => store.result('s', 'toolu_1'))).toMatchObject({ content: 'a', source: 'hook' })
    expect(await stored((store) => store.tasks('s'))).toMatchObject([
      { id: 'sdk-s-0', title: 'a', status: 'completed', description: 'Doing a' }
    ])
  })

  test('Task tools too, one call after the other', async () => {
    const task = (tool_name: string, tool_input: object, tool_response: object) => ({
      ...given,
      tool_name,
      tool_input,
      tool_response
    })
    await hook(task('TaskCreate', { subject: 'a' }, { task: { id: '1', subject: 'a' } }))
    await hook(task('TaskCreate', { subject: 'b' }, { task: { id: '2', subject: 'b' } }))
    const statusChange = { from: 'pending', to: 'completed' }
    await hook(task('TaskUpdate', {}, { success: true, taskId: '1', updatedFields: ['status'], statusChange }))
    expect((await stored((store) => store.tasks('s'))).map((each) => [each.title, each.status])).toEqual([
      ['a', 'completed'],
      ['b', 'pending']
    ])
  })

  test('another event of Claude Code is none of its business', async () => {
    expect(await hook({ ...given, hook_event_name: 'Stop' })).toBe('')
    expect(() => statSync(join(folder, 'state'))).toThrow('ENOENT')
  })

  test('a database that cannot be used is said, and no more', async () => {
    writeFileSync(join(folder, 'state'), '')
    expect(await hook(given)).toMatch(/^playhead: Tasks cannot be kept: .*\n$/)
  })
})

test('any bytes: never a failure, and nothing of them is said', async () => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('secret'),
    Buffer.from('null'),
    Buffer.from([0xff, 0xfe, 0, 0x7b])
  ]) {
    const said = await hook(bytes)
    expect(said).toContain('not a JSON object')
    expect(said).not.toContain('secret')
  }
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      expect(await hook(Buffer.from(bytes))).toContain('playhead: ')
    }),
    { numRuns: 50 }
  )
})

test('more than any tool gives is left out', async () => {
  expect(await hook(Buffer.alloc((64 << 20) + 1, '['))).toContain('longer than 64 MiB')
})

test('nested without end', async () => {
  const depth = 200_000
  const text = `{"session_id":"s","hook_event_name":"PostToolUse","tool_use_id":"t","tool_response":${'['.repeat(depth)}${']'.repeat(depth)}}`
  await hook(Buffer.from(text), { PLAYHEAD_HOOKS: join(folder, 'hooks.jsonl') })
  await hook(Buffer.from(text))
})

test('the program: many at once give a line each, and it ends with 0 whatever it is given', async () => {
  const program = await bundleForNode(join(import.meta.dirname, 'hook-program.ts'), root)
  const hooks = join(folder, 'hooks.jsonl')
  const start = (input: string, variables: NodeJS.ProcessEnv): Promise<unknown[]> =>
    new Promise((resolve) => {
      const env = { ...process.env, PLAYHEAD_STATE_DIR: join(folder, 'state'), ...variables }
      const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
      let said = ''
      child.stdout.on('data', (data) => (said += String(data)))
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      child.on('close', (code, signal) => resolve([code, signal, said]))
    })
  const long = 'x'.repeat(300_000)
  const calls = Array.from({ length: 10 }, (_, i) =>
    start(JSON.stringify({ ...given, tool_use_id: `t${i}`, tool_response: long }), { PLAYHEAD_HOOKS: hooks })
  )
  for (const ended of await Promise.all(calls)) expect(ended).toEqual([0, null, ''])
  const tools = readFileSync(hooks, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { hook: { tool_use_id: string } }).hook.tool_use_id)
  expect(tools.sort()).toEqual(Array.from({ length: 10 }, (_, i) => `t${i}`))
  expect(await start('no JSON', {})).toEqual([0, null, ''])
  expect(await start(JSON.stringify(given), { PLAYHEAD_HOOKS: join(folder, 'gone', 'x') })).toEqual([0, null, ''])
})

describe('--install and --uninstall', () => {
  async function playhead(...argv: string[]): Promise<{ code: number; err: string }> {
    const err = sink()
    const variables = { CLAUDE_CONFIG_DIR: join(folder, 'home') }
    const code = await run(argv, environment({ stderr: err.stream, variables, root: '/opt/playhead' }))
    return { code, err: err.text() }
  }

  test('of a project: the settings that are not shared', async () => {
    const file = join(folder, '.claude', 'settings.local.json')
    const installed = await playhead('hook', '--install', '--project', folder)
    expect(installed).toEqual({ code: 0, err: expect.stringContaining(file) })
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: { PostToolUse: { hooks: { command: string }[] }[] }
    }
    expect(hooks.PostToolUse[0]?.hooks[0]?.command).toMatch(/ \S*playhead\.js'? hook$/)
    expect((await playhead('hook', '--install', '--project', folder)).err).toContain('already')
    expect((await playhead('hook', '--uninstall', '--project', folder)).err).toContain('was deleted')
    expect(() => statSync(file)).toThrow('ENOENT')
    expect((await playhead('hook', '--uninstall', '--project', folder)).err).toContain('no Playhead hook was found')
  })

  test('of a project: also out of the shared settings, where somebody put it', async () => {
    mkdirSync(join(folder, '.claude'))
    const file = join(folder, '.claude', 'settings.json')
    const hooks = [{ hooks: [{ type: 'command', command: 'playhead hook' }] }]
    writeFileSync(file, JSON.stringify({ model: 'm', hooks: { PostToolUse: hooks } }))
    await playhead('hook', '--uninstall', '--project', folder)
    expect(readFileSync(file, 'utf8')).toBe('{"model":"m"}')
  })

  test('of a person: the settings of all projects', async () => {
    await playhead('hook', '--install', '--user')
    expect(readFileSync(join(folder, 'home', 'settings.json'), 'utf8')).toContain('PostToolUse')
    await playhead('hook', '--uninstall', '--user')
    expect(() => statSync(join(folder, 'home', 'settings.json'))).toThrow('ENOENT')
  })

  test('settings that are no JSON: refused', async () => {
    mkdirSync(join(folder, '.claude'))
    writeFileSync(join(folder, '.claude', 'settings.local.json'), '{ // mine')
    expect(await playhead('hook', '--install', '--project', folder)).toEqual({
      code: 2,
      err: expect.stringContaining('is not JSON. Nothing was changed')
    })
  })

  test.each([
    [['--install', '--uninstall']],
    [['--user']],
    [['--project', '.']],
    [['--install', '--project', '.', '--user']],
    [['--install', 'x']]
  ])('wrong use: %j', async (args) => {
    expect(await playhead('hook', ...args)).toEqual({ code: 2, err: expect.stringContaining('usage: playhead hook') })
  })
})
