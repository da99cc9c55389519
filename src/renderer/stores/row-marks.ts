import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import type { LogColumns } from './log-columns.ts'

/** Rows per request. */
const block = 4096

export type FetchColumns = (from: number, count: number) => Promise<Result<'log.columns'>>

/** The count of a block whose rows were loaded at different counts. */
const mixed = -1

/** Updates the marks of visible rows. The host counts how often later lines have marked earlier rows. */
export class RowMarks {
  readonly #columns: LogColumns
  readonly #fetch: FetchColumns
  readonly #sink: { onChange(): void; onError(message: string): void }
  /** By block: the host's count when its rows were loaded. */
  readonly #readAt: number[] = []
  readonly #requested = new Map<string, readonly [first: number, last: number]>()
  #marked = 0
  #settled = Infinity
  #fetching = false
  /** After an error, wait for the host's next count. */
  #failed = false

  constructor(columns: LogColumns, fetch: FetchColumns, sink: { onChange(): void; onError(message: string): void }) {
    this.#columns = columns
    this.#fetch = fetch
    this.#sink = sink
  }

  /** Rows were loaded with their marks, at this count. */
  added(from: number, count: number, marked: number): void {
    for (let at = Math.floor(from / block); at * block < from + count; at++) {
      this.#readAt[at] = (this.#readAt[at] ?? marked) === marked ? marked : mixed
    }
  }

  /** Rows from `settled` on are loaded again with the next rows. */
  settle(settled: number): void {
    this.#settled = settled
  }

  /** Sets the host's count. */
  onMarked(marked: number): void {
    this.#marked = marked
    this.#failed = false
    void this.#refresh()
  }

  /** Replaces the former rows of `owner`: now `first` to `last`. */
  request(owner: string, first: number, last: number): void {
    this.#requested.set(owner, [first, last])
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

  /** A visible block with outdated marks; -1 for none. */
  #staleBlock(): number {
    for (const [first, last] of this.#requested.values()) {
      for (let at = Math.floor(Math.max(0, first) / block); at * block <= last; at++) {
        if ((this.#readAt[at] ?? this.#marked) !== this.#marked) return at
      }
    }
    return -1
  }
}
