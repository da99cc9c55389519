import type { ErrorCode } from '#contract/host-error.ts'
import type { FindProgress, LogStatus, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import type { SavedFile } from '../saved/saved-files.ts'

/** `workerData` of a log's thread; its task is the first message. */
export interface LogThread {
  readonly role: 'log'
}

/** The log that a thread owns. */
export interface IndexerTask {
  readonly log: string
  readonly path: string
  /** Absolute, as requested: links in it may change while the log is open. */
  readonly given: string
  /** A format id that overrides detection. */
  readonly format: string | null
  /** The folder of saved indexes; null: none. */
  readonly cache: string | null
  /** From an earlier thread that released the log; null: first opening. */
  readonly resumes: ReleasedLog | null
}

/** What a thread leaves when it releases its log, enough for another one to continue. */
export interface ReleasedLog {
  /** As pages have it. */
  readonly status: LogStatus
  /** The files as they were read, the main one first. */
  readonly files: readonly SavedFile[]
  /** Opening it again has failed. */
  readonly isLost: boolean
}

/** Host to thread. */
export interface IndexerCall {
  readonly id: number
  readonly method: LogMethod
  readonly params: Params<LogMethod>
}

/** Host to thread: the log is closed; the thread cleans up and exits. */
export const closing = 'close'

/** Host to thread: check the files, which may have changed without a report. */
export const looking = 'look'

/** Host to thread: the log is unused; the thread answers `released` and exits, or `kept` if it is not idle. */
export const releasing = 'release'

/** Thread to host. Top-level `ArrayBuffer`s of a result are transferred, not copied. */
export type IndexerReport =
  | { readonly kind: 'status'; readonly status: LogStatus }
  | { readonly kind: 'found'; readonly progress: FindProgress }
  | { readonly kind: 'released'; readonly released: ReleasedLog }
  | { readonly kind: 'kept' }
  | { readonly kind: 'result'; readonly id: number; readonly result: Result<LogMethod> }
  | { readonly kind: 'error'; readonly id: number; readonly code: ErrorCode; readonly message: string }
