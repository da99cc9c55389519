import { randomUUID } from 'node:crypto'
import { type LiveRun, promptProblem, type Resumed, type RunDialogue, type RunRequest } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { AgentSetting, DialogueRequest, HookSetting, ProgramMode } from '#core/formats/agent-program.ts'
import { agentPrograms, reservedIn, strayIn } from '#core/formats/agent-programs.ts'
import { lacksSecret, withoutSecrets } from './command-line.ts'
import type { OwnRunCommand, OwnRunDialogue } from './own-run.ts'
import { recordingOf } from './recording-of.ts'
import type { RunFiles } from './run-folder.ts'
import { settingsFile } from './settings-file.ts'
import { checkFolder } from './start-failure.ts'

/** Throws 'bad-params' for an invalid request. */
export async function checkRequest(request: RunRequest): Promise<void> {
  const { cwd, mode, extraArguments, prompt } = request
  const { title, dialogue, modes: plainModes } = agentPrograms[request.agent]
  const modes: readonly ProgramMode[] = request.interactive === true ? dialogue.modes : plainModes
  const bad = (message: string): HostError => new HostError('bad-params', message)
  if (mode !== null && !modes.some(({ id }) => id === mode)) {
    throw bad(`${title} has no mode ${JSON.stringify(mode)}. Its modes are ${modes.map(({ id }) => id).join(', ')}.`)
  }
  // The agent would take it for an option.
  const option = [request.model, request.resumes?.session].find((value) => value?.trimStart().startsWith('-'))
  if (option !== undefined && option !== null)
    throw bad(`${JSON.stringify(option)} begins with a dash, and would be an option of ${title}. Enter a name.`)
  const unreadable = promptProblem(prompt)
  if (unreadable !== null) throw bad(unreadable)
  const [reserved] = reservedIn(request)
  if (reserved !== undefined)
    throw bad(
      `Remove the argument ${reserved}. Playhead decides itself what ${title} prints and which session it goes on with.`
    )
  const [stray] = strayIn(request)
  if (stray !== undefined)
    throw bad(
      `Remove the word ${JSON.stringify(stray)} from the arguments. It is no option of ${title}, nor the value of one, and would be a command or a prompt.`
    )
  if (extraArguments.some(lacksSecret)) throw bad('A secret was removed from an argument. Enter it again.')
  const texts = [cwd, ...extraArguments, request.model ?? '']
  if (texts.some((text) => text.includes('\0'))) throw bad('Arguments and paths cannot contain zero bytes.')
  // The folder of a session is known later.
  if (request.resumes === null) await checkFolder(cwd)
}

/** How the agent is spoken to; null: the run is not interactive. `version`: of Playhead. */
export function dialogueOf(request: RunRequest, version: string): OwnRunDialogue | null {
  if (request.interactive !== true) return null
  const agent = agentPrograms[request.agent].dialogue
  const mode = request.mode ?? agent.modes[0].id
  const { cwd, model, resumes } = request
  return {
    agent,
    mode,
    protocol: agent.protocol({ cwd, model, mode, resume: resumes?.session ?? null, uuid: randomUUID(), version })
  }
}

/** `variables`: of the agent's environment. `hook`: as in `LiveRunsOptions`. */
export function commandOf(
  request: RunRequest,
  command: string,
  files: RunFiles,
  { hook, variables }: { readonly hook: string | null; readonly variables: NodeJS.ProcessEnv }
): OwnRunCommand {
  const program = programOf(request)
  const setting = { hook: hookSetting(request, hook), isRoot: process.getuid?.() === 0, variables }
  const environment = {
    ...variables,
    // Set by the app, or by an agent that started Playhead.
    ELECTRON_RUN_AS_NODE: undefined,
    PLAYHEAD_HOOKS: hook === null ? undefined : files.hooks,
    PWD: request.cwd,
    ...program.environment(setting)
  }
  const set = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { command, arguments: program.arguments(setting), environment: Object.fromEntries(set) }
}

function hookSetting({ cwd }: RunRequest, command: string | null): HookSetting | null {
  return command === null ? null : { command, readSettings: (path) => settingsFile(cwd, path) }
}

function programOf(request: RunRequest): {
  arguments(setting: AgentSetting): string[]
  environment(setting: AgentSetting): NodeJS.ProcessEnv
} {
  const program = agentPrograms[request.agent]
  const { dialogue } = program
  if (request.interactive !== true) {
    return {
      arguments: (setting) => program.arguments(request, setting),
      environment: (setting) => program.environment(request, setting)
    }
  }
  const asked: DialogueRequest = {
    ...request,
    mayBecomeDangerous: request.mayBecomeDangerous === true,
    costLimitUsd: request.limits?.usd ?? null
  }
  return {
    arguments: (setting) => dialogue.arguments(asked, setting),
    environment: (setting) => dialogue.environment(asked, setting)
  }
}

interface NewRun {
  readonly run: string
  readonly resumes: Resumed | null
  /** Ms since the epoch. */
  readonly startedAt: number
  readonly format: string
  readonly dialogue: OwnRunDialogue | null
  readonly command: OwnRunCommand
  /** As in `LiveRunsOptions`. */
  readonly hook: string | null
  readonly files: RunFiles
  /** Undefined: in the run's folder. */
  readonly recording: string | undefined
}

/** The state of a run before its process is started, without secrets. */
export function firstState(
  request: RunRequest,
  { run, resumes, startedAt, format, dialogue, command, hook, files, recording = recordingOf(format, files) }: NewRun
): LiveRun {
  return {
    ...request,
    resumes,
    run,
    extraArguments: withoutSecrets(request.extraArguments),
    version: null,
    commandLine: withoutSecrets([command.command, ...command.arguments]),
    hookLost: agentPrograms[request.agent].lostHook(request.extraArguments, hookSetting(request, hook)),
    state: 'starting',
    own: true,
    startedAt,
    endedAt: null,
    elapsedMs: null,
    finishReason: null,
    exitCode: null,
    signal: null,
    unfinished: false,
    denied: null,
    message: null,
    incomplete: null,
    recording,
    format,
    sessionId: null,
    stdoutBytes: 0,
    stderrBytes: 0,
    tokens: null,
    todo: null,
    dialogue: dialogue && newDialogue(dialogue.mode)
  }
}

/** The state of an interactive run before it is started. */
function newDialogue(mode: string): RunDialogue {
  return {
    ...{ turn: 'starting', mode, wantedMode: null, asks: [], queue: [], held: false, notice: null, noticeAt: null },
    ...{ spent: { usd: null, tokens: null }, waitedMs: 0, waitingSince: null, printedAt: null }
  }
}
