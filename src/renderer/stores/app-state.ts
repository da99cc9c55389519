import type { StoreApi } from 'zustand'
import type { LiveRun } from '#contract/live-runs.ts'
import type { TypedLog } from '#contract/library.ts'
import type { Host, LogStatus, RecentLog, Result } from '#contract/methods.ts'
import type { Given } from './given-files.ts'
import type { LayoutStore } from './layout-store.ts'
import type { LibraryStore } from './library-store.ts'
import type { LiveRunsStore } from './live-runs-store.ts'
import type { LogStore } from './log-store.ts'
import type { NewRunStore } from './new-run-store.ts'
import type { Sending } from './sending.ts'
import type { TasksBySession } from './tasks-by-session.ts'

export type Capabilities = Result<'host.capabilities'>
/** `refused`: the host does not take this page. */
export type Connection = 'connecting' | 'open' | 'lost' | 'refused'
export type Theme = 'system' | 'light' | 'dark'
export type Dialog = 'none' | 'keys' | 'go-to' | 'open' | 'filter' | 'export' | 'new-run' | 'folders' | 'palette'
export interface OpenError {
  path: string
  code: string
  message: string
}

/** What lives as long as the page. */
export interface AppState {
  readonly host: Host
  readonly layout: LayoutStore
  /** A person's own tasks, where the host keeps any. */
  readonly tasks: TasksBySession
  readonly liveRuns: LiveRunsStore
  readonly library: LibraryStore
  readonly newRun: NewRunStore
  capabilities: Capabilities | null
  connection: Connection
  /** Why the host does not take this page; null where it does, or where that is not known. */
  refusal: string | null
  /** When a connection that is lost is tried again, as of `performance.now()`; null: right now, or never. */
  retryAt: number | null
  /** Tries again now; null: this host does not come back. */
  readonly reconnect: (() => void) | null
  /** A link to an event of a log; null: this page has none. */
  readonly linkTo: ((path: string, seq: number) => string) | null
  /** Open logs in the order in which they were opened. */
  logs: LogStatus[]
  /** By id, of the generation it is in. Closing a log drops its store. */
  logStores: ReadonlyMap<string, LogStore>
  active: string | null
  /** The log that was shown before the library; null: none that is still open. */
  lastShown: string | null
  /** By id, when a log was last seen to grow: ms since the epoch on this page's clock, which may differ from the host's. */
  grownAt: ReadonlyMap<string, number>
  recent: RecentLog[]
  /** The path that is being opened. */
  opening: string | null
  openError: OpenError | null
  /** Files that are sent to be opened, once that takes a while. */
  sending: Sending | null
  /** How many files were no logs, of those that were opened together last. */
  leftOut: number
  /** Logs that what was typed may mean, to choose from. */
  meant: readonly TypedLog[]
  /** How many more there are. */
  moreMeant: number
  theme: Theme
  dialog: Dialog
  /** What the host could not keep, sentences that the person has not dismissed; the latest last. */
  problems: readonly string[]

  openLog(path: string): Promise<void>
  /**
   * Opens what a person typed or pasted: a path, a session's id, a project's folder or a glob where the host has a library. Where it may mean several
   * logs, these are `meant`, and none is opened.
   */
  openTyped(text: string): Promise<void>
  /** Opens a log at one of its lines, or at the event it has there, with what was found marked as in a search of its own. */
  openAt(place: LogPlace): Promise<void>
  /** Shows what is recorded of a run; of one that is going its end. */
  openRun(run: LiveRun): Promise<void>
  /** Starts what the form of a new run says, and shows it. */
  startRun(confirmed: boolean): Promise<void>
  /** Starts the same run once more, and shows it; where that cannot be done at once, the form. */
  runAgain(run: LiveRun): Promise<void>
  /** Deletes a run, and closes its recording. */
  removeRun(run: LiveRun): Promise<void>
  /** The form of a new run: on the start screen it is there, elsewhere it comes up as a dialog. */
  askForRun(): void
  /** Files and folders that a person dropped, pasted or chose in the page. */
  openFiles(given: Given): Promise<void>
  /** Files, or a folder, chosen in the dialog of the system, where the host has one. */
  chooseFiles(what: 'files' | 'folder'): Promise<void>
  /** Whether a log was sent here, without what lay beside it. */
  isSent(log: string): boolean
  /** The logs of subagents that lie beside a log that was sent are sent, too. Rejects with why they cannot be. */
  completeLog(log: string, given: Given): Promise<void>
  /** What is being sent is not opened. */
  cancelSending(): void
  closeLog(id: string): Promise<void>
  /** A log whose reading has failed, or whose host was started again, is read anew, and shown where the person was. */
  reopenLog(id: string): Promise<void>
  activate(id: string): void
  /** Leaves the log for the library, or for the start screen; it stays open, where it is. */
  leaveLog(): void
  /** Goes back to the log that was left. */
  returnToLog(): void
  refreshRecent(): Promise<void>
  setTheme(theme: Theme): void
  setDialog(dialog: Dialog): void
  /** Asks the person whether a log is to be opened. */
  offer(path: string): void
  /** What was typed is forgotten: why it cannot be opened, and what it may mean. */
  dismissTyped(): void
  dismissProblems(): void
  dismissLeftOut(): void
  setConnection(connection: Connection, refusal?: string | null, retryAt?: number | null): void
}

/** A place in a log that is not open, and what was searched for that led to it. */
export interface LogPlace {
  readonly path: string
  readonly seq: number | null
  readonly line: number
  readonly find: { readonly text: string; readonly regex: boolean; readonly caseSensitive: boolean } | null
}

export type AppStore = StoreApi<AppState>
