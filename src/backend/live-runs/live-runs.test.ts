import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LiveRun, type RunRequest } from '#contract/live-runs.ts'
import type { NoticeName } from '#contract/methods.ts'
import { newFolder, notedPids, processesOf, program, textOf } from '../../../test/run-processes.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { LiveRuns, type LiveRunsOptions } from './live-runs.ts'
import { readManifest } from './run-manifest.ts'

const path = process.env['PATH'] ?? ''

let folder = ''
let state = ''
let all: LiveRuns[] = []
let notices: [name: NoticeName, payload: unknown][] = []
let problems: string[] = []
let runs: LiveRuns
beforeEach(() => {
  folder = realpathSync(newFolder())
  state = join(folder, 'state')
  notices = []
  problems = []
  all = []
  runs = host()
})
afterEach(async () => {
  await Promise.all(all.map(async (each) => await each.close()))
})

function host(options: Partial<LiveRunsOptions> = {}): LiveRuns {
  const each = new LiveRuns({
    state,
    createWorker,
    hook: null,
    tasks: null,
    notify: (name, payload) => notices.push([name, payload]),
    problem: (message) => problems.push(message),
    variables: { PATH: path, HOME: folder },
    ...options
  })
  all.push(each)
  return each
}

const request = (over: Partial<RunRequest> = {}): RunRequest => ({
  ...{ agent: 'claude', prompt: 'Count the geese.', cwd: folder, model: null, mode: null, extraArguments: [] },
  ...{ timeLimitMs: null, resumes: null, ...over }
})

/** Starts a program of these lines as Claude Code, and gives the run as it is then. */
async function start(lines: readonly string[], over: Partial<RunRequest> = {}): Promise<LiveRun> {
  await runs.agents.setCommand(
    over.agent ?? 'claude',
    program(folder, ['case "$1" in --version) exit; esac', ...lines])
  )
  return LiveRun.parse(await runs.start(request(over), { confirmed: true }))
}

/** The same, once nothing of it is left. */
async function ended(lines: readonly string[], over: Partial<RunRequest> = {}): Promise<LiveRun> {
  return LiveRun.parse(await runs.ended((await start(lines, over)).run))
}

async function streamText(run: string): Promise<string> {
  const stream = (await runs.stream(run)).open()
  const bytes = await stream.read(Buffer.alloc(await stream.size()), 0)
  await stream.close()
  return bytes.toString()
}

const told = (run: string): LiveRun[] =>
  notices.flatMap(([name, payload]) =>
    name === 'run.changed' && (payload as LiveRun).run === run ? [payload as LiveRun] : []
  )

const line = (record: object): string => `echo '${JSON.stringify(record)}'`
const init = line({ type: 'system', subtype: 'init', session_id: 's1', model: 'm', tools: [] })
const result = (over: object = {}): string =>
  line({ type: 'result', subtype: 'success', is_error: false, result: 'Over', session_id: 's1', num_turns: 1, ...over })
const todos = line({
  type: 'assistant',
  session_id: 's1',
  message: {
    ...{ id: 'a', role: 'assistant', model: 'm' },
    content: [
      {
        ...{ type: 'tool_use', id: 't', name: 'TodoWrite' },
        input: { todos: ['completed', 'pending'].map((status) => ({ content: status, activeForm: status, status })) }
      }
    ]
  }
})
const forever = 'while :; do sleep 0.05; done'

describe('a live run', () => {
  test('is recorded byte for byte, and its end, session and todos are known', async () => {
    const run = await ended([init, todos, 'printf "\\377\\000 no JSON\\r\\n"', result(), 'printf words >&2'])
    expect(run).toMatchObject({
      ...{ agent: 'claude', state: 'ended', own: true, finishReason: 'done', exitCode: 0, signal: null, message: null },
      ...{ format: 'claude-stream-json', sessionId: 's1', todo: { completed: 1, total: 2 }, stderrBytes: 5 },
      recording: join(state, 'runs', run.run, 'stdout.jsonl')
    })
    const bytes = readFileSync(run.recording)
    expect(bytes.toString('latin1').split('\n')[2]).toBe('\u00ff\0 no JSON\r')
    expect(run.stdoutBytes).toBe(bytes.length)
    expect(run.endedAt).toBeGreaterThanOrEqual(run.startedAt)
    expect(told(run.run).map(({ state: at }) => at)).toEqual(expect.arrayContaining(['starting', 'running', 'ended']))
    expect(told(run.run).at(-1)).toEqual(run)
    expect(processesOf(run.run)).toEqual([])
    const { stderr } = { stderr: await runs.stderr(run.run, 1, 3) }
    expect([stderr.length, Buffer.from(stderr.bytes).toString()]).toEqual([5, 'ord'])
  })

  test('is only for its person to read, and says who it was and how it was started', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const run = await ended([result()], { extraArguments: ['--append-system-prompt', `use ${token}`], model: 'm1' })
    const at = dirname(run.recording)
    expect(statSync(at).mode & 0o777).toBe(0o700)
    for (const name of ['run.json', 'prompt.txt', 'stdout.jsonl', 'stderr.txt'])
      expect(statSync(join(at, name)).mode & 0o777, name).toBe(0o600)
    expect(textOf(join(at, 'run.json'))).not.toContain(token)
    const own = { ...run, prompt: undefined, own: undefined }
    expect(await readManifest(join(at, 'run.json'))).toMatchObject(JSON.parse(JSON.stringify(own)) as object)
    expect(run.commandLine.slice(1, 8)).toEqual([
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      'm1',
      '--permission-mode'
    ])
    expect(run.commandLine.at(-1)).toBe('use [redacted: GitHub token]')
    await expect(
      runs.start(request({ extraArguments: run.extraArguments }), { confirmed: true })
    ).rejects.toMatchObject({
      code: 'bad-params',
      message: expect.stringMatching(/A secret was removed/)
    })
  })

  test.each([
    ['what looks like options and commands', '--help; $(touch x) `touch y` "\'\\\n-p\u0000é'],
    ['much', 'prompt '.repeat(70_000)]
  ])('gets its prompt as it is: %s', async (_what, prompt) => {
    const run = await ended(['cat > prompt-seen', 'printf "%s\\n" "$@" > arguments-seen', result()], { prompt })
    expect(readFileSync(join(folder, 'prompt-seen'), 'utf8')).toBe(prompt)
    expect(textOf(join(folder, 'arguments-seen'))).not.toContain('prompt ')
    expect([existsSync(join(folder, 'x')), existsSync(join(folder, 'y'))]).toEqual([false, false])
    expect((await runs.list())[0]?.prompt).toBe(run.prompt)
  })

  test('is where it was asked to be, with an environment of its own', async () => {
    runs = host({ variables: { PATH: path, CLAUDECODE: '1', PLAYHEAD_HOOKS: '/elsewhere', MINE: 'yes' } })
    await ended(['env > environment-seen', 'pwd >> environment-seen'])
    const seen = textOf(join(folder, 'environment-seen')).split('\n')
    expect(seen).toEqual(expect.arrayContaining(['MINE=yes', `PWD=${folder}`, folder]))
    expect(seen.filter((each) => /^(?:CLAUDECODE|PLAYHEAD_HOOKS)=/.test(each))).toEqual([])
  })

  test('of Claude has its tool results delivered by a hook', async () => {
    runs = host({ hook: "node 'a b.js' hook" })
    const { recording } = await ended(['printf "%s\\n" "$@" > seen; echo "$PLAYHEAD_HOOKS" >> seen'])
    const seen = textOf(join(folder, 'seen')).trim().split('\n')
    const settings = JSON.parse(seen[seen.indexOf('--settings') + 1] ?? '') as object
    expect(settings).toEqual({
      hooks: {
        PostToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: "node 'a b.js' hook", timeout: 10 }] }]
      }
    })
    expect(seen.at(-1)).toBe(join(dirname(recording), 'hooks.jsonl'))
  })
})

describe('the end of a live run', () => {
  const fine = { state: 'ended', finishReason: 'done', exitCode: 0, signal: null, unfinished: false }
  const unfinished = { ...fine, finishReason: 'error', unfinished: true }
  const noFinalTurn = 'The agent exited without a final turn. Its output does not show that it finished.'
  test.each<[what: string, lines: string[], expected: object]>([
    [
      'that prints nothing and fails',
      ['echo "a warning" >&2', 'echo "Error: no key" >&2', 'exit 1'],
      {
        ...{ state: 'ended', finishReason: 'error', exitCode: 1, stdoutBytes: 0 },
        message: 'Claude Code ended with exit code 1 and printed nothing. It said: a warning / Error: no key'
      }
    ],
    [
      'that only writes to standard error',
      ['echo "not logged in" >&2'],
      { ...unfinished, message: 'Claude Code ended and printed nothing on standard output. It said: not logged in' }
    ],
    [
      'that says nothing at all',
      ['exit 0'],
      { ...unfinished, message: 'Claude Code ended and printed nothing on standard output.' }
    ],
    [
      'that is killed by somebody else',
      [init, 'kill -s KILL $$'],
      {
        ...{ state: 'ended', finishReason: 'error', exitCode: null, signal: 'SIGKILL', sessionId: 's1' },
        message: expect.stringMatching(/^Claude Code was ended by another program \(SIGKILL\)\./)
      }
    ],
    [
      'whose last turn failed',
      [init, result({ subtype: 'error_during_execution', is_error: true })],
      { ...fine, finishReason: 'error', message: 'It said: Over' }
    ],
    [
      'that fails after all was well',
      [init, result(), 'exit 3'],
      { state: 'ended', finishReason: 'error', exitCode: 3, message: 'Claude Code ended with exit code 3.' }
    ],
    ['that prints no log', ['echo hello'], { ...unfinished, message: noFinalTurn, sessionId: null, stdoutBytes: 6 }],
    [
      'that stops without a word',
      [init, 'echo "panicked" >&2', 'exit 0'],
      { ...unfinished, message: `${noFinalTurn} It said: panicked`, sessionId: 's1' }
    ],
    [
      'whose calls were denied',
      [init, result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't', tool_input: {} }] })],
      { ...fine, message: null, denied: { calls: 1, tools: ['Bash'] } }
    ],
    [
      'that leaves something running',
      ['sleep 1000 &', result()],
      { ...fine, message: 'A process it left running was ended.' }
    ]
  ])('%s', async (_what, lines, expected) => {
    const run = await ended(lines)
    expect(run).toMatchObject(expected)
    expect(processesOf(run.run)).toEqual([])
  })

  test('comes when it is asked to stop, with what it printed until then and after', async () => {
    const run = await start([
      init,
      `trap '${result({ is_error: true }).replaceAll("'", '"')}; exit 0' INT`,
      'echo ready',
      forever
    ])
    await expect.poll(() => textOf(run.recording)).toContain('ready')
    const stopping = await runs.stop(run.run)
    expect(stopping.state).toBe('stopping')
    const end = await runs.ended(run.run)
    expect(end).toMatchObject({
      state: 'ended',
      finishReason: 'cancelled',
      exitCode: 0,
      message: null,
      sessionId: 's1'
    })
    expect(await runs.stop(run.run)).toEqual(end)
  })

  test('comes at once where it is to be killed', async () => {
    const run = await start(['trap "" INT TERM', 'echo ready', forever])
    await expect.poll(() => textOf(run.recording)).toContain('ready')
    await runs.stop(run.run)
    runs.kill(run.run)
    expect(await runs.ended(run.run)).toMatchObject({ finishReason: 'cancelled', signal: 'SIGKILL' })
  })

  test('comes when its time is over', async () => {
    const end = await ended([init, forever], { timeLimitMs: 1000 })
    expect(end).toMatchObject({
      finishReason: 'timeout',
      message: 'Claude Code was stopped at its time limit of 1 s.'
    })
  })

  test('comes when Playhead is closed', async () => {
    const { run, recording } = await start([init, 'sleep 1000 & echo $! > child', 'echo ready', forever])
    await expect.poll(() => textOf(recording)).toContain('ready')
    await runs.close()
    expect(await runs.ended(run)).toMatchObject({
      finishReason: 'cancelled',
      message: 'Claude Code was stopped because Playhead was closed.'
    })
    expect(processesOf(run)).toEqual([])
    await expect(runs.start(request(), { confirmed: true })).rejects.toMatchObject({ code: 'closed' })
  })

  test('does not come where it only closes its output, which is said', async () => {
    const { run } = await start([init, 'exec >&-', forever])
    await expect.poll(() => told(run).at(-1)?.message).toMatch(/^The agent closed its output but is still running/)
    expect(told(run).at(-1)?.state).toBe('running')
    runs.kill(run)
    expect(await runs.ended(run)).toMatchObject({ finishReason: 'cancelled', message: null })
  })
})

describe('what cannot be started', () => {
  const failed = { state: 'failed', finishReason: 'error', exitCode: null, stdoutBytes: 0, sessionId: null }

  test('an agent that is not installed', async () => {
    runs = host({ variables: { PATH: folder, HOME: folder } })
    const run = await runs.start(request({ agent: 'codex' }), { confirmed: false })
    expect(run).toMatchObject({
      ...failed,
      message: expect.stringMatching(/^Codex is not installed: .*npm install -g @openai\/codex/)
    })
    expect(await runs.list()).toEqual([run])
    expect(await runs.ended(run.run)).toEqual(run)
    expect((await runs.stderr(run.run, 0, 100)).length).toBe(0)
    expect((await runs.stream(run.run)).isOver).toBe(true)
    expect((await streamText(run.run)).match(/^event: .*/gm)).toEqual(['event: error', 'event: done'])
  })

  test('a file that is not executable, or is not there any more', async () => {
    const file = program(folder, [], { mode: 0o644 })
    await runs.agents.setCommand('claude', file)
    expect(await runs.start(request(), { confirmed: false })).toMatchObject({
      ...failed,
      message: `The command for Claude Code, ${file}, is not executable. Set another command, or clear it.`
    })
  })

  test('anything where the state folder cannot be written', async () => {
    runs = host({ state: program(folder, []) })
    await expect(runs.start(request(), { confirmed: false })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^The run cannot be recorded: .* cannot be written: a part of its path is not a folder\.$/
      )
    })
    expect([await runs.list(), runs.working]).toEqual([[], 0])
  })

  test('a script whose interpreter is missing', async () => {
    await runs.agents.setCommand('claude', program(folder, [], { head: '#!/nowhere/node' }))
    const run = await runs.start(request(), { confirmed: false })
    expect(run).toMatchObject({ ...failed, message: expect.stringContaining('/nowhere/node') })
    expect(existsSync(run.recording)).toBe(false)
  })

  test('a run whose recording would lie over a file', async () => {
    await runs.agents.setCommand('claude', program(folder, [result()]))
    const recording = join(folder, 'mine.jsonl')
    writeFileSync(recording, 'mine')
    expect(await runs.start(request(), { confirmed: false, recording })).toMatchObject({
      ...failed,
      message: expect.stringMatching(/mine\.jsonl already/)
    })
    expect(textOf(recording)).toBe('mine')
  })

  test.each<[what: string, Partial<RunRequest>, message: RegExp]>([
    ['in a folder that is not there', { cwd: '/nowhere/at/all' }, /^The folder \/nowhere\/at\/all does not exist\./],
    ['in a file', { cwd: import.meta.filename }, /is a file\. Choose a folder/],
    ['in a folder without a whole path', { cwd: 'here' }, /is not an absolute path/],
    [
      'in a mode that it has not',
      { mode: 'yolo' },
      /has no mode "yolo". Its modes are default, acceptEdits, plan, bypassP/
    ],
    ['to print something else', { extraArguments: ['--output-format=text'] }, /^Remove the argument --output-format/],
    ['with a zero byte', { model: 'a\0b' }, /zero byte/]
  ])('%s', async (_what, over, message) => {
    await expect(runs.start(request(over), { confirmed: true })).rejects.toMatchObject({
      code: 'bad-params',
      message: expect.stringMatching(message)
    })
    expect(await runs.list()).toEqual([])
  })

  test.each<[Partial<RunRequest>, danger: string]>([
    [{ mode: 'bypassPermissions' }, 'the mode bypassPermissions'],
    [{ extraArguments: ['--dangerously-skip-permissions'] }, 'the argument --dangerously-skip-permissions'],
    [{ agent: 'codex', mode: 'danger-full-access' }, 'the mode danger-full-access'],
    [{ agent: 'gemini', extraArguments: ['-y'] }, 'the argument -y']
  ])('%o without that a person agreed', async (over, danger) => {
    await expect(runs.start(request(over), { confirmed: false })).rejects.toMatchObject({
      code: 'not-confirmed',
      message: expect.stringContaining(danger)
    })
    expect(notices).toEqual([])
  })
})

describe('the runs of a state folder', () => {
  test('are listed by every host, the latest first, and stopped and removed only by their own', async () => {
    const first = await ended([result()])
    const second = await start([init, forever])
    const other = host()
    const listed = await other.list()
    expect(listed.map(({ run, own, state: at }) => [run, own, at])).toEqual([
      [second.run, false, 'running'],
      [first.run, false, 'ended']
    ])
    expect(listed[1]).toEqual({ ...first, own: false })
    await expect(other.stop(second.run)).rejects.toMatchObject({ code: 'unavailable' })
    for (const each of [other, runs])
      expect(await each.remove([second.run])).toMatchObject({ removed: [], spared: [{ why: 'it is active' }] })
    await other.remove([first.run])
    expect(existsSync(dirname(first.recording))).toBe(false)
    runs.kill(second.run)
    await runs.ended(second.run)
    expect((await other.list()).map(({ run }) => run)).toEqual([second.run])
  })

  test('that others started are told as they change', async () => {
    const heard: unknown[] = []
    const other = host({ lookEveryMs: 20, notify: (name, payload) => heard.push([name, payload]) })
    other.watch()
    const run = await start([init, forever])
    const last = () => heard.at(-1) as [string, LiveRun] | undefined
    await expect.poll(() => last()?.[1]).toMatchObject({ run: run.run, own: false, state: 'running' })
    runs.kill(run.run)
    const end = await runs.ended(run.run)
    await expect.poll(last).toEqual(['run.changed', { ...end, own: false }])
    await runs.remove([run.run])
    await expect.poll(last).toEqual(['run.removed', { run: run.run }])
  })

  test('that another host removes are gone for their own as well', async () => {
    runs = host({ lookEveryMs: 20 })
    runs.watch()
    const { run } = await ended([result()])
    await host({ notify: () => {} }).remove([run])
    await expect.poll(() => notices.at(-1)).toEqual(['run.removed', { run }])
    expect(await runs.list()).toEqual([])
  })

  test('are removed with a recording of their own, but not with one that lies elsewhere', async () => {
    const recording = join(folder, 'kept.jsonl')
    await runs.agents.setCommand('claude', program(folder, [result()]))
    const { run } = await runs.start(request(), { confirmed: false, recording })
    await runs.ended(run)
    await runs.remove([run])
    expect(await runs.list()).toEqual([])
    expect(existsSync(join(state, 'runs', run))).toBe(false)
    expect(textOf(recording)).toContain('"result"')
    expect(notices.at(-1)).toEqual(['run.removed', { run }])
    expect(await runs.remove([run])).toMatchObject({ removed: [], spared: [{ run, why: 'there is no such run' }] })
  })

  test.each(['../../etc', 'A', '', '.', 'a/b', 'x'.repeat(65)])('are no other folders: %j', async (run) => {
    expect((await runs.remove([run])).spared).toEqual([{ run, why: 'there is no such run' }])
    for (const ask of [runs.stop(run), runs.stream(run), runs.stderr(run, 0, 1), runs.ended(run)])
      await expect(ask).rejects.toMatchObject({ code: 'not-found' })
  })

  test('that cannot be read are left out, which is said once', async () => {
    const run = await ended([result()])
    for (const [name, text] of [
      ['20250101-a', '{"manifest":1}'],
      ['20250101-b', 'no JSON'],
      ['20250101-c', readFileSync(join(dirname(run.recording), 'run.json'), 'utf8')]
    ] as const) {
      mkdirSync(join(state, 'runs', name))
      writeFileSync(join(state, 'runs', name, 'run.json'), text)
    }
    mkdirSync(join(state, 'runs', '20250101-d'))
    writeFileSync(join(state, 'runs', 'a file'), '')
    expect(await runs.list()).toEqual([run])
    expect(await runs.list()).toEqual([run])
    expect(problems.map((each) => basename(dirname(/in (.*?run\.json)/.exec(each)?.[1] ?? ''))).sort()).toEqual([
      '20250101-a',
      '20250101-b',
      '20250101-c'
    ])
  })

  test('are listed 200 at a time, with what all of them take', async () => {
    const run = await ended([result()])
    const manifest = JSON.parse(readFileSync(join(dirname(run.recording), 'run.json'), 'utf8')) as object
    for (let i = 0; i < 250; i++) {
      const name = `20250101-${String(i).padStart(4, '0')}`
      mkdirSync(join(state, 'runs', name))
      writeFileSync(join(state, 'runs', name, 'run.json'), JSON.stringify({ ...manifest, run: name }))
    }
    const listed = await runs.list()
    expect([listed.length, listed[0]?.run, listed[199]?.run]).toEqual([200, run.run, '20250101-0051'])
    const last = await runs.page({ before: '20250101-0051', count: 500 })
    expect([last.runs.length, last.runs[50]?.run, last.total]).toEqual([51, '20250101-0000', 251])
    expect(last.sizes[0]).toBe(statSync(join(state, 'runs', '20250101-0050', 'run.json')).size)
    const folders = [run.run, ...Array.from({ length: 250 }, (_, i) => `20250101-${String(i).padStart(4, '0')}`)]
    const sizes = folders.flatMap((id) =>
      readdirSync(join(state, 'runs', id)).map((name) => statSync(join(state, 'runs', id, name)).size)
    )
    expect(last.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
  })
})

describe('a crowd', () => {
  test('of runs at once leaves nothing behind', async () => {
    const lines = ['case "$1" in --version) exit; esac', init, 'sleep 1000 & echo $! >> children', result()]
    await runs.agents.setCommand('claude', program(folder, lines))
    const started = await Promise.all(Array.from({ length: 5 }, () => runs.start(request(), { confirmed: false })))
    const ends = await Promise.all(started.map(({ run }) => runs.ended(run)))
    expect(ends.map(({ finishReason }) => finishReason)).toEqual(Array(5).fill('done'))
    expect(notedPids(join(folder, 'children'))).toHaveLength(5)
    for (const { run } of ends) expect(processesOf(run)).toEqual([])
  })
})
