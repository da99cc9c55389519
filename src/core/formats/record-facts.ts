import type { JsonObject } from '../json.ts'
import type { FileEffect } from './file-effect.ts'

/** A recorded change of a file. */
export interface RecordedDiff {
  readonly path: string
  /** The file is new. */
  readonly created: boolean
  /** Hunks of a unified diff. */
  readonly patch: string
}

/** A record's facts beside the event. Absent: not stated. */
export interface RecordFacts {
  /** The model that wrote this. */
  readonly model?: string | undefined
  /** Tokens of the message or of a subagent's work, under the vendor's names. */
  readonly usage?: JsonObject | undefined
  /** Of a command that ended. */
  readonly exitCode?: number | undefined
  readonly diffs?: readonly RecordedDiff[] | undefined
  /** The call was denied. */
  readonly isDenied?: boolean | undefined
  /** A hook ran after an edit, and may have changed the file. */
  readonly hookRan?: boolean | undefined
  /** The working folder at this record. */
  readonly folder?: string | undefined
  /** Of a result: what the record states of files. It counts instead of the call's input. Absent: the input counts. */
  readonly files?: readonly FileEffect[] | undefined
}

/** Limit of all diffs in characters; above it the call's input is shown instead. */
export const maxDiffs = 1_000_000

/** A diff from its first hunk; none without a hunk or above `maxDiffs`. */
export function recordedDiff(path: string, diff: string, created = false): readonly RecordedDiff[] {
  const from = diff.search(/^@@/m)
  return from < 0 || diff.length > maxDiffs ? [] : [{ path, created, patch: diff.slice(from) }]
}
