import type { Tokens } from './tokens.ts'

/**
 * What a line says of one request to a model. Several lines may be of one request: they have one `key`, and what the last of them states
 * counts.
 */
export interface RequestNote {
  readonly about: 'request'
  /** Tells the request from all others of the log. A copy of a line in a fork, or in a resumed session, has the key of the line. */
  readonly key: string
  readonly trackId: string | undefined
  readonly model?: string | undefined
  /** Without an output where the line states only what it was when the answer began. */
  readonly tokens: Tokens
  /** Characters that this line holds of what the model wrote, where there may be more of them than the output that it states. */
  readonly written?: number | undefined
  /** Tokens that fit into the model's context, where the line says so. */
  readonly window?: number | undefined
}

/** What the end of a turn states of all requests of its track since the end before. */
export interface TurnNote {
  readonly about: 'turn'
  readonly trackId: string | undefined
  readonly model: string | undefined
  /** Empty where the end of the turn states none. */
  readonly tokens: Tokens
  /** By model: tokens that fit into its context. */
  readonly windows?: Readonly<Record<string, number>> | undefined
  /** From the first request of the turn to the first token of its answer. */
  readonly firstTokenMs?: number | undefined
}

export type TokenNote = RequestNote | TurnNote

/**
 * Whether the stated output is too small to be true. Claude Code 1.0.51 to 2.1.39 log a count from the beginning of the answer
 * (anthropics/claude-code #22686, #27361). In logs the share of stated output in a quarter of the characters is 0.65 and more, or 0.30 and
 * less; nothing lies between.
 */
export function isUnderstated(output: number, written: number): boolean {
  return written > 200 && output < written / 10
}
