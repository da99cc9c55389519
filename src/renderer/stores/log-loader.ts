import type { Host, LogStatus } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'
import type { RowMarks } from './row-marks.ts'
import type { TodoSnapshots } from './todo-snapshots.ts'

/** The first page is small, so that it is on screen at once; later ones are as large as the contract allows. */
const firstPage = 2000
const page = 200_000
/** How long what the first rows say is given to be asked for before the next page, which would be in its way; in ms. */
const headStart = 50

/** Brings the columns of one log here as the host reads it: one page at a time, in order. */
export class LogLoader {
  readonly #host: Host
  readonly #log: string
  readonly #columns: LogColumns
  readonly #marks: RowMarks
  readonly #todos: TodoSnapshots
  readonly #sink: { grown(): void; failed(message: string): void }
  #rows = 0
  #snapshots = 0
  #marked = 0
  #loading = false
  #disposed = false

  constructor(
    host: Host,
    log: string,
    columns: LogColumns,
    marks: RowMarks,
    todos: TodoSnapshots,
    sink: { grown(): void; failed(message: string): void }
  ) {
    this.#host = host
    this.#log = log
    this.#columns = columns
    this.#marks = marks
    this.#todos = todos
    this.#sink = sink
  }

  /** The host has read this far. */
  follow(status: LogStatus): void {
    this.#rows = status.rows
    this.#snapshots = status.todoSnapshots
    this.#marked = status.marked
    if (!this.#disposed) this.#marks.follow(status.marked)
    if (!this.#loading && !this.#disposed) void this.#load()
  }

  dispose(): void {
    this.#disposed = true
  }

  async #load(): Promise<void> {
    this.#loading = true
    try {
      let more = true
      while (more && !this.#disposed) more = await this.#loadPage()
    } catch (error) {
      if (!this.#disposed) this.#sink.failed(error instanceof Error ? error.message : String(error))
    }
    this.#loading = false
  }

  /** True when there was anything to load. Rows are told of before the todo lists among them are here. */
  async #loadPage(): Promise<boolean> {
    const from = this.#columns.rows
    const rows = this.#rows > from && (await this.#loadRows(from))
    if (rows) this.#sink.grown()
    if (rows && from === 0 && this.#rows > firstPage) await new Promise((resolve) => setTimeout(resolve, headStart))
    const todos = this.#snapshots > this.#todos.count && (await this.#loadTodos())
    if (todos) this.#sink.grown()
    return rows || todos
  }

  async #loadRows(from: number): Promise<boolean> {
    const count = from === 0 ? firstPage : page
    const marked = this.#marked
    const columns = await this.#host.call('log.columns', { log: this.#log, from, count })
    if (this.#disposed || !this.#columns.append(columns)) return false
    this.#marks.added(from, columns.count, marked)
    return true
  }

  async #loadTodos(): Promise<boolean> {
    const columns = await this.#host.call('log.todoColumns', { log: this.#log, from: this.#todos.count })
    return !this.#disposed && this.#todos.append(columns)
  }
}
