import * as z from 'zod'
import { DeniedCalls } from '#core/bridge/denied-calls.ts'
import { Answer, Ask } from '#core/dialogue/ask.ts'
import { mostPromptCharacters } from '#core/dialogue/prompt-queue.ts'
import { agents } from '#core/formats/agents.ts'
import { groupedText } from '#core/measure-text.ts'

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
  modes: z.array(PermissionMode),
  /** What an interactive run of it offers; null: it cannot be talked to. */
  dialogue: z
    .object({
      /** Its modes while somebody can be asked. The first one is the default. */
      modes: z.array(PermissionMode),
      /** Why this version of it cannot be talked to, and what to do; null: it can, as far as is known. */
      problem: z.string().nullable().optional(),
      /** What other agents do and it cannot, a sentence; null: nothing. */
      lacks: z.string().nullable(),
      /** A prompt can join the turn that runs (`when: 'now'`). */
      promptsDuringTurn: z.boolean(),
      /** A refusal can carry words for the model, and can end the turn. */
      refusal: z.object({ tellsMessage: z.boolean(), endsTurn: z.boolean() }),
      /** A dangerous mode is taken only if the run was started with `mayBecomeDangerous`, or in that mode. */
      dangerIsDecidedAtStart: z.boolean(),
      /** What it states of its spending: which limits can be held. */
      states: z.object({ usd: z.boolean(), tokens: z.enum(['in-turns', 'after-turns']) })
    })
    .nullable()
})
export type Agent = z.infer<typeof Agent>

/** Why the prompt is invalid and what to do; null: valid. */
export function promptProblem(prompt: string): string | null {
  if (prompt.length > mostPromptCharacters) {
    const most = groupedText(mostPromptCharacters)
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

const hourMs = 3_600_000

/** Limits of a run; null: none. Each is checked by the host, and never allows anything. */
export const DialogueLimits = z.object({
  /** An ask that nobody answers in this time is refused, and the turn interrupted. */
  askMs: z
    .int()
    .min(60_000)
    .max(24 * hourMs)
    .nullable(),
  /** In US dollars, as the agent states them. The turn is interrupted, and the queue held. */
  usd: z.number().positive().max(1_000_000).nullable(),
  /** Sent and received. As with the cost. */
  tokens: z.int().min(1).max(1e12).nullable(),
  /** The run is finished after this time without a turn. */
  idleMs: z
    .int()
    .min(60_000)
    .max(7 * 24 * hourMs)
    .nullable(),
  /** A call that takes longer is reported. Nothing is stopped. */
  toolMs: z
    .int()
    .min(1000)
    .max(7 * 24 * hourMs)
    .nullable()
})
export type DialogueLimits = z.infer<typeof DialogueLimits>

export const defaultDialogueLimits: DialogueLimits = {
  askMs: null,
  usd: null,
  tokens: null,
  idleMs: hourMs,
  toolMs: null
}

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
    .max(7 * 24 * hourMs)
    .nullable(),
  /** What changed in the folder is kept, turn by turn (`run.changes`), if it is in a git repository. */
  keepsChanges: z.boolean().optional(),
  /** A person is asked, and can prompt again. The time limit stands still while somebody is asked. */
  interactive: z.boolean().optional(),
  /** Of an interactive run: the person allowed at the start that its mode may become a dangerous one later. */
  mayBecomeDangerous: z.boolean().optional(),
  /** Absent: `defaultDialogueLimits`. Only `toolMs` is one of a run that nobody is asked in. */
  limits: DialogueLimits.optional(),
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
  /** A sentence: what the agent does not know of the session. */
  note: z.string(),
  /** Sentences: what is wrong with the session or its folder. */
  warnings: z.array(z.string())
})
export type Resumable = z.infer<typeof Resumable>

/** Characters of an ask's JSON in a `LiveRun`. A longer one is cut, and must be fetched by `run.ask` before it can be allowed. */
export const maxAskJson = 1 << 16

/** An ask that waits for an answer. */
export const OpenAsk = Ask.extend({
  /** Too long: `input` is the first part of its JSON, a text, and questions are missing. `run.ask` has all. */
  cut: z.boolean()
})
export type OpenAsk = z.infer<typeof OpenAsk>

/** A prompt that waits for its turn. */
export const QueuedPrompt = z.object({
  id: z.string(),
  /** Cut after a few thousand characters. `run.queued` has all. */
  text: z.string(),
  cut: z.boolean()
})
export type QueuedPrompt = z.infer<typeof QueuedPrompt>

/** The state of an interactive run. */
export const RunDialogue = z.object({
  /** `starting`: no prompt can be sent yet. From `stopping` on nothing can be sent any more. */
  turn: z.enum(['starting', 'working', 'asking', 'interrupting', 'idle', 'stopping', 'ended', 'lost']),
  /** In force, as the agent stated it last. */
  mode: z.string(),
  /** Asked for, and not yet taken by the agent; null: none. */
  wantedMode: z.string().nullable(),
  /** Oldest first. */
  asks: z.array(OpenAsk),
  /** Next one first. */
  queue: z.array(QueuedPrompt),
  /** Nothing queued starts before `release`: after an interrupt or a limit (`notice`). */
  held: z.boolean(),
  /** So far. Null: not stated. */
  spent: z.object({ usd: z.number().nullable(), tokens: z.number().nullable() }),
  /** Time that somebody was asked, in ms: the time limit stood still. */
  waitedMs: z.number(),
  /** Since when somebody is asked now, in ms since the epoch; null: nobody is. */
  waitingSince: z.number().nullable(),
  /** When the agent printed last, in ms since the epoch; null: nothing yet. */
  printedAt: z.number().nullable(),
  /** The last thing a person should know, a sentence: a limit was reached, the agent stayed in its mode; null: nothing. */
  notice: z.string().nullable(),
  /** When it was said, in ms since the epoch: the same may be said again. */
  noticeAt: z.number().nullable().default(null)
})
export type RunDialogue = z.infer<typeof RunDialogue>

export const finishReasons = ['done', 'error', 'cancelled', 'timeout'] as const

/** A run that this user's Playhead started. */
export const LiveRun = RunRequest.extend({
  run: RunId,
  /** The program's version; null: unknown. */
  version: z.string().nullable(),
  /** The program and its arguments, redacted. */
  commandLine: z.array(z.string()),
  /** Why the agent does not report tool results at once, by Playhead's hook, a sentence; null: it does, or none of its kind does. */
  hookLost: z.string().nullable().default(null),
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
  /** The file with its standard output, byte for byte; for a format that is not printed, a copy of the agent's own log. Open it with `log.open` and `format`. */
  recording: z.string(),
  format: z.string(),
  sessionId: z.string().nullable(),
  /** Bytes of the recording so far. */
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
  todo: z.object({ completed: z.int(), total: z.int() }).nullable(),
  /** Null: the run is not interactive. */
  dialogue: RunDialogue.nullable().default(null)
})
export type LiveRun = z.infer<typeof LiveRun>

/** The duration of a run in ms, by the wall clock if it was not measured; null: it is running. */
export function runTook({ startedAt, endedAt, elapsedMs }: LiveRun): number | null {
  return endedAt === null ? null : (elapsedMs ?? Math.max(0, endedAt - startedAt))
}

const AskId = z.string().min(1).max(10_000)
const Prompt = RunRequest.shape.prompt

export const QueueChange = z.union([
  /** `to`: its new place, 0: the next one. */
  z.strictObject({ move: z.string(), to: z.int().min(0) }),
  z.strictObject({ edit: z.string(), text: Prompt }),
  z.strictObject({ drop: z.string() }),
  z.strictObject({ hold: z.literal(true) }),
  z.strictObject({ release: z.literal(true) })
])
export type QueueChange = z.infer<typeof QueueChange>

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
   * Starts an agent; resolves when its process runs or has failed (`state`). Dangerous modes and arguments need `confirmed`, else
   * 'not-confirmed'; a nearly full disk needs `lowDisk`, else 'low-disk'. 'bad-params' for an invalid folder or mode. With
   * `resumes`: 'not-found' if the session is gone, 'busy' while a run goes on with it, or
   * while its agent would damage it.
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
  /**
   * Answers an ask of an interactive run, once: whoever is first. 'already-answered': it is answered or withdrawn. 'not-own': another
   * Playhead started the run. 'unavailable': a cut input that was not fetched (`run.ask`), what cannot be allowed, or the run is over.
   * 'bad-params': no such ask, an answer of another kind, or a mode that the ask does not offer.
   */
  'run.answer': { params: z.object({ run: RunId, ask: AskId, answer: Answer }), result: LiveRun },
  /** An open ask with its whole input. 'already-answered' if it is open no more. */
  'run.ask': { params: z.object({ run: RunId, ask: AskId }), result: z.object({ ask: OpenAsk }) },
  /**
   * `queue`: when the turns before it are over; at once if idle. `now`: joins the turn that runs; 'not-offered' if the agent cannot.
   * `if-idle`: only if no turn runs and nothing waits, else 'unavailable', or 'held' if a held queue waits.
   */
  'run.prompt': {
    params: z.object({ run: RunId, text: Prompt, when: z.enum(['queue', 'now', 'if-idle']) }),
    result: LiveRun
  },
  /** Changes the queue. `hold`: nothing queued starts; `release`: it goes on. 'gone': the prompt was sent or dropped. */
  'run.queue': { params: z.object({ run: RunId, change: QueueChange }), result: LiveRun },
  /** The whole text of a queued prompt. 'gone': it was sent or dropped. */
  'run.queued': { params: z.object({ run: RunId, id: z.string() }), result: z.object({ text: z.string() }) },
  /** Ends the turn, not the run, and holds the queue. No effect without a turn. */
  'run.interrupt': { params: z.object({ run: RunId }), result: LiveRun },
  /** Ends the run: the agent gets no more input. What does not end within 20 s is stopped. */
  'run.finish': { params: z.object({ run: RunId }), result: LiveRun },
  /** 'not-confirmed': the mode is dangerous. 'not-offered': there is no such mode, or it must be allowed at the start. */
  'run.setMode': {
    params: z.object({ run: RunId, mode: z.string().min(1).max(100), confirmed: z.boolean() }),
    result: LiveRun
  },
  /** Raises or removes limits. A queue that a limit held stays held until `release`. */
  'run.setLimits': { params: z.object({ run: RunId, limits: DialogueLimits }), result: LiveRun },
  /**
   * What changed in the folder of a run: in one turn, from 1 on, or in all of it (null). Others may have changed files too. `isGivenUp`: a
   * tree took too long or too much room, so later changes are missing. 'unavailable': nothing was kept, or it cannot be read any more.
   */
  'run.changes': {
    params: z.object({ run: RunId, turn: z.int().min(1).nullable() }),
    result: z.object({
      turns: z.int(),
      files: z.array(
        z.object({
          path: z.string(),
          kind: z.enum(['added', 'deleted', 'changed', 'renamed']),
          /** Before it was renamed; null: it was not. */
          formerPath: z.string().nullable(),
          /** Null: unknown, as of a binary file. */
          addedLines: z.int().nullable(),
          removedLines: z.int().nullable()
        })
      ),
      /** For `git apply`, in the order of `files`. Only whole files. */
      patch: z.string(),
      /** Files are missing: it would be too long. */
      isCut: z.boolean(),
      isGivenUp: z.boolean()
    })
  },
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
