import { messageOf } from '#contract/host-error.ts'
import type { LogStatus, Result } from '#contract/methods.ts'
import type { LogContents } from './log-access.ts'
import { runSize } from './run-size.ts'

/** The first page is small, to be shown at once; later ones have the maximum size. */
const firstPageRows = 2000
const pageRows = 200_000
/** Delay of the second page, so that the summaries of the first rows can be requested before it. */
const headStartMs = 50

export interface LoaderSink {
  /** Makes space for `rows` further rows, in short steps. */
  room(rows: number): Iterable<void>
  /** Rows from `from` on are new or replaced. Rows below `settled` are final. */
  onGrown(from: number, settled: number): void
  onError(message: string): void
}

/** Loads the columns of one generation page by page. When the log grows, unsettled rows are replaced in one step. */
export class LogLoader {
  readonly #log: Pick<LogContents, 'host' | 'id' | 'columns' | 'marks' | 'todos'>
  readonly #sink: LoaderSink
  #status: LogStatus
  /** The status when the unsettled rows were loaded. */
  #loadedUnder: LogStatus
  #settledRows = 0
  #settledTodos = 0
  #loading = false
  #disposed = false

  constructor(
    log: Pick<LogContents, 'host' | 'id' | 'columns' | 'marks' | 'todos'>,
    status: LogStatus,
    sink: LoaderSink
  ) {
    this.#log = log
    this.#status = status
    this.#loadedUnder = status
    this.#sink = sink
  }

  /** The progress of the host. While a page is loaded, only the newest status counts. */
  onStatus(status: LogStatus): void {
    if (this.#disposed) return
    this.#status = status
    this.#log.marks.onMarked(status.marked)
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
        // After an empty page, wait for a new status.
      } while (!this.#disposed && (more || status !== this.#status))
    } catch (error) {
      if (!this.#disposed) this.#sink.onError(messageOf(error))
    }
    this.#loading = false
  }

  /** Whether there was anything to load. */
  async #loadPage(status: LogStatus): Promise<boolean> {
    const hasGrown = extentOf(status) !== extentOf(this.#loadedUnder)
    const fromRow = hasGrown ? this.#settledRows : this.#log.columns.rows
    const fromTodo = hasGrown ? this.#settledTodos : this.#log.todos.count
    const [rows, todos] = await Promise.all([
      this.#requestRows(fromRow, status.rows - fromRow),
      this.#requestTodos(fromTodo, status.todoSnapshots - fromTodo)
    ])
    for (const _ of this.#sink.room(rows?.count ?? 0)) await new Promise((resolve) => setTimeout(resolve))
    if (this.#disposed) return false
    const changed = this.#replace(fromRow, rows, fromTodo, todos)
    if (rows !== null) this.#log.marks.added(fromRow, rows.count, status.marked)
    this.#settle(status)
    if (changed) this.#sink.onGrown(fromRow, this.#settledRows)
    const isFirst = changed && fromRow === 0 && status.rows > firstPageRows
    if (isFirst) await new Promise((resolve) => setTimeout(resolve, headStartMs))
    return changed
  }

  async #requestRows(from: number, missing: number): Promise<Result<'log.columns'> | null> {
    if (missing <= 0) return null
    const count = Math.min(missing, from === 0 ? firstPageRows : pageRows)
    return await this.#log.host.call('log.columns', { log: this.#log.id, from, count })
  }

  async #requestTodos(from: number, missing: number): Promise<Result<'log.todoColumns'> | null> {
    return missing <= 0 ? null : await this.#log.host.call('log.todoColumns', { log: this.#log.id, from })
  }

  /** Replaces everything from there on. False if nothing has changed. */
  #replace(
    fromRow: number,
    newRows: Result<'log.columns'> | null,
    fromTodo: number,
    newTodos: Result<'log.todoColumns'> | null
  ): boolean {
    const { columns, todos } = this.#log
    const before = [columns.rows, todos.count] as const
    columns.truncate(fromRow)
    todos.truncate(fromTodo)
    const rowsCame = newRows !== null && columns.append(newRows)
    const todosCame = newTodos !== null && todos.append(newTodos)
    return rowsCame || todosCame || before[0] !== columns.rows || before[1] !== todos.count
  }

  /** Notes what of the rows loaded under `status` is settled. */
  #settle(status: LogStatus): void {
    this.#loadedUnder = status
    this.#settledRows = Math.max(this.#settledRows, Math.min(this.#log.columns.rows, status.settled.rows))
    this.#settledTodos = Math.max(this.#settledTodos, Math.min(this.#log.todos.count, status.settled.todoSnapshots))
    this.#log.marks.settle(this.#settledRows)
    this.#log.todos.settle(this.#settledTodos)
  }
}

/** Everything in a status that means that unsettled rows may have changed. */
function extentOf(status: LogStatus): string {
  const { phase, rows, events, todoSnapshots, settled, grownAt, waitingBytes } = status
  return JSON.stringify([phase, rows, events, todoSnapshots, settled, grownAt, waitingBytes, runSize(status).bytesRead])
}
