import type { LogStatus } from '#contract/methods.ts'
import type { Filtering } from './filtering.ts'
import type { Choosing } from './choosing.ts'
import type { Finding } from './finding.ts'
import type { Following } from './following.ts'
import type { LogAccess } from './log-access.ts'
import { LogLoader } from './log-loader.ts'
import type { Playhead, PlayheadState } from './playhead.ts'
import type { Resuming } from './resuming.ts'
import type { Reviewing } from './reviewing.ts'

export interface LoadingState {
  /** The log was shown, so its rows are loaded. */
  readonly hasBegun: boolean
  /** All rows of a completely read log are loaded. Stays true when the log grows. */
  readonly isComplete: boolean
  /** Rows from here on may change when the log grows. */
  readonly settledRows: number
  /** Number of times that rows were replaced. */
  readonly replacements: number
  /** The read error of columns or summaries; null for none. */
  readonly loadError: string | null
}

export const notLoaded: LoadingState = {
  hasBegun: false,
  isComplete: false,
  settledRows: 0,
  replacements: 0,
  loadError: null
}

type LoadedLog = LogAccess<LoadingState & PlayheadState>

interface LoadedParts {
  readonly playhead: Playhead
  readonly following: Following
  readonly resuming: Resuming
  readonly filtering: Filtering
  readonly finding: Finding
  readonly choosing: Choosing
  readonly reviewing: Reviewing
}

/** Loads the rows of a log as the host reads them, and updates the other parts. */
export class Loading {
  readonly #log: LoadedLog
  readonly #parts: LoadedParts
  readonly #loader: LogLoader
  /** Moves that wait for the rows. */
  readonly #moves: (() => void)[] = []
  /** Number of rows before the log grew. */
  #rowsBefore = 0

  constructor(log: LoadedLog, status: LogStatus, parts: LoadedParts) {
    this.#log = log
    this.#parts = parts
    const { columns, layout } = log
    this.#loader = new LogLoader(log, status, {
      *room(rows) {
        yield* columns.growTo(columns.rows + rows)
        // A few rows have more than one line.
        yield* layout.growTo(layout.count + 2 * rows)
      },
      onGrown: (from, settledRows) => this.#onGrown(from, settledRows),
      onError: (loadError) => {
        this.#moves.length = 0
        log.set({ loadError })
      }
    })
  }

  /** The log is shown. Nothing is loaded before, because the host may have no thread for it. */
  begin(): void {
    const { get, set } = this.#log
    if (get().hasBegun) return
    set({ hasBegun: true })
    this.#loader.onStatus(get().status)
    this.#parts.reviewing.load()
  }

  /** Calls `move` when all rows of the host are loaded, in the order of the calls: a key right after opening counts. */
  whenLoaded(move: () => void): void {
    if (this.#isBehind()) this.#moves.push(move)
    else move()
  }

  /** Ignores the status of another generation. */
  onStatus(status: LogStatus): void {
    const { resuming, reviewing } = this.#parts
    const { get, set } = this.#log
    if (status.generation !== get().status.generation) return
    set({ status })
    reviewing.onStatus()
    if (!get().hasBegun) return
    this.#loader.onStatus(status)
    resuming.restore()
    this.#catchUp()
  }

  /** Loads again what failed. */
  reload(): void {
    const { summaries, todos, get, set } = this.#log
    set({ loadError: null })
    if (!get().hasBegun) return
    this.#loader.onStatus(get().status)
    for (const each of [summaries, todos, todos.lanes]) if (each.error !== null) each.retry()
    this.#parts.finding.reload()
    this.#parts.choosing.reload()
    this.#parts.filtering.reload()
    this.#parts.reviewing.reload()
  }

  dispose(): void {
    this.#loader.dispose()
  }

  #onGrown(from: number, settledRows: number): void {
    const { columns, layout, overview, summaries, usages, timeScale, failedCalls, get, set } = this.#log
    const { playhead, following, resuming, filtering, finding, choosing, reviewing } = this.#parts
    const isReplaced = from < this.#rowsBefore
    failedCalls.onGrown(from)
    layout.truncate(from)
    overview.truncate(from)
    timeScale.truncate(columns.seqAtOrBefore(from - 1) + 1)
    if (isReplaced) for (const search of [finding, filtering, choosing]) search.truncate(from)
    layout.extend()
    overview.extend()
    reviewing.onGrown(from, isReplaced)
    summaries.replace(from, settledRows)
    summaries.renew(columns.pairOf.subarray(from, columns.rows))
    if (isReplaced) usages.forget()
    const { version, replacements, row } = get()
    set({ version: version + 1, settledRows, replacements: replacements + (isReplaced ? 1 : 0) })
    if (!following.stayAtEnd(from)) {
      if (row < 0) playhead.place(columns.rowOfSeq[0] ?? 0, { moved: false, byPerson: false, reveal: false })
      else if (row >= from) playhead.placeAgain(from)
    }
    this.#rowsBefore = columns.rows
    following.onGrown()
    resuming.restore()
    this.#catchUp()
  }

  /** Whether the host has rows that are not loaded, for example the last event. */
  #isBehind(): boolean {
    // A log that grows may always have more rows; keys do not wait for them.
    const { status, row, isComplete } = this.#log.get()
    return status.phase === 'reading' ? row < 0 : !isComplete
  }

  #catchUp(): void {
    const { columns, todos, get, set } = this.#log
    const { status, isComplete } = get()
    const isHere = columns.rows >= status.rows && todos.count >= status.todoSnapshots
    if (!isComplete && isHere && status.phase !== 'reading') set({ isComplete: true })
    while (this.#moves.length > 0 && !this.#isBehind()) this.#moves.shift()?.()
  }
}
