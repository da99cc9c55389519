import type { LogStatus } from '#contract/methods.ts'
import type { Filtering } from './filtering.ts'
import type { Finding } from './finding.ts'
import type { Following } from './following.ts'
import type { LogAccess } from './log-access.ts'
import { LogLoader } from './log-loader.ts'
import type { Playhead } from './playhead.ts'
import type { Resuming } from './resuming.ts'
import type { Reviewing } from './reviewing.ts'
import type { RowMarks } from './row-marks.ts'

/** The parts of a log's store that take in what comes. */
export interface LoadedParts {
  readonly playhead: Playhead
  readonly following: Following
  readonly resuming: Resuming
  readonly filtering: Filtering
  readonly finding: Finding
  readonly reviewing: Reviewing
}

/** Brings the rows of a log here as the host reads them, and tells all whom that concerns. */
export class Loading {
  readonly #log: LogAccess
  readonly #parts: LoadedParts
  readonly #loader: LogLoader
  /** What was asked for before the rows were here. */
  readonly #moves: (() => void)[] = []
  /** How many rows there were before the log grew. */
  #rowsBefore = 0

  constructor(log: LogAccess, status: LogStatus, marks: RowMarks, parts: LoadedParts) {
    this.#log = log
    this.#parts = parts
    const { columns, layout, todos } = log
    this.#loader = new LogLoader(log.host, status, columns, marks, todos, {
      *room(rows) {
        yield* columns.growTo(columns.rows + rows)
        // A row may have more than one line; few do.
        yield* layout.growTo(layout.count + 2 * rows)
      },
      grown: (from, settledRows) => this.#grown(from, settledRows),
      failed: (loadError) => {
        this.#moves.length = 0
        log.set({ loadError })
      }
    })
  }

  /** Somebody looks at the log: until then nothing of it is asked for, as the host may keep no thread for it. */
  begin(): void {
    const { get, set } = this.#log
    if (get().hasBegun) return
    set({ hasBegun: true })
    this.#loader.follow(get().status)
    this.#parts.reviewing.load()
  }

  /** As `LogState.whenLoaded`. */
  whenLoaded(move: () => void): void {
    if (this.#isBehind()) this.#moves.push(move)
    else move()
  }

  /** The host has read this far. */
  receive(progress: LogStatus): void {
    const { filtering, resuming, reviewing } = this.#parts
    if (progress.generation !== this.#log.get().status.generation) return
    this.#log.set({ status: progress })
    filtering.learn(progress)
    reviewing.learn(progress)
    if (!this.#log.get().hasBegun) return
    this.#loader.follow(progress)
    resuming.goBack()
    this.#catchUp()
  }

  /** Asks again for whatever failed. */
  reload(): void {
    const { todos, get, set } = this.#log
    const { summaries } = get()
    set({ loadError: null })
    if (!this.#log.get().hasBegun) return
    this.#loader.follow(get().status)
    if (summaries.error !== null) summaries.retry()
    if (todos.error !== null) todos.retry()
    if (todos.lanes.error !== null) todos.lanes.retry()
    this.#parts.finding.reload()
    this.#parts.reviewing.reload()
  }

  dispose(): void {
    this.#loader.dispose()
  }

  #grown(from: number, settledRows: number): void {
    const { columns, layout, get, set } = this.#log
    const { playhead, following, resuming, filtering, finding, reviewing } = this.#parts
    const { overview, summaries, usages, timeScale, failedCalls } = get()
    const failedFrom = failedCalls.grown(from)
    layout.truncate(from)
    overview.truncate(from)
    timeScale.truncate(columns.seqAtOrBefore(from - 1) + 1)
    if (from < this.#rowsBefore) finding.truncate(from)
    layout.extend()
    overview.extend()
    // Of a call that is shown already the result may have come only now.
    if (failedFrom < from) filtering.setFailed(failedFrom)
    reviewing.grown(from, from < this.#rowsBefore)
    summaries.replace(from, settledRows)
    summaries.renew(columns.pairOf.subarray(from, columns.rows))
    if (from < this.#rowsBefore) usages.forget()
    const { version, replacements, row } = get()
    set({ version: version + 1, settledRows, replacements: replacements + (from < this.#rowsBefore ? 1 : 0) })
    if (!following.stayAtEnd(from)) {
      if (row < 0) playhead.place(columns.rowOfSeq[0] ?? 0, { moved: false, byPerson: false, reveal: false })
      else if (row >= from) playhead.placeAgain(from)
    }
    this.#rowsBefore = columns.rows
    following.grown()
    resuming.goBack()
    this.#catchUp()
  }

  /** Rows are still on their way that the host has: the last event, say, is not yet known here. */
  #isBehind(): boolean {
    // Later on there may always be some on their way: no key waits for the end of a log that grows.
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
