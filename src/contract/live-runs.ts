import * as z from 'zod'
import { DeniedCalls } from '#core/bridge/denied-calls.ts'
import { mostPromptCharacters } from '#core/dialogue/prompt-queue.ts'
import { agents } from '#core/formats/agents.ts'

/** The agents that Playhead can start, by the names that `playhead run` takes. */
export const agentIds = [
  agents['claude-code'].words[0],
  agents['openai-codex'].words[0],
  agents['google-gemini'].words[0]
] as const
export const AgentId = z.enum(agentIds)
export type AgentId = z.infer<typeof AgentId>

/** What an agent may do without asking. */
export const PermissionMode = z.object({
  /** In the agent's own words, as `playhead run --mode` takes it. */
  id: z.string(),
  title: z.string(),
  /** Its meaning for the user, a sentence. */
  note: z.string(),
  /** The agent may change or run anything without asking: never the default, and confirmed by the user. */
  dangerous: z.boolean()
})
export type PermissionMode = z.infer<typeof PermissionMode>

/** An agent, and its program on this machine. */
export const Agent = z.object({
  agent: AgentId,
  /** The display name, "Claude Code". */
  title: z.string(),
  /** The name searched on PATH. */
  program: z.string(),
  /** The user's path or name instead; null: none. */
  chosen: z.string().nullable(),
  /** The executable; null: see `problem`. */
  command: z.string().nullable(),
  /** Stated by the program; null: unknown. */
  version: z.string().nullable(),
  /** Why it cannot be started and what to do; null: it can. */
  problem: z.string().nullable(),
  /** A command line that installs it. */
  install: z.string(),
  /** The first one is the default. It is not dangerous. */
  modes: z.array(PermissionMode)
})
export type Agent = z.infer<typeof Agent>

/** Why the prompt is invalid and what to do; null: valid. */
export function promptProblem(prompt: string): string | null {
  if (prompt.length > mostPromptCharacters) {
    const most = mostPromptCharacters.toLocaleString('en-US')
    return `The prompt is too long. The limit is ${most} characters. Move the long part to a file, and tell the agent to read it.`
  }
  if (/\p{Surrogate}/u.test(prompt))
    return 'The prompt contains an incomplete character. Retype the place that shows a box or a question mark.'
  return null
}

/** Ids of Playhead's runs. */
const RunId = z.string().min(1).max(64)

/** The session that a run goes on with. */
export const Resumed = z.object({
  /** The agent's id of the session: one word, and no option. */
  session: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/),
  /** An earlier run of the session; null: the host looks for the latest, and null in its answer if there is none. */
  run: RunId.nullable()
})
export type Resumed = z.infer<typeof Resumed>

export const RunRequest = z.object({
  agent: AgentId,
  /** Passed on standard input: no shell and no option parser reads it. */
  prompt: z.string().min(1).max(mostPromptCharacters),
  /** The working folder, absolute. */
  cwd: z.string().min(1).max(4096),
  /** null: the agent's own choice. */
  model: z.string().min(1).max(200).nullable(),
  /** null: the agent's first mode. */
  mode: z.string().min(1).max(100).nullable(),
  /** Each is one argument, unchanged. */
  extraArguments: z.array(z.string().max(10_000)).max(100),
  /** Time after which it is stopped; null: never. */
  timeLimitMs: z
    .int()
    .min(1000)
    .max(7 * 24 * 3_600_000)
    .nullable(),
  /** Null: a new session. Else `cwd` must be the session's folder. */
  resumes: Resumed.nullable().default(null)
})
export type RunRequest = z.infer<typeof RunRequest>

/** A session that a run can go on with. */
export const Resumable = z.object({
  /** `cwd`: empty if unknown. */
  request: RunRequest.omit({ prompt: true }).extend({ cwd: z.string(), resumes: Resumed }),
  /** The session's title; null: none. */
  title: z.string().nullable(),
  /** Sentences for the user: what the agent forgets, and what is wrong with the session. */
  notes: z.array(z.string())
})
export type Resumable = z.infer<typeof Resumable>

export const finishReasons = ['done', 'error', 'cancelled', 'timeout'] as const

/** A run that this user's Playhead started. */
export const LiveRun = RunRequest.extend({
  run: RunId,
  /** The program's version; null: unknown. */
  version: z.string().nullable(),
  /** The program and its arguments, redacted. */
  commandLine: z.array(z.string()),
  /** `ended`: no process is left. `failed`: none was started (`message`). `lost`: its Playhead ended before it. */
  state: z.enum(['starting', 'running', 'stopping', 'ended', 'failed', 'lost']),
  /** Started by this host, which can stop it. */
  own: z.boolean(),
  /** Ms since the epoch. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** So far, by a monotonic clock. Null: unknown, as for lost runs and running ones of another host. */
  elapsedMs: z.number().min(0).nullable().default(null),
  finishReason: z.enum(finishReasons).nullable(),
  exitCode: z.int().nullable(),
  /** The signal that ended its process, "SIGKILL"; null: none. */
  signal: z.string().nullable(),
  /** It ended without an error, but its output does not say that it finished. Then `finishReason` is never `done`. */
  unfinished: z.boolean().default(false),
  /** Denied calls so far; null: none known. */
  denied: DeniedCalls.nullable().default(null),
  /** About its state or end, for people: why it failed, that it printed nothing, that it closed its output. */
  message: z.string().nullable(),
  /** Output that may be missing from the recording; null: none known. `from`: complete bytes. `disk`: its mount point. */
  incomplete: z
    .object({ from: z.int().min(0), reason: z.enum(['disk-full', 'disk-error']), disk: z.string() })
    .nullable()
    // For runs of older versions.
    .default(null),
  /** The file with its standard output, byte for byte. Open it with `log.open` and `format`. */
  recording: z.string(),
  format: z.string(),
  sessionId: z.string().nullable(),
  /** Bytes printed so far. */
  stdoutBytes: z.number(),
  stderrBytes: z.number(),
  /** Stated so far; null: not yet. */
  tokens: z
    .object({
      sent: z.number().nullable(),
      received: z.number().nullable(),
      /** More was received than the agent has stated. */
      atLeast: z.boolean().default(false)
    })
    .nullable(),
  /** The main agent's list; null: none yet. */
  todo: z.object({ completed: z.int(), total: z.int() }).nullable()
})
export type LiveRun = z.infer<typeof LiveRun>

/** The duration of a run in ms, by the wall clock if it was not measured; null: it is running. */
export function runTook({ startedAt, endedAt, elapsedMs }: LiveRun): number | null {
  return endedAt === null ? null : (elapsedMs ?? Math.max(0, endedAt - startedAt))
}

/** A run that is not deleted. `why`: the end of a sentence for people, "it goes on". */
export const Spared = z.object({ run: RunId, why: z.string() })
export type Spared = z.infer<typeof Spared>

export const liveRunMethods = {
  /** The agents, searched again. */
  'agent.list': { params: z.object({}), result: z.object({ agents: z.array(Agent) }) },
  /** Sets the program of an agent: a path, or a name on PATH; null: the default. */
  'agent.setCommand': {
    params: z.object({ agent: AgentId, command: z.string().min(1).max(4096).nullable() }),
    result: Agent
  },
  /**
   * Starts an agent; resolves when its process runs or has failed (`state`). Dangerous requests need `confirmed`, else
   * 'not-confirmed'; a nearly full disk needs `lowDisk`, else 'low-disk'. 'bad-params' for an invalid folder or mode. With
   * `resumes`: 'not-found' if the session is gone, 'busy' while a run goes on with it.
   */
  'run.start': {
    params: z.object({ request: RunRequest, confirmed: z.boolean(), lowDisk: z.boolean().optional() }),
    result: LiveRun
  },
  /**
   * What `run.start` needs to go on with the session of a log; a dangerous mode of its run is left out. 'unavailable': its
   * agent cannot; 'not-found': the session is gone; 'busy': a run goes on with it.
   */
  'run.resumable': { params: z.object({ path: z.string().min(1).max(4096) }), result: Resumable },
  /**
   * The runs of all hosts with this state folder, latest first: `count` (200) runs older than `before`. `sizes`: bytes of each
   * folder. `total`, `bytes`: of all runs. `unreadable`: folders with an invalid manifest, which only `bytes` includes.
   */
  'run.list': {
    params: z.object({ before: RunId.optional(), count: z.int().min(1).max(500).optional() }),
    result: z.object({
      runs: z.array(LiveRun),
      sizes: z.array(z.number()),
      total: z.int(),
      bytes: z.number(),
      unreadable: z.array(z.object({ run: RunId, bytes: z.number() }))
    })
  },
  /**
   * Lists the runs that are not among the newest `keep` and ended before `endedBefore`; null: no limit; both null: no runs.
   * `spared`: runs that stay because they are running, lost and not settled, unreadable, or have bookmarks or breakpoints.
   */
  'run.removable': {
    params: z.object({ keep: z.int().min(0).max(1_000_000).nullable(), endedBefore: z.number().nullable() }),
    result: z.object({ runs: z.array(RunId), bytes: z.number(), spared: z.array(Spared) })
  },
  /** Interrupts the agent, then kills it. Resolves at once; `run.changed` has the progress. No effect on an ended run. */
  'run.stop': { params: z.object({ run: RunId }), result: LiveRun },
  /** Bytes of standard error. `length`: of all. */
  'run.stderr': {
    params: z.object({ run: RunId, from: z.int().min(0), count: z.int().min(1).max(1_048_576) }),
    result: z.object({ from: z.int(), length: z.number(), bytes: z.instanceof(ArrayBuffer) })
  },
  /**
   * Deletes runs with their recordings in the state folder, but none that is running, or lost and not settled. Unreadable ones
   * and ones with bookmarks or breakpoints only with `named`: the person named each run. `bytes`: freed.
   */
  'run.remove': {
    params: z.object({ runs: z.array(RunId).min(1).max(100_000), named: z.boolean() }),
    result: z.object({ removed: z.array(RunId), bytes: z.number(), spared: z.array(Spared) })
  }
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>

export const liveRunNotices = {
  /** A run started, changed (at most a few times a second) or ended. */
  'run.changed': LiveRun,
  'run.removed': z.object({ run: RunId })
} as const satisfies Record<string, z.ZodType>
