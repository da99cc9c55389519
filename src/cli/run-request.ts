import { resolve } from 'node:path'
import {
  type AgentId,
  agentIds,
  defaultDialogueLimits,
  promptProblem,
  type Resumable,
  RunRequest
} from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import { agents, agentTypeOf } from '#core/formats/agents.ts'
import { UsageError } from './command.ts'
import { durationMs } from '#core/duration-ms.ts'
import { type Environment, say } from './environment.ts'
import { isTerminal } from './terminal.ts'

export const runOptions = {
  cwd: { type: 'string' },
  output: { type: 'string', short: 'o' },
  model: { type: 'string', short: 'm' },
  mode: { type: 'string' },
  'allow-dangerous': { type: 'boolean' },
  'allow-low-disk': { type: 'boolean' },
  'time-limit': { type: 'string' },
  'tool-limit': { type: 'string' },
  interactive: { type: 'boolean' },
  arg: { type: 'string', multiple: true },
  resume: { type: 'string' }
} as const

interface Flags {
  readonly cwd?: string | undefined
  readonly model?: string | undefined
  readonly mode?: string | undefined
  readonly 'time-limit'?: string | undefined
  readonly 'tool-limit'?: string | undefined
  readonly interactive?: boolean | undefined
  readonly arg?: readonly string[] | undefined
}

/** The words of the command line: AGENT, and PROMPT. */
interface Words {
  readonly agent: string | undefined
  readonly prompt: readonly string[]
}

/** `mayLackAgent`: words behind `--` are the prompt, even if no AGENT is before it. */
export function wordsOf(args: readonly string[], positionals: readonly string[], mayLackAgent: boolean): Words {
  const end = args.indexOf('--')
  const behind = end < 0 ? 0 : args.length - end - 1
  if (mayLackAgent && positionals.length === behind) return { agent: undefined, prompt: positionals }
  const [agent, ...prompt] = positionals
  return { agent, prompt }
}

/**
 * Without PROMPT, or with `-`, reads the prompt from stdin. `resumed`: the session to go on with, whose agent and folder are
 * used. Throws a `UsageError` that says what to write instead.
 */
export async function runRequestOf(
  { agent: agentWord, prompt: words }: Words,
  flags: Flags,
  environment: Pick<Environment, 'stdin' | 'stderr'>,
  resumed: Resumable['request'] | null
): Promise<RunRequest> {
  const agent = agentWord === undefined && resumed !== null ? resumed.agent : agentOf(agentWord)
  if (resumed !== null && agent !== resumed.agent)
    throw new UsageError(`the session is one of ${resumed.agent}, not of ${agent}; leave AGENT out`)
  const timeLimitMs = limitOf('--time-limit', flags['time-limit'])
  const toolMs = limitOf('--tool-limit', flags['tool-limit'])
  const interactive = flags.interactive === true
  const isFromStdin = words.length === 0 || (words.length === 1 && words[0] === '-')
  if (isFromStdin && interactive)
    throw new UsageError('no prompt; give a PROMPT after --, as --interactive reads your answers on standard input')
  const prompt = isFromStdin ? await promptOf(environment) : words.join(' ')
  if (prompt.trim() === '') throw new UsageError('no prompt; give a PROMPT after --, or on standard input')
  const problem = promptProblem(prompt)
  if (problem !== null) throw new HostError('bad-params', problem)
  const request = RunRequest.safeParse({
    agent,
    prompt,
    cwd: resolve(flags.cwd ?? (resumed?.cwd || '.')),
    model: flags.model ?? null,
    mode: flags.mode ?? null,
    extraArguments: flags.arg ?? [],
    timeLimitMs,
    resumes: resumed?.resumes ?? null,
    interactive,
    ...(toolMs === null ? {} : { limits: { ...defaultDialogueLimits, toolMs } })
  })
  if (request.success) return request.data
  const [issue] = request.error.issues
  throw new UsageError(`${optionOf[String(issue?.path[0])] ?? 'the request'}: ${issue?.message ?? 'not valid'}`)
}

const optionOf: Readonly<Record<string, string>> = {
  prompt: 'PROMPT',
  cwd: '--cwd',
  model: '--model',
  mode: '--mode',
  extraArguments: '--arg',
  timeLimitMs: '--time-limit'
}

function agentOf(word: string | undefined): AgentId {
  const known = agentIds.join(', ')
  if (word === undefined) throw new UsageError(`no agent given; use one of ${known}`)
  const type = agentTypeOf(word)
  const agent = type === null ? undefined : agentIds.find((id) => id === agents[type].words[0])
  if (agent === undefined) throw new UsageError(`unknown agent "${word}"; use one of ${known}`)
  return agent
}

/** Null: none is given. */
function limitOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const ms = durationMs(text)
  if (ms === null) throw new UsageError(`${option} ${text}: write it like 90s, 10m or 1h30m`)
  if (!RunRequest.shape.timeLimitMs.safeParse(ms).success)
    throw new UsageError(`${option} ${text}: give at least a second and at most seven days`)
  return ms
}

async function promptOf({ stdin, stderr }: Pick<Environment, 'stdin' | 'stderr'>): Promise<string> {
  if (isTerminal(stdin)) say({ stderr }, 'enter the prompt; end with Ctrl-D on a line of its own')
  const limit = RunRequest.shape.prompt.maxLength ?? Infinity
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string)
    chunks.push(bytes)
    length += bytes.length
    // A UTF-16 unit takes at most three bytes.
    if (length > 3 * limit) break
  }
  return textOf(Buffer.concat(chunks), length > 3 * limit)
}

/** `isCut`: there is more, and the prompt is too long anyway. */
function textOf(bytes: Buffer, isCut: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    throw new HostError(
      'bad-params',
      'The prompt on standard input is not UTF-8. Convert it first, for example with iconv -f ISO-8859-1 -t UTF-8.'
    )
  }
}
