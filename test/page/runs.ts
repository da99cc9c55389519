import type { Agent, LiveRun, RunRequest } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Result } from '#contract/methods.ts'
import { type CannedRow, type TestHost, testHandlers, testHost, testStart } from './host.ts'

const careful = { id: 'default', title: 'Ask first', note: 'Reads, and asks before all else.', dangerous: false }
const edits = { id: 'edits', title: 'Accept edits', note: 'Also changes files in its folder.', dangerous: false }
const anything = {
  id: 'anything',
  title: 'Skip permissions',
  note: 'Runs any command without asking.',
  dangerous: true
}

/** Two agents that can be started, and one that is not there. */
export const testAgents: readonly Agent[] = [
  {
    ...{ agent: 'claude', title: 'Claude Code', program: 'claude', chosen: null, command: '/usr/bin/claude' },
    ...{ version: '2.1.330', problem: null, install: 'npm i -g claude', modes: [careful, edits, anything] },
    dialogue: {
      ...{ modes: [careful, edits, anything], promptsDuringTurn: true, dangerIsDecidedAtStart: true },
      lacks: 'It shows no plans.',
      refusal: { tellsMessage: true, endsTurn: true },
      states: { usd: true, tokens: 'in-turns' }
    }
  },
  {
    ...{ agent: 'codex', title: 'Codex', program: 'codex', chosen: null, command: '/usr/bin/codex' },
    ...{ version: null, problem: null, install: 'npm i -g codex', modes: [careful], dialogue: null }
  },
  {
    ...{ agent: 'gemini', title: 'Gemini CLI', program: 'gemini', chosen: null, command: null, version: null },
    ...{ problem: 'Gemini CLI is not installed.', install: 'npm i -g gemini', modes: [careful], dialogue: null }
  }
]

/** A run of Claude Code that is going, in the ways that matter otherwise than `changes` say. */
export function testRun(changes: Partial<LiveRun> = {}): LiveRun {
  const run = changes.run ?? 'run-1'
  return {
    ...{ run, agent: 'claude', prompt: 'Make the tests pass', cwd: '/home/me/demo', model: null, mode: null },
    ...{ extraArguments: [], timeLimitMs: null, resumes: null, version: '2.1.330', commandLine: ['claude', '-p'] },
    hookLost: null,
    ...{ state: 'running', own: true, startedAt: testStart, endedAt: null, finishReason: null, exitCode: null },
    ...{ elapsedMs: null, unfinished: false, denied: null },
    ...{
      signal: null,
      message: null,
      incomplete: null,
      recording: `/state/runs/${run}/stdout.jsonl`,
      format: 'claude-stream-json'
    },
    ...{ sessionId: null, stdoutBytes: 1000, stderrBytes: 0, tokens: null, todo: null, dialogue: null },
    ...changes
  }
}

function bytesOf(runs: readonly LiveRun[]): number {
  return runs.reduce((sum, { stdoutBytes }) => sum + stdoutBytes, 0)
}

/** What `run.list` answers where these are all. */
export function listOf(runs: readonly LiveRun[]): Result<'run.list'> {
  const sizes = runs.map(({ stdoutBytes }) => stdoutBytes)
  return { runs: [...runs], sizes, total: runs.length, bytes: bytesOf(runs), unreadable: [] }
}

/** The host of a test that starts agents. */
export interface RunsHost extends TestHost {
  /** What it was asked to start, and what the person agreed to. */
  readonly started: { readonly request: RunRequest; readonly confirmed: boolean; readonly lowDisk: boolean }[]
  /** The ids of runs it was asked to stop, and to remove. */
  readonly stopped: string[]
  readonly removed: string[]
  /** A run has come further, or is a new one. */
  changed(run: LiveRun): void
}

/** A host that starts agents: `runs` are those it has had, `stderr` is what each has printed there. Every path can be opened as a log of `rows`. */
export function runsHost(
  runs: readonly LiveRun[] = [],
  {
    rows = [],
    stderr = '',
    handlers = {}
  }: { rows?: readonly CannedRow[]; stderr?: string; handlers?: Partial<Handlers> } = {}
): RunsHost {
  const started: { request: RunRequest; confirmed: boolean; lowDisk: boolean }[] = []
  const stopped: string[] = []
  const removed: string[] = []
  let now = [...runs]
  let agents = [...testAgents]
  const canned = testHandlers(rows)
  const bytes = new TextEncoder().encode(stderr)
  const runOf = (id: string): LiveRun => {
    const run = now.find((known) => known.run === id)
    if (run === undefined) throw new HostError('not-found', 'There is no such run.')
    return run
  }
  const changed = (run: LiveRun): void => {
    now = [run, ...now.filter((known) => known.run !== run.run)]
    host.say('run.changed', run)
  }
  const host = testHost(
    rows,
    {},
    {
      'host.capabilities': async (params) => ({
        ...(await canned['host.capabilities'](params)),
        runs: true,
        tasks: true
      }),
      'log.list': async () => ({ logs: [] }),
      'log.open': async ({ path }) => ({
        ...(await canned['log.open']({ path })),
        ...{ log: `log ${path}`, path, name: 'stdout.jsonl' }
      }),
      'agent.list': async () => ({ agents }),
      'agent.setCommand': async ({ agent, command }) => {
        const known = testAgents.find((one) => one.agent === agent)
        if (known === undefined) throw new HostError('not-found', 'There is no such agent.')
        const problem = command?.includes('missing') === true ? `${command} is not there.` : null
        const next = { ...known, chosen: command, command: problem === null ? command : null, problem }
        agents = agents.map((one) => (one.agent === agent ? next : one))
        return next
      },
      'run.list': async ({ before, count = 200 }) => {
        const from = before === undefined ? 0 : now.findIndex(({ run }) => run === before) + 1
        const page = now.slice(from, from + count)
        return { ...listOf(page), total: now.length, bytes: bytesOf(now) }
      },
      'run.removable': async ({ keep, endedBefore }) => {
        const old = now.slice(keep ?? 0).filter(({ endedAt }) => endedBefore === null || (endedAt ?? 0) < endedBefore)
        const runs = old.filter(({ endedAt }) => endedAt !== null)
        const spared = old.filter(({ endedAt }) => endedAt === null).map(({ run }) => ({ run, why: 'it is active' }))
        return { runs: runs.map(({ run }) => run), bytes: bytesOf(runs), spared }
      },
      'run.start': async ({ request, confirmed, lowDisk = false }) => {
        started.push({ request, confirmed, lowDisk })
        const run = testRun({ ...request, run: `started-${started.length}`, startedAt: testStart + started.length })
        now = [run, ...now]
        return run
      },
      'run.resumable': async ({ path }) => {
        const run = now.find(({ recording }) => recording === path)
        if (run?.sessionId == null) throw new HostError('not-found', 'The session is gone. Start a new one.')
        const { prompt: title, agent, cwd, model, mode, extraArguments, timeLimitMs, interactive, limits } = run
        const resumes = { session: run.sessionId, run: run.run }
        const talks = interactive === true ? { interactive, ...(limits && { limits }) } : {}
        const request = { agent, cwd, model, mode, extraArguments, timeLimitMs, ...talks, resumes }
        return { request, title, note: 'Permissions are forgotten.', warnings: ['1 line is damaged.'] }
      },
      'run.stop': async ({ run }) => {
        stopped.push(run)
        const stopping: LiveRun = { ...runOf(run), state: 'stopping' }
        changed(stopping)
        return stopping
      },
      'run.stderr': async ({ run, from, count }) => {
        runOf(run)
        return { from, length: bytes.length, bytes: bytes.slice(from, from + count).buffer }
      },
      'run.remove': async ({ runs: ids }) => {
        const gone = ids.map(runOf)
        now = now.filter((known) => !gone.includes(known))
        removed.push(...ids)
        for (const run of ids) host.say('run.removed', { run })
        return { removed: ids, bytes: bytesOf(gone), spared: [] }
      },
      ...handlers
    }
  )
  return { ...host, started, stopped, removed, changed }
}
