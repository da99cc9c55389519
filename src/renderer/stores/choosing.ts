import type { FindProgress } from '#contract/methods.ts'
import type { LogAccess } from './log-access.ts'
import { LogFind, noFind, type FindState } from './log-find.ts'

export interface ChoosingState {
  /** What of the analysis is chosen, as a query, and its rows as far as they are found. Null: nothing. */
  readonly chosen: { readonly term: string; readonly found: FindState } | null
}

/** Several pages may show one log. */
const pageName = `chosen ${Math.random().toString(36).slice(2)}`

/** Chooses the calls of a group, without hiding others. */
export class Choosing {
  readonly #log: LogAccess<ChoosingState>
  readonly #finder: LogFind

  constructor(log: LogAccess<ChoosingState>) {
    this.#log = log
    const settledRows = () => log.get().status.settled.rows
    this.#finder = new LogFind(log.host, log.id, settledRows, (change) => this.#onFound(change), pageName)
  }

  /** Chooses what a query means; null or the same again: nothing. */
  choose(term: string | null): void {
    const { chosen } = this.#log.get()
    const next = term === chosen?.term ? null : term
    this.#log.set({ chosen: next === null ? null : { term: next, found: noFind } })
    this.#finder.setQuery({ text: next ?? '', isQuery: true, regex: false, caseSensitive: false }, 0)
  }

  onFound(progress: FindProgress): void {
    this.#finder.onFound(progress)
  }

  /** Rows from `row` on are loaded again. */
  truncate(row: number): void {
    this.#finder.truncate(row)
  }

  /** Searches again: notices were missed while the connection was lost. */
  reload(): void {
    this.#finder.searchAgain()
  }

  dispose(): void {
    this.#finder.dispose()
  }

  #onFound(change: Partial<FindState>): void {
    const { chosen } = this.#log.get()
    if (chosen !== null) this.#log.set({ chosen: { ...chosen, found: { ...chosen.found, ...change } } })
  }
}
