import type { RunOptions } from '#backend/sources/run.ts'
import type { Environment } from './environment.ts'
import type { Output } from './output.ts'
import type { Progress } from './progress.ts'

/** What an export is made of. */
export interface ExportOptions {
  readonly source: RunOptions
  /** With the exact line each event came from (JSONL only). */
  readonly raw: boolean
  /** Secrets are taken out (what is made to be read by others). */
  readonly redacts: boolean
  readonly progress: Progress
}

/** What was written, for people: "12 events"; and the exit code of a command that has done what it could. */
export interface Written {
  readonly what: string
  readonly exit: number
}

/** Writes an export, a piece at a time. */
export type WriteExport = (output: Output, options: ExportOptions, environment: Environment) => Promise<Written>
