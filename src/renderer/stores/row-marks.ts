import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'

/** Rows whose marks are read again at once. */
const block = 4096

export type FetchColumns = (from: number, count: number) => Promise<Result<'log.columns'>>

/** The count of a block whose rows were read at several. */
const mixed = -1

/**
 * Keeps the marks of the rows in view up to date. A line can mark rows long before it, which are here already: the host
 * counts how often that happened, and what was read at another count is read again when it is looked at.
 */
export class RowMarks {
  readonly #columns: LogColumns
  readonly #fetch: FetchColumns
  readonly #sink: { onChange(): void; onError(message: string): void }
  /** By block: the count when its rows were read. */
  readonly #readAt: number[] = []
  readonly #wanted = new Map<string, readonly [first: number, last: number]>()
  #marked = 0
  #settled = Infinity
  #fetching = false
  /** Not asked again before the host says something. */
  #failed = false

  constructor(columns: LogColumns, fetch: FetchColumns, sink: { onChange(): void; onError(message: string): void }) {
    this.#columns = columns
    this.#fetch = fetch
    this.#sink = sink
  }

  /** Rows came with their marks, asked for when the host's count was `marked`. */
  added(from: number, count: number, marked: number): void {
    for (let at = Math.floor(from / block); at * block < from + count; at++) {
      this.#readAt[at] = (this.#readAt[at] ?? marked) === marked ? marked : mixed
    }
  }

  /** Rows from `settled` on are read anew when the log grows, and their marks with them. */
  settle(settled: number): void {
    this.#settled = settled
  }

  /** The host's count. */
  onMarked(marked: number): void {
    this.#marked = marked
    this.#failed = false
    void this.#refresh()
  }

  /** `who` shows rows `first` to `last`, and no longer those it showed before. */
  want(who: string, first: number, last: number): void {
    this.#wanted.set(who, [first, last])
    void this.#refresh()
  }

  async #refresh(): Promise<void> {
    if (this.#fetching || this.#failed) return
    this.#fetching = true
    try {
      for (let stale = this.#staleBlock(); stale >= 0; stale = this.#staleBlock()) {
        const marked = this.#marked
        const page = await this.#fetch(stale * block, block)
        const count = Math.min(page.count, this.#settled - page.from)
        if (this.#columns.setMarks({ ...page, count })) this.#sink.onChange()
        this.#readAt[stale] = marked
      }
    } catch (error) {
      this.#failed = true
      this.#sink.onError(messageOf(error))
    }
    this.#fetching = false
  }

  /** A block that is looked at and was read at another count; -1 if there is none. */
  #staleBlock(): number {
    for (const [first, last] of this.#wanted.values()) {
      for (let at = Math.floor(Math.max(0, first) / block); at * block <= last; at++) {
        if ((this.#readAt[at] ?? this.#marked) !== this.#marked) return at
      }
    }
    return -1
  }
}
