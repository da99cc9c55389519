import type { ErrorCode } from '#contract/host-error.ts'
import type { FindProgress, LogStatus, Params, Result } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import type { SavedFile } from '../saved/saved-files.ts'

/** What a new thread that owns a log is told (`workerData`); its task is the first message. */
export interface LogThread {
  readonly role: 'log'
}

/** What a host tells a thread of the log that it owns from then on. */
export interface IndexerTask {
  readonly log: string
  /** Absolute, links resolved. */
  readonly path: string
  /** Absolute, as it was asked for: a link in it may be turned to another file while the log is open. */
  readonly given: string
  /** A format id that overrides detection. */
  readonly format: string | null
  /** The folder in which indexes are kept from one time to the next; null: nowhere. */
  readonly cache: string | null
  /** What the log's former thread left when it was released; null: the log is opened for the first time. */
  readonly resumes: ReleasedLog | null
}

/** What a thread leaves that lets go of its log: enough for another one to go on as if nothing had happened. */
export interface ReleasedLog {
  /** As pages know it. */
  readonly status: LogStatus
  /** The files of the run as they were read, the main one first. */
  readonly files: readonly SavedFile[]
  /** It was to be opened again and could not be, as its file is now. */
  readonly isLost: boolean
}

/** Host to thread. */
export interface IndexerCall {
  readonly id: number
  readonly method: LogMethod
  readonly params: Params<LogMethod>
}

/** Host to thread: the log is closed; the thread ends once it has let go of everything. */
export const closing = 'close'

/** Host to thread: the files of the log may have changed unheard. */
export const looking = 'look'

/** Host to thread: the log is needed by nobody now; the thread answers `released` and ends, or `kept` where something is going on. */
export const releasing = 'release'

/** Thread to host. Top-level `ArrayBuffer`s of a result are transferred, not copied. */
export type IndexerReport =
  | { readonly kind: 'status'; readonly status: LogStatus }
  | { readonly kind: 'found'; readonly progress: FindProgress }
  | { readonly kind: 'released'; readonly released: ReleasedLog }
  | { readonly kind: 'kept' }
  | { readonly kind: 'result'; readonly id: number; readonly result: Result<LogMethod> }
  | { readonly kind: 'error'; readonly id: number; readonly code: ErrorCode; readonly message: string }
