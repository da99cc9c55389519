import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hookCommand } from '#backend/live-runs/hook-command.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { lostMessage } from '#backend/live-runs/kept-runs.ts'
import type { AgentId, LiveRun, RunRequest } from '#contract/live-runs.ts'
import type { LogStatus } from '#contract/methods.ts'
import { contentOf } from '../run-host.ts'
import { commandsOf, installed, note, programOf, RealHost, untilRuns } from './real-host.ts'
import { program } from '../stand-in/stand-in.ts'
import { type ScriptedAgent, usual } from './scripted-agent.ts'

/** The real agents, started through Playhead: what is said of them elsewhere still holds for these versions. */

const playheadScript = fileURLToPath(new URL('../../bin/playhead.js', import.meta.url))

/** How the agent is asked to do anything, since nobody is there to be asked. */
const freeModes: Readonly<Record<AgentId, string>> = {
  claude: 'bypassPermissions',
  codex: 'danger-full-access',
  gemini: 'yolo'
}

let host: RealHost
beforeEach(() => {
  host = new RealHost({
    facts: {
      ...{ host: 'browser', version: '1', sample: null, drops: null },
      hook: hookCommand(process.execPath, playheadScript)
    }
  })
})
afterEach(async () => await host.close())

function requestOf(agent: AgentId, { prompt, project, args }: ScriptedAgent): Partial<RunRequest> {
  return { prompt, cwd: project, mode: freeModes[agent], extraArguments: [...args] }
}

async function start(agent: AgentId, story: ScriptedAgent, over: Partial<RunRequest> = {}): Promise<LiveRun> {
  return await host.start(agent, programOf(agent), { ...requestOf(agent, story), ...over })
}

async function opened({ recording, format }: Pick<LiveRun, 'recording' | 'format'>): Promise<string> {
  return (await host.handlers['log.open']({ path: recording, format })).log
}

/** The recording as it is when nobody was there while it was written. */
async function offlineCopy({ recording, format }: LiveRun): Promise<LogStatus> {
  const path = join(dirname(recording), 'copy.jsonl')
  copyFileSync(recording, path)
  return await host.log(await opened({ recording: path, format }), ({ phase }) => phase === 'done')
}

describe.each(installed)('%s', (agent) => {
  const todos = usual[agent].story
  const mode = freeModes[agent]

  test('is followed in the app, line by line, to its end', async () => {
    const story = await host.play(agent, todos)
    const run = await start(agent, story)
    const log = await opened(run)
    const sizes = new Set<number>()
    let cut = 0
    const look = setInterval(() => {
      const bytes = readFileSync(run.recording)
      if (bytes.length > 0 && bytes.at(-1) !== 0x0a) cut++
      sizes.add(bytes.length)
    }, 5)
    const withTodos = await host.run(run.run, ({ todo }) => todo !== null)
    expect(withTodos).toMatchObject({ state: 'running', todo: { total: expect.any(Number) } })
    const end = await host.ended(run.run)
    clearInterval(look)
    expect(end).toMatchObject({ state: 'ended', finishReason: 'done', exitCode: 0, message: null })
    expect(end.todo).toEqual({ completed: 5, total: 5 })
    expect(end.tokens?.received).toBeGreaterThan(0)
    expect([cut, commandsOf(run.run)]).toEqual([0, []])
    const offline = await offlineCopy(end)
    const live = await host.log(log, ({ bytesRead, rows }) => bytesRead === offline.bytes && rows === offline.rows)
    expect(await contentOf(host.handlers, live)).toEqual(await contentOf(host.handlers, offline))
    expect(offline.issues.malformed).toBe(0)
    const steps = new Set(host.statuses.filter((one) => one.log === log).map(({ bytesRead }) => bytesRead)).size
    expect(steps).toBeGreaterThan(5)
    note(agent, `${String(end.version)}: ${end.commandLine.slice(1).join(' ').slice(0, 150)}`)
    const seconds = ((end.endedAt ?? 0) - end.startedAt) / 1000
    note(
      agent,
      `followed: ${seconds.toFixed(1)} s, ${offline.events} events, seen to grow ${steps} times (the file: ${sizes.size}), whole lines each`
    )
  })

  test('has its todo tools as it is installed, in its first mode', async () => {
    const story = await host.play(agent, agent === 'claude' ? 'tasks' : todos, { plain: true })
    const { run } = await start(agent, story, {
      mode: null,
      ...(agent === 'gemini' ? { model: 'gemini-2.5-pro', extraArguments: [] } : {})
    })
    const end = await host.ended(run)
    expect(end).toMatchObject({ state: 'ended', finishReason: 'done', todo: { completed: 5, total: 5 } })
    note(agent, `todos in its first mode: ${end.commandLine.slice(1).join(' ').slice(0, 120)}`)
  })

  test('has no option that the table of options does not know', () => {
    const { options } = agentPrograms[agent]
    const known = options.rows.flatMap(([names]) => names.split(' '))
    const commands = { claude: [[]], codex: [['exec'], ['app-server']], gemini: [[]] }[agent]
    for (const words of commands) {
      const { stdout } = spawnSync(programOf(agent), [...words, '--help'], { encoding: 'utf8' })
      const shown = [...stdout.matchAll(/^ {2,8}(-.*?)(?:  |$| [<[])/gm)].flatMap(([, names = '']) => names.split(', '))
      expect(shown.length).toBeGreaterThan(10)
      expect(shown.filter((name) => !known.includes(name))).toEqual([])
    }
    note(agent, `has no other options than ${options.source.version}`)
  })

  test.runIf(agent === 'claude')(
    'runs the hook of a person and that of Playhead, and reads one of several settings',
    async () => {
      const settings = (name: string) => ['--settings', JSON.stringify({ hooks: { PostToolUse: [touching(name)] } })]
      const touching = (name: string) => ({
        matcher: '*',
        hooks: [{ type: 'command', command: `touch '${join(host.state, name)}'` }]
      })
      const hasRun = (name: string) => existsSync(join(host.state, name))
      const story = await host.play(agent, todos)
      const both = await host.ended(
        (await start(agent, story, { extraArguments: [...story.args, ...settings('mine')] })).run
      )
      const stream = await host.stream(both.run)
      expect([both.hookLost, hasRun('mine'), stream.includes('"source":"hook"')]).toEqual([null, true, true])
      await story.close()
      const again = await host.play(agent, todos)
      const extraArguments = [...again.args, ...settings('first'), ...settings('last')]
      const several = await host.ended((await start(agent, again, { extraArguments })).run)
      expect([several.hookLost, (await host.stream(several.run)).includes('"source":"hook"')]).toEqual([
        'There are several --settings.',
        false
      ])
      expect([hasRun('first'), hasRun('last')].filter(Boolean)).toHaveLength(1)
      note(agent, `of several --settings it reads the ${hasRun('first') ? 'first' : 'last'}`)
    }
  )

  test.runIf(agent === 'claude')('delivers tool results through its hook before it prints them', async () => {
    const story = await host.play(agent, todos)
    const copy = join(host.state, 'hooks')
    const keep = `'${programOf(agent)}' "$@"; code=$?; cp "$PLAYHEAD_HOOKS" '${copy}'; exit $code`
    const through = program(join(host.state, 'bin'), agent, keep)
    const { run, recording } = await host.start(agent, through, requestOf(agent, story))
    const growth: { at: number; size: number }[] = []
    const look = setInterval(() => growth.push({ at: Date.now(), size: statSync(recording).size }), 2)
    const { sessionId } = await host.ended(run)
    clearInterval(look)
    const printed = toolResultLines(readFileSync(recording, 'utf8'))
    const hooks = readFileSync(copy, 'utf8').trim().split('\n')
    const told = hooks.map((line) => JSON.parse(line) as HookLine)
    const leads = told.map(({ at, stdoutBytes, hook }) => {
      const offset = printed.get(hook.tool_use_id)
      expect(offset).toBeGreaterThanOrEqual(stdoutBytes)
      const seen = growth.find(({ size }) => size > (offset ?? Infinity))
      return (seen?.at ?? NaN) - at
    })
    expect(hooks).toHaveLength(printed.size)
    // What a todo tool answers is no result that anybody reads.
    const tools = told.filter(({ hook }) => hook.tool_name !== 'TodoWrite').map(({ hook }) => hook.tool_use_id)
    expect(tools.length).toBeGreaterThan(4)
    for (const tool of tools) {
      const { result } = await host.handlers['tool.result']({ session: sessionId ?? '', tool })
      expect(result).toMatchObject({ source: 'agent' })
    }
    const stream = (await host.stream(run)).split('\n')
    const sources = stream.flatMap(
      (line) => /^data: .*"tool_use_id":"([^"]+)".*"source":"(hook|agent)"/.exec(line)?.slice(1) ?? []
    )
    for (const tool of tools) {
      expect(sources.filter((_, i) => sources[i - 1] === tool)).toEqual(['hook', 'agent'])
    }
    const sorted = leads.toSorted((a, b) => a - b)
    note(agent, `hook: ${hooks.length} results, ${sorted[0]} to ${sorted.at(-1)} ms before they are printed`)
  })

  test('goes on with its session, in the mode that is asked for', async () => {
    const story = await host.play(agent, todos, { delay: 0 })
    const first = await host.ended((await start(agent, story)).run)
    const { request, title } = await host.handlers['run.resumable']({ path: first.recording })
    expect(request).toMatchObject({ agent, cwd: story.project, mode: null })
    const again = await start(agent, story, { ...request, mode: mode, prompt: 'And now?' })
    const end = await host.ended(again.run)
    expect(end).toMatchObject({ sessionId: first.sessionId, resumes: { session: first.sessionId, run: first.run } })
    note(agent, `goes on with "${title}": ${end.commandLine.slice(1).join(' ').slice(0, 150)}: ${end.finishReason}`)
    await expect(
      start(agent, story, { resumes: { session: '01a203ed-d357-4522-a44f-4b4d8b9df8c9', run: null } })
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is recorded byte for byte', async () => {
    const story = await host.play(agent, todos, { delay: 0 })
    const copy = join(host.state, 'copy')
    const through = program(join(host.state, 'bin'), agent, `'${programOf(agent)}' "$@" | tee '${copy}'`)
    const { run, recording } = await host.start(agent, through, requestOf(agent, story))
    const end = await host.ended(run)
    expect(readFileSync(recording).equals(readFileSync(copy))).toBe(true)
    expect(end.stdoutBytes).toBeGreaterThan(1000)
    note(agent, `byte for byte: ${end.stdoutBytes} bytes`)
  })

  test.each(['sigint-in-tool', 'sigint-in-text'])('is stopped: %s', async (name) => {
    const story = await host.play(agent, name)
    const { run, recording } = await start(agent, story)
    if (name === 'sigint-in-tool') await untilRuns(run, 'sleep 47')
    else await host.run(run, ({ todo }) => todo !== null)
    const asked = Date.now()
    await host.handlers['run.stop']({ run })
    const end = await host.ended(run)
    const ms = Date.now() - asked
    expect(end).toMatchObject({ state: 'ended', finishReason: 'cancelled', message: null })
    expect(commandsOf(run)).toEqual([])
    expect(readFileSync(recording).at(-1)).toBe(0x0a)
    note(agent, `stopped, ${name}: exit ${end.exitCode ?? end.signal} after ${ms} ms, nothing left`)
  })

  test('is ended by its time limit', async () => {
    const story = await host.play(agent, 'sigint-in-tool')
    const { run } = await start(agent, story, { timeLimitMs: 8000 })
    expect(await host.ended(run)).toMatchObject({ state: 'ended', finishReason: 'timeout' })
    expect(commandsOf(run)).toEqual([])
  })

  test('says what is wrong', async () => {
    const story = await host.play(agent, 'fatal-400')
    const { run } = await start(agent, story)
    const end = await host.ended(run)
    expect(end).toMatchObject({ state: 'ended', finishReason: 'error', signal: null })
    expect(end.exitCode).toBeGreaterThan(0)
    note(agent, `API error: ${end.message?.slice(0, 160)}`)
  })

  /** `playhead run`, as a shell would start it. */
  function command(story: ScriptedAgent, state: string): ChildProcess {
    const bin = dirname(program(join(state, 'bin'), agent, `exec '${programOf(agent)}' "$@"`, 'of a check'))
    const args = ['run', agent, '--mode', mode, '--allow-dangerous', ...story.args.map((arg) => `--arg=${arg}`)]
    const path = `${bin}:${dirname(process.execPath)}:${story.env['PATH'] ?? ''}`
    return spawn(process.execPath, [playheadScript, ...args, '--', story.prompt], {
      cwd: story.project,
      env: { ...story.env, PATH: path, PLAYHEAD_STATE_DIR: state },
      stdio: ['ignore', 'pipe', 'pipe']
    })
  }

  test('is run on the command line', async () => {
    const state = mkdtempSync(join(tmpdir(), 'playhead-state-'))
    const child = command(await host.play(agent, todos), state)
    const arrived: { at: number; type: string }[] = []
    const rest = { out: '', err: '' }
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = (rest.out + chunk.toString()).split('\n')
      rest.out = lines.pop() ?? ''
      for (const line of lines) arrived.push({ at: Date.now(), type: (JSON.parse(line) as { type: string }).type })
    })
    child.stderr?.on('data', (chunk: Buffer) => (rest.err += chunk.toString()))
    const code = await new Promise((resolve) => child.on('close', resolve))
    const times = arrived
      .filter(({ type }) => type === 'todo_list')
      .map(({ at }) => Math.round(at - (arrived[0]?.at ?? 0)))
    expect([code, rest.out, rest.err]).toEqual([0, '', expect.stringMatching(/is done: .*todos 5\/5/)])
    expect(new Set(times).size).toBeGreaterThan(3)
    note(agent, `playhead run: ${arrived.length} events; todo lists at ${times.join(', ')} ms after the first event`)
  })

  test('ends with a Playhead that is killed, and is found at the next start', async () => {
    const state = mkdtempSync(join(tmpdir(), 'playhead-state-'))
    const child = command(await host.play(agent, 'sigint-in-tool'), state)
    const runs = join(state, 'runs')
    const run = await vi.waitUntil(() => runsIn(runs)[0], { timeout: 60_000 })
    await untilRuns(run, 'sleep 47')
    const recorded = statSync(join(runs, run, 'stdout.jsonl')).size
    child.kill('SIGKILL')
    const killed = Date.now()
    await vi.waitUntil(() => commandsOf(run).length === 0, { timeout: 60_000 })
    note(agent, `Playhead killed: nothing left after ${Date.now() - killed} ms`)
    const next = new RealHost({ state })
    await vi.waitUntil(async () => {
      const [lost] = (await next.handlers['run.list']({})).runs
      return lost?.endedAt !== null && lost?.message === lostMessage
    }, 20_000)
    const [lost] = (await next.handlers['run.list']({})).runs
    expect(lost?.stdoutBytes).toBeGreaterThanOrEqual(recorded)
    await next.close()
  })
})

interface HookLine {
  readonly at: number
  readonly stdoutBytes: number
  readonly hook: { readonly tool_use_id: string; readonly tool_name: string }
}

/** Where the lines begin that tell results of calls, by call. */
function toolResultLines(recording: string): Map<string, number> {
  const found = new Map<string, number>()
  let offset = 0
  for (const line of recording.split('\n')) {
    const record = line === '' ? {} : (JSON.parse(line) as { type?: string })
    if (record.type === 'user') {
      for (const [, tool = ''] of line.matchAll(/"tool_use_id":"([^"]+)"/g)) found.set(tool, offset)
    }
    offset += Buffer.byteLength(line) + 1
  }
  return found
}

function runsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
