import type { LiveRun } from '#contract/live-runs.ts'

/** What tells whether a recording holds all that was printed. */
export interface DiskEvidence {
  /** The disk of the recording, as people know it, "/home". */
  readonly disk: string
  /** It had little room at some time. */
  readonly wasScarce: boolean
  /** How long the recording was when there was room for the last time before the disk was full; null: it was never seen full. */
  readonly fullFrom: number | null
  /** The agent said on standard error that a disk was full. */
  readonly saidFull: boolean
  /** Why the system may not have kept what was written, at its end, "EIO"; null: it has. */
  readonly notSaved: string | null
}

/** A live run, as its feed has to know it. */
export interface FeedStart {
  readonly run: string
  /** Where its files lie: `stderr.txt`, `hooks.jsonl`, and `stream.sse`, which the feed writes. */
  readonly folder: string
  /** The file with its standard output. */
  readonly recording: string
  /** The id of the recording's log format. */
  readonly format: string
  readonly timeLimitMs: number | null
  /** The folder of the agent's own logs, for what only these tell (`LiveNotes`); null: nothing. */
  readonly logs: string | null
  /** The database of tasks; null: tasks and results are not stored. */
  readonly tasks: string | null
  /** At the end of the run its stream is replaced by the little that it can be made anew of. */
  readonly shrinks: boolean
}

/** What a run's output has told so far. */
export interface FeedFacts {
  /** Read so far, in bytes. */
  readonly stdoutBytes: number
  readonly stderrBytes: number
  readonly sessionId: string | null
  /** As the agent stated them: of its finished turns, and of the messages of the one under way. Null: it has stated none. */
  readonly tokens: LiveRun['tokens']
  /** The main agent's list; null: it has written none. */
  readonly todo: LiveRun['todo']
  /** How the main agent's last turn ended; null: none has. */
  readonly lastTurn: LiveRun['finishReason']
  /** Nothing says that the main agent's last turn is over. */
  readonly isTurnOpen: boolean
  /** Calls that it was not allowed to make; null: none is known of. */
  readonly denied: LiveRun['denied']
  /** What the main agent said went wrong, the last of it, a short line; null: nothing, or it went on well after it. */
  readonly lastError: string | null
  /** Where the first line of the recording begins, in bytes, that holds only a part of its record; null: none does. */
  readonly tornAt: number | null
  /** Events of the recording. */
  readonly events: number
  /** How long `stream.sse` is. */
  readonly streamBytes: number
}

/** How a run ended, as its stream says it. */
export interface FeedOutcome {
  readonly finishReason: NonNullable<LiveRun['finishReason']>
  /** The main agent's last turn, once all is read, says how it ended; `finishReason` is for where no turn has ended. */
  readonly lastTurnDecides: boolean
  readonly exitCode: number | null
  readonly signal: string | null
  /** What there is to say to people of how it ended; null: nothing. */
  readonly message: string | null
  /** The last it said on standard error, in one line; empty: nothing, or it was stopped. */
  readonly lastWords: string
  /** What tells whether all was recorded; null: that is not known. */
  readonly disk: DiskEvidence | null
}

/** What a new thread that feeds a run is told (`workerData`). */
export interface FeedTask {
  readonly role: 'run-feed'
  readonly start: FeedStart
}

/** What a new thread that makes the stream of a run anew is told (`workerData`). */
export interface StreamTask {
  readonly role: 'run-stream'
  readonly folder: string
  /** A descriptor of an empty file, which the stream is written to. */
  readonly into: number
}

/** Host to thread. */
export type FeedOrder = { readonly kind: 'end'; readonly outcome: FeedOutcome } | { readonly kind: 'close' }

/** Thread to host. */
export type FeedReport =
  | { readonly kind: 'facts'; readonly facts: FeedFacts }
  | { readonly kind: 'tasks'; readonly session: string }
  | { readonly kind: 'result'; readonly session: string; readonly tool: string }
  | { readonly kind: 'streamed'; readonly bytes: number }
  /** What does not work, for whoever watches over the host; the feed goes on. */
  | { readonly kind: 'problem'; readonly message: string }
  /** The stream is written to its end. The thread goes on where it is to shrink the stream. */
  | { readonly kind: 'done'; readonly facts: FeedFacts }
