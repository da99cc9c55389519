import type { Tokens } from './tokens.ts'

/**
 * For logs that state tokens at turn ends: `turn` is all requests of a turn; `rest` is what a turn end states beyond the
 * requests in the log.
 */
export const requestKinds = ['request', 'turn', 'rest'] as const
export type RequestKind = (typeof requestKinds)[number]

/** How a request was served, where it has a price of its own. `fast`, `priority`: for more; `flex`, `batch`: for less. */
export const requestTiers = ['standard', 'fast', 'priority', 'flex', 'batch'] as const
export type RequestTier = (typeof requestTiers)[number]

/** A line's statement about one request to a model. Lines of one request share a `key`; the last one counts. */
export interface RequestNote {
  readonly about: 'request'
  /** Absent: `request`. */
  readonly of?: RequestKind
  /** Unique to the request in the log. A copied line in a fork or a resumed session has the same key. */
  readonly key: string
  readonly trackId: string | undefined
  readonly model?: string | undefined
  /** Without an output if the line states only that of the answer's start. */
  readonly tokens: Tokens
  /** Characters of the model's text in this line, if the stated output may be too small. */
  readonly written?: number | undefined
  /** Tokens of the model's context window, if stated. */
  readonly window?: number | undefined
  /** Absent: the log does not tell. */
  readonly tier?: RequestTier | undefined
  /** What the log says it cost, in US dollars. */
  readonly costUsd?: number | undefined
  /** As in `ModelRequest`, where the log itself states it. */
  readonly settled?: boolean | undefined
  readonly inRunCost?: boolean | undefined
  readonly firstTokenMs?: number | undefined
}

/** A turn end's statement about its requests. */
export interface TurnNote {
  readonly about: 'turn'
  readonly trackId: string | undefined
  /** Keys of its requests. Absent: all of its track since the previous turn end. */
  readonly requests?: readonly string[] | undefined
  readonly model: string | undefined
  /** Empty if not stated. */
  readonly tokens: Tokens
  /** By model: tokens of its context window. */
  readonly windows?: Readonly<Record<string, number>> | undefined
  /** Time from the turn's first request to the first token of its answer. */
  readonly firstTokenMs?: number | undefined
}

/** A statement about all requests of all tracks since the last such statement. */
export interface TotalsNote {
  readonly about: 'totals'
  readonly byModel: readonly { readonly model: string; readonly tokens: Tokens }[]
}

/** The agent replaced what its model had read by a summary. */
export interface CompactionNote {
  readonly about: 'compaction'
  readonly trackId: string | undefined
  /** Tokens of the context before and after it, if stated. */
  readonly before: number | undefined
  readonly after?: number | undefined
}

/** A record's statement about the cost of the run so far, beside those of turn ends (`TurnCompleted.costUsd`). */
export interface CostNote {
  readonly about: 'cost'
  /** US dollars, of all agents. */
  readonly costUsd: number
  /** The requests say themselves whether they are in it (`inRunCost`). Absent: all before are. */
  readonly ofNamed?: boolean | undefined
}

/** `events`: those of the line that it is about, by their places among them. Absent: all. `last` before `first`: none. */
export type TokenNote = (RequestNote | TurnNote | TotalsNote | CompactionNote | CostNote) & {
  readonly events?: { readonly first: number; readonly last: number } | undefined
}

/**
 * Whether the stated output is too small. Claude Code 1.0.51 to 2.1.39 log a count from the start of the answer
 * (anthropics/claude-code #22686, #27361). In logs, stated output divided by a quarter of the characters is at least
 * 0.65 or at most 0.30.
 */
export function isUnderstated(output: number, written: number): boolean {
  return written > 200 && output < written / 10
}
