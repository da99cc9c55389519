import type { Host, LogStatus, Result } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'
import type { RowMarks } from './row-marks.ts'
import { runSize } from './run-size.ts'
import type { TodoSnapshots } from './todo-snapshots.ts'

/** The first page is small, so that it is on screen at once; later ones are as large as the contract allows. */
const firstPage = 2000
const page = 200_000
/** How long what the first rows say is given to be asked for before the next page, which would be in its way; in ms. */
const headStart = 50

/** Who is told what came. */
export interface LoaderSink {
  /** Makes room for `rows` further rows, in steps none of which takes long. */
  room(rows: number): Iterable<void>
  /** Rows from `from` on are new, or others than before. Rows below `settled` will not change any more. */
  grown(from: number, settled: number): void
  failed(message: string): void
}

/**
 * Brings the columns of one generation of a log here as the host reads it: one page at a time, in order. What was not final when
 * it was asked for is loaded again when the log has gone on, and replaced in one step: nobody sees the rows without it.
 */
export class LogLoader {
  readonly #host: Host
  readonly #log: string
  readonly #columns: LogColumns
  readonly #marks: RowMarks
  readonly #todos: TodoSnapshots
  readonly #sink: LoaderSink
  #status: LogStatus
  /** The status under which what is here beyond the final part was loaded. */
  #loadedUnder: LogStatus
  /** How much of what is here is final. */
  #finalRows = 0
  #finalTodos = 0
  #loading = false
  #disposed = false

  constructor(
    host: Host,
    status: LogStatus,
    columns: LogColumns,
    marks: RowMarks,
    todos: TodoSnapshots,
    sink: LoaderSink
  ) {
    this.#host = host
    this.#log = status.log
    this.#status = status
    this.#loadedUnder = status
    this.#columns = columns
    this.#marks = marks
    this.#todos = todos
    this.#sink = sink
  }

  /** The host has read this far. While a page is on its way only the newest status counts. */
  follow(status: LogStatus): void {
    if (this.#disposed) return
    this.#status = status
    this.#marks.follow(status.marked)
    if (!this.#loading) void this.#load()
  }

  dispose(): void {
    this.#disposed = true
  }

  async #load(): Promise<void> {
    this.#loading = true
    try {
      let status: LogStatus
      let more = true
      do {
        status = this.#status
        more = await this.#loadPage(status)
        // Without anything new from the host a page that brought nothing is not asked for again.
      } while (!this.#disposed && (more || status !== this.#status))
    } catch (error) {
      if (!this.#disposed) this.#sink.failed(error instanceof Error ? error.message : String(error))
    }
    this.#loading = false
  }

  /** True when there was anything to load. */
  async #loadPage(status: LogStatus): Promise<boolean> {
    const goneOn = extentOf(status) !== extentOf(this.#loadedUnder)
    const fromRow = goneOn ? this.#finalRows : this.#columns.rows
    const fromTodo = goneOn ? this.#finalTodos : this.#todos.count
    const [rows, todos] = await Promise.all([
      this.#askRows(fromRow, status.rows - fromRow),
      this.#askTodos(fromTodo, status.todoSnapshots - fromTodo)
    ])
    for (const _ of this.#sink.room(rows?.count ?? 0)) await new Promise((resolve) => setTimeout(resolve))
    if (this.#disposed) return false
    const changed = this.#take(fromRow, rows, fromTodo, todos)
    if (rows !== null) this.#marks.added(fromRow, rows.count, status.marked)
    this.#settle(status)
    if (changed) this.#sink.grown(fromRow, this.#finalRows)
    const isFirst = changed && fromRow === 0 && status.rows > firstPage
    if (isFirst) await new Promise((resolve) => setTimeout(resolve, headStart))
    return changed
  }

  async #askRows(from: number, missing: number): Promise<Result<'log.columns'> | null> {
    if (missing <= 0) return null
    const count = Math.min(missing, from === 0 ? firstPage : page)
    return await this.#host.call('log.columns', { log: this.#log, from, count })
  }

  async #askTodos(from: number, missing: number): Promise<Result<'log.todoColumns'> | null> {
    return missing <= 0 ? null : await this.#host.call('log.todoColumns', { log: this.#log, from })
  }

  /** Puts what came in place of all there was from there on. False when nothing is other than before. */
  #take(
    fromRow: number,
    rows: Result<'log.columns'> | null,
    fromTodo: number,
    todos: Result<'log.todoColumns'> | null
  ): boolean {
    const before = [this.#columns.rows, this.#todos.count] as const
    this.#columns.truncate(fromRow)
    this.#todos.truncate(fromTodo)
    const rowsCame = rows !== null && this.#columns.append(rows)
    const todosCame = todos !== null && this.#todos.append(todos)
    return rowsCame || todosCame || before[0] !== this.#columns.rows || before[1] !== this.#todos.count
  }

  /** What was asked for under `status` is final as far as that says. */
  #settle(status: LogStatus): void {
    this.#loadedUnder = status
    this.#finalRows = Math.max(this.#finalRows, Math.min(this.#columns.rows, status.settled.rows))
    this.#finalTodos = Math.max(this.#finalTodos, Math.min(this.#todos.count, status.settled.todoSnapshots))
    this.#marks.settle(this.#finalRows)
    this.#todos.settle(this.#finalTodos)
  }
}

/** Whatever differs between two states of a log, so that rows that are not final may be others. */
function extentOf(status: LogStatus): string {
  const { phase, rows, events, todoSnapshots, settled, grownAt, waitingBytes } = status
  return JSON.stringify([phase, rows, events, todoSnapshots, settled, grownAt, waitingBytes, runSize(status).bytesRead])
}
