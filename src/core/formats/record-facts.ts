import type { JsonObject } from '../json.ts'

/** How a file was changed, as the agent recorded it. */
export interface RecordedDiff {
  readonly path: string
  /** The file was not there before. */
  readonly created: boolean
  /** Hunks of a unified diff. */
  readonly patch: string
}

/** What a record says of one of its events beside the event itself. What it does not say is absent. */
export interface RecordFacts {
  /** The model that said or called this. */
  readonly model?: string | undefined
  /** Tokens of the message, or of what a subagent did, in the vendor's own names. */
  readonly usage?: JsonObject | undefined
  /** Of a command that ended. */
  readonly exitCode?: number | undefined
  readonly diffs?: readonly RecordedDiff[] | undefined
  /** The agent was not allowed to make the call. */
  readonly isDenied?: boolean | undefined
}

/** Diffs longer than this, all together, are left out: what the call says of them is shown instead. */
export const maxDiffs = 1_000_000

/** One diff of a file, from its first hunk on; none where it has no hunk, whatever it is called, or too much of it. */
export function recordedDiff(path: string, diff: string, created = false): readonly RecordedDiff[] {
  const from = diff.search(/^@@/m)
  return from < 0 || diff.length > maxDiffs ? [] : [{ path, created, patch: diff.slice(from) }]
}
