import type { LiveRun } from '#contract/live-runs.ts'

/** Evidence whether the recording is complete. */
export interface DiskEvidence {
  /** The disk of the recording for the user: "/home". */
  readonly disk: string
  /** It was low on space at some time. */
  readonly wasScarce: boolean
  /** Size of the recording before the disk was full; null: it was never seen full. */
  readonly fullFrom: number | null
  /** Standard error has the agent's message about a full disk. */
  readonly saidFull: boolean
  /** The error code of the final fsync, "EIO"; null: success. */
  readonly notSaved: string | null
}

/** The parameters of a run's feed. */
export interface FeedStart {
  readonly run: string
  /** The folder with `stderr.txt`, `hooks.jsonl`, and `stream.sse`, which the feed writes. */
  readonly folder: string
  /** The file of standard output. */
  readonly recording: string
  /** The recording's log format. */
  readonly format: string
  /** A tool that takes longer is reported. */
  readonly timeLimitMs: number | null
  /** Somebody answers the agent (`DialogueNote`); absent: nobody. */
  readonly interactive?: boolean
  /** The folder of the agent's own logs, for `LiveNotes`; null: not needed. */
  readonly logs: string | null
  /** The task database; null: tasks and results are not stored. */
  readonly tasks: string | null
  /** After the run, the stream is replaced by the data to rebuild it. */
  readonly shrinks: boolean
  /** The agent has ended: no clock measures its calls. */
  readonly isOver?: boolean
}

/** What the recording lacks of the agent's own log, of which it is a copy. */
export interface Uncopied {
  /** The first byte that may be missing. */
  readonly from: number
  /** The system's error code, "EIO"; null: the disk is full. */
  readonly error: string | null
}

/** The state of a run, from its output so far. */
export interface FeedFacts {
  /** Bytes read so far. */
  readonly stdoutBytes: number
  readonly stderrBytes: number
  readonly sessionId: string | null
  /** As the agent reported, for finished turns and messages of the current one; null: not reported. */
  readonly tokens: LiveRun['tokens']
  /** The main agent's list; null: none. */
  readonly todo: LiveRun['todo']
  /** The end of the main agent's last turn; null: no turn has ended. */
  readonly lastTurn: LiveRun['finishReason']
  /** The main agent's last turn has no end yet. */
  readonly isTurnOpen: boolean
  /** Calls that were denied; null: none known. */
  readonly denied: LiveRun['denied']
  /** The main agent's last error, a short line; null: none, or it continued successfully. */
  readonly lastError: string | null
  /** Offset of the first truncated record in the recording; null: none. */
  readonly tornAt: number | null
  /** Null: nothing, or the agent writes its recording itself. */
  readonly uncopied: Uncopied | null
  /** Number of events in the recording. */
  readonly events: number
  /** Size of `stream.sse`. */
  readonly streamBytes: number
}

/** The end of a run, for its stream. */
export interface FeedOutcome {
  readonly finishReason: NonNullable<LiveRun['finishReason']>
  /** The main agent's last turn decides; `finishReason` applies if no turn has ended. */
  readonly lastTurnDecides: boolean
  readonly exitCode: number | null
  readonly signal: string | null
  /** An explanation for the user; null: none. */
  readonly message: string | null
  /** The end of standard error in one line; empty: nothing, or the run was stopped. */
  readonly stderrTail: string
  /** Null: unknown. */
  readonly disk: DiskEvidence | null
}

/** `workerData` of a feed thread. */
export interface FeedTask {
  readonly role: 'run-feed'
  readonly start: FeedStart
}

/** `workerData` of a thread that rebuilds a stream. */
export interface StreamTask {
  readonly role: 'run-stream'
  readonly folder: string
  /** The descriptor of an empty file for the stream. */
  readonly into: number
}

/** Host to thread. */
export type FeedOrder =
  | { readonly kind: 'end'; readonly outcome: FeedOutcome }
  | { readonly kind: 'close' }
  /** The agent has ended, and `end` follows. */
  | { readonly kind: 'agent-ended' }

/** Thread to host. */
export type FeedReport =
  | { readonly kind: 'facts'; readonly facts: FeedFacts }
  | { readonly kind: 'tasks'; readonly session: string }
  | { readonly kind: 'result'; readonly session: string; readonly tool: string }
  | { readonly kind: 'streamed'; readonly bytes: number }
  /** An error, for the operator of the host; the feed continues. */
  | { readonly kind: 'problem'; readonly message: string }
  /** The stream is complete. The thread continues if it shrinks the stream. */
  | { readonly kind: 'done'; readonly facts: FeedFacts }
