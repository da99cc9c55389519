import { join, resolve } from 'node:path'
import { deniedTextWithTools } from '#core/bridge/denied-calls.ts'
import { oneLine } from '#core/index/one-line.ts'
import { durationText } from '#core/measure-text.ts'
import { agentIds, type LiveRun, type Resumable, runTook } from '#contract/live-runs.ts'
import { type ErrorCode, HostError } from '#contract/host-error.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { hookCommand } from '#backend/live-runs/hook-command.ts'
import { LiveRuns } from '#backend/live-runs/live-runs.ts'
import { stateFolder, tasksFile } from '#backend/state-folder.ts'
import { isDiskFull } from '#backend/write-failure.ts'
import { type Command, exitFine, exitUsage, parseCommandLine } from './command.ts'
import { type Environment, say } from './environment.ts'
import { writeLive } from './live-lines.ts'
import { Output, PipeClosed } from '#backend/export/output.ts'
import { runOptions, runRequestOf, wordsOf } from './run-request.ts'
import { Talk, talkDetails } from './talk.ts'
import { logOf } from './typed-log.ts'

/** An error, no final turn, the time limit, or a full disk. */
const exitAgentFailed = 1
/** As shells report SIGINT. */
const exitInterrupted = 130

export const runAgent: Command = {
  usage:
    'run [AGENT] [--resume SESSION|FILE] [--cwd DIR] [-o LOG] [--model M] [--mode MODE] [--allow-dangerous] [--allow-low-disk] [--time-limit 10m] [--tool-limit 2m] [--interactive] [--arg=X]… [-- PROMPT…]',
  summary: `start an agent (${agentIds.join(', ')}), record its output, and print its events as normalized JSONL`,
  details: [
    'PROMPT is read from stdin if it is missing or "-".',
    '--resume SESSION   Go on with a session, in its folder: its id, the first characters of it, or its log. AGENT can be left out.',
    '--cwd DIR          The folder the agent works in. Default: the current folder.',
    "-o, --output LOG   Where to write the recording. Default: Playhead's folder of runs.",
    '-m, --model M      Default: the choice of the agent.',
    '--mode MODE        What the agent may do without asking. The first one is the default. ! is dangerous:',
    ...Object.entries(agentPrograms).map(([agent, { modes }]) => {
      const words = modes.map(({ id, dangerous }) => (dangerous ? `${id}!` : id))
      return `                     ${agent}: ${words.join(', ')}`
    }),
    '--allow-dangerous  Allow modes and arguments that let the agent do more without asking.',
    '--allow-low-disk   Start although less than 256 MB of disk space is left.',
    '--time-limit 10m   Stop the agent after this time (s, m, h, d).',
    '--tool-limit 2m    Report a call that takes longer, in the stream of the run. Nothing is stopped.',
    '--interactive      Answer what the agent asks, and prompt it again. PROMPT must be given.',
    '--arg=X            Pass another argument to the agent. Repeat it for more. Those that widen what it may do need --allow-dangerous.',
    '',
    ...talkDetails,
    '',
    'Ctrl-C asks the agent to stop. A second Ctrl-C ends it and everything it started. So does a closed pipe (| head).',
    'Exit codes: 0 done, 1 failed, out of time, or the disk is full, 2 not started, 130 interrupted.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options: runOptions, allowPositionals: true })
    const words = wordsOf(args, positionals, values.resume !== undefined)
    const confirmed = values['allow-dangerous'] === true
    const runs = liveRunsOf(environment, (changed) => talk?.changed(changed))
    const talk = values.interactive === true ? new Talk(runs, environment, confirmed) : null
    try {
      const resumed = values.resume === undefined ? null : await resumedSession(values.resume, runs, environment)
      const request = await runRequestOf(words, values, environment, resumed)
      // A signal before the run has started also ends it.
      const stopped = environment.untilStopped()
      const recording = values.output === undefined ? {} : { recording: resolve(values.output) }
      const lowDisk = values['allow-low-disk'] === true
      const run = await runs
        .start(request, { confirmed, lowDisk, ...recording })
        .catch((error: unknown) => explainRefusal(error, environment))
      if (run === null) return exitAgentFailed
      if (run.state === 'failed') {
        say(environment, run.message ?? 'it could not be started')
        return exitUsage
      }
      say(
        environment,
        `${agentPrograms[run.agent].title} runs in ${run.cwd}; its output is recorded in ${run.recording}`
      )
      if (run.hookLost !== null)
        say(environment, `tool results come with the agent's own lines, not at once: ${run.hookLost}`)
      talk?.begin(run)
      return await follow(runs, run, stopped, environment)
    } finally {
      await runs.close()
    }
  }
}

/** The session of an id or a log. What a person should know of it is said. */
async function resumedSession(typed: string, runs: LiveRuns, environment: Environment): Promise<Resumable['request']> {
  const { path } = await logOf([typed], {}, environment)
  const { request, title, note, warnings } = await runs.resumable(path)
  const { session } = request.resumes
  const named = title === null ? session : `${session} (${oneLine(title, 60)})`
  say(environment, `goes on with the session ${named} in ${request.cwd}`, note, ...warnings)
  return request
}

function liveRunsOf(environment: Environment, changed: (run: LiveRun) => void): LiveRuns {
  const { variables, home, platform, createWorker, root, now, version } = environment
  const state = stateFolder(variables, platform)
  return new LiveRuns({
    version,
    state,
    createWorker,
    hook: hookCommand(process.execPath, join(root, 'bin', 'playhead.js')),
    tasks: tasksFile(state),
    notify: (name, payload) => {
      if (name === 'run.changed') changed(payload as LiveRun)
    },
    problem: (message) => say(environment, message),
    variables,
    home,
    now
  })
}

/** The flag that allows what was refused. */
const overrideFlags: Readonly<Partial<Record<ErrorCode, string>>> = {
  'not-confirmed': '--allow-dangerous',
  'low-disk': '--allow-low-disk'
}

/** Adds the flag to the message. Null, after reporting: no disk space for a recording. */
function explainRefusal(error: unknown, environment: Environment): null {
  if (!(error instanceof HostError)) throw error
  const flag = overrideFlags[error.code]
  const message = flag === undefined ? error.message : `${error.message} To start it anyway, add ${flag}.`
  if (error.code !== 'low-disk' && !isDiskFull(error)) throw new HostError(error.code, message)
  say(environment, message)
  return null
}

/** Writes the run's events until its end and returns the exit code. A signal or a closed pipe ends the agent. */
async function follow(
  runs: LiveRuns,
  { run, recording: path, format }: LiveRun,
  stopped: Promise<void>,
  environment: Environment
): Promise<number> {
  let interrupted = false
  const interrupt = async (): Promise<void> => {
    await stopped
    interrupted = true
    say(environment, 'stopping the agent; press Ctrl-C again to end it now')
    await runs.stop(run)
    await environment.untilStopped()
    runs.kill(run)
  }
  const ended = runs.ended(run)
  void interrupt()
  const { stdout, now } = environment
  try {
    const events = await writeLive({ path, format, output: new Output(stdout), now }, ended)
    const end = await ended
    sayEnd(end, events, environment)
    if (interrupted) return exitInterrupted
    return end.finishReason === 'done' ? exitFine : exitAgentFailed
  } catch (error) {
    // Usually the pipe was closed, also by a Ctrl-C that ended the whole pipeline.
    await runs.stop(run)
    await ended
    if (interrupted && error instanceof PipeClosed) return exitInterrupted
    throw error
  }
}

function sayEnd(run: LiveRun, events: number, environment: Pick<Environment, 'stderr'>): void {
  const { todo, tokens, denied } = run
  const facts = [
    durationText(runTook(run) ?? 0),
    events === 1 ? '1 event' : `${events} events`,
    ...tokenWords(tokens),
    ...(todo === null || todo.total === 0 ? [] : [`todos ${todo.completed}/${todo.total}`])
  ]
  const refused = denied === null ? '' : ` · ${deniedTextWithTools(denied)}`
  if (run.message !== null) say(environment, run.message)
  say(
    environment,
    `${agentPrograms[run.agent].title} ${howItEnded(run)}${refused}: ${facts.join(', ')}; recorded in ${run.recording}`
  )
}

function tokenWords(tokens: LiveRun['tokens']): string[] {
  if (tokens === null) return []
  const { sent, received, atLeast } = tokens
  return [
    ...(sent === null ? [] : [`${sent} tokens sent`]),
    ...(received === null ? [] : [`${atLeast ? 'at least ' : ''}${received} received`])
  ]
}

function howItEnded({ finishReason, exitCode, unfinished }: LiveRun): string {
  if (unfinished) return 'ended without a final turn'
  switch (finishReason) {
    case 'done':
      return 'is done'
    case 'cancelled':
      return 'was stopped'
    case 'timeout':
      return 'ran out of time'
    default:
      return exitCode === 0 ? 'reported an error' : 'ended with an error'
  }
}
