import type { StoreApi } from 'zustand'
import type { LiveRun } from '#contract/live-runs.ts'
import type { TypedLog } from '#contract/library.ts'
import type { Host, LogStatus, RecentLog, Result } from '#contract/methods.ts'
import type { CompareStore } from './compare-store.ts'
import type { DialogueStore } from './dialogue-store.ts'
import type { Given } from './given-files.ts'
import type { LayoutStore } from './layout-store.ts'
import type { LibraryStore } from './library-store.ts'
import type { LiveRunsStore } from './live-runs-store.ts'
import type { LogStore } from './log-store.ts'
import type { NewRunStore } from './new-run-store.ts'
import type { Sending } from './sending.ts'
import type { SettingsStore } from './settings-store.ts'
import type { TasksBySession } from './tasks-by-session.ts'

export type Capabilities = Result<'host.capabilities'>
/** `refused`: the host refuses this page. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused'
export type Theme = 'system' | 'light' | 'dark'
export type Dialog =
  | 'none'
  | 'keys'
  | 'go-to'
  | 'open'
  | 'filter'
  | 'views'
  | 'export'
  | 'compare'
  | 'new-run'
  | 'folders'
  | 'totals'
  | 'palette'
export interface OpenError {
  path: string
  code: string
  message: string
}

/** The state of the page. */
export interface AppState {
  readonly host: Host
  readonly layout: LayoutStore
  /** A person's own tasks, if the host stores them. */
  readonly tasks: TasksBySession
  readonly liveRuns: LiveRunsStore
  /** What a person says to interactive runs. */
  readonly dialogue: DialogueStore
  readonly library: LibraryStore
  readonly newRun: NewRunStore
  readonly settings: SettingsStore
  readonly compare: CompareStore
  capabilities: Capabilities | null
  connection: Connection
  /** Why the host refuses this page; null if it does not, or if that is unknown. */
  refusal: string | null
  /** Time of the next attempt to connect, as `performance.now()`; null: during an attempt, or never. */
  retryAt: number | null
  /** Connects now; null if this host cannot come back. */
  readonly reconnect: (() => void) | null
  /** `linkTo` of the page's `PlaceKeeper`; null if the page has no links. */
  readonly linkTo: ((path: string, seq: number, filter: string) => string) | null
  /** Open logs, in the order of opening. */
  logs: LogStatus[]
  /** The stores of the current generations, by log id. Closing a log removes its store. */
  logStores: ReadonlyMap<string, LogStore>
  active: string | null
  /** The log that was shown before the library, if it is still open. */
  lastShown: string | null
  /** Last time a log grew, by id; on this page's clock, which may differ from the host's. */
  grownAt: ReadonlyMap<string, number>
  recent: RecentLog[]
  /** The path that is being opened. */
  opening: string | null
  openError: OpenError | null
  /** The progress of an upload, if it takes long. */
  sending: Sending | null
  /** Number of files in the last group that were not logs. */
  leftOut: number
  /** Logs that the typed text may mean, to choose from. */
  candidates: readonly TypedLog[]
  /** Number of further ones. */
  moreCandidates: number
  theme: Theme
  dialog: Dialog
  /** Write errors of the host that are not dismissed, as sentences; the latest last. */
  problems: readonly string[]

  openLog(path: string): Promise<void>
  /** Opens a path, or with a library also a session id, a project folder or a glob. Several logs become `candidates`. */
  openTyped(text: string): Promise<void>
  /** Opens a log at a line or event, with matches of its search marked. */
  openAt(place: LogPlace): Promise<void>
  /** Opens two logs and shows the second one beside the first, at the first difference unless `keepsPlace`. */
  compareLogs(base: string, path: string, keepsPlace?: boolean): Promise<void>
  /** Shows the recording of a run; of a running one, its end. */
  openRun(run: LiveRun): Promise<void>
  /** Starts and shows the run of the form. */
  startRun(confirmed: boolean): Promise<void>
  /** Starts and shows the same run again, or the form with the reason if that fails. */
  runAgain(run: LiveRun): Promise<void>
  /** Shows the form for a run that goes on with the session of a log. */
  goOn(path: string): Promise<void>
  /** Deletes a run and closes its recording. */
  removeRun(run: LiveRun): Promise<void>
  /** Shows the form of a new run: as a dialog, or on the start screen. */
  showRunForm(): void
  /** Opens files and folders that a person dropped, pasted or chose in the page. */
  openFiles(given: Given): Promise<void>
  /** Opens files or a folder from the system's dialog, if the host has one. */
  chooseFiles(what: 'files' | 'folder'): Promise<void>
  /** Whether a log was uploaded, without the files beside it. */
  isSent(log: string): boolean
  /** Uploads the subagent logs of an uploaded log. Rejects with the reason. */
  completeLog(log: string, given: Given): Promise<void>
  /** Cancels the upload. */
  cancelSending(): void
  closeLog(id: string): Promise<void>
  /** Reads a log again after an error or a restart of the host, and restores the place. */
  reopenLog(id: string): Promise<void>
  activate(id: string): void
  /** Shows the library or the start screen; the log stays open. */
  leaveLog(): void
  /** Shows the log that was left. */
  returnToLog(): void
  refreshRecent(): Promise<void>
  setTheme(theme: Theme): void
  setDialog(dialog: Dialog): void
  /** Asks the person whether to open a log. */
  offer(path: string): void
  /** Removes the error and the choices of the typed text. */
  dismissTyped(): void
  dismissProblems(): void
  dismissLeftOut(): void
  setConnection(connection: Connection, refusal?: string | null, retryAt?: number | null): void
}

/** A place in a log, and the search that found it. */
export interface LogPlace {
  readonly path: string
  readonly seq: number | null
  readonly line: number
  readonly find: { readonly text: string; readonly regex: boolean; readonly caseSensitive: boolean } | null
}

export type AppStore = StoreApi<AppState>
