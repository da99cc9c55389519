import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

export type CallTablePage = Result<'log.callTable'>
export type CallRow = CallTablePage['all']

const pageRows = 200
/** Pause between requests while calls are read, and while the log grows. */
const pauseMs = 50
const growthPauseMs = 500

/** The rows of one grouping and order, loaded by page around those in view (`log.callTable`). */
export class CallTable {
  readonly changes = new Listeners()
  error: string | null = null
  readonly #fetch: (from: number, count: number) => Promise<CallTablePage>
  readonly #pages = new Map<number, readonly CallRow[]>()
  /** Pages whose rows may be others now. They are shown until they are loaded again. */
  readonly #stale = new Set<number>()
  #head: CallTablePage | null = null
  #first = 0
  #last = pageRows
  #wanted = 0
  #isRequesting = false
  /** Pages that were loaded before wait; those that come into view do not. */
  #isPausing = false

  constructor(fetch: (from: number, count: number) => Promise<CallTablePage>) {
    this.#fetch = fetch
  }

  /** What the last answer says of the whole table; null: there is none yet. */
  get head(): CallTablePage | null {
    return this.#head
  }

  get isPartial(): boolean {
    return (
      this.#head === null ||
      this.#head.counted < this.#head.rows ||
      (this.#head.read < this.#head.spans && this.#head.problem === null)
    )
  }

  /** Undefined: not loaded. */
  rowAt(at: number): CallRow | undefined {
    return this.#pages.get(Math.floor(at / pageRows))?.[at % pageRows]
  }

  /** Loads the rows `first` … `last` (exclusive) next. */
  show(first: number, last: number): void {
    this.#first = first
    this.#last = last
    this.#goOn()
  }

  readonly watch = (): (() => void) => {
    this.#wanted++
    this.#goOn()
    return () => void this.#wanted--
  }

  readonly onGrown = (): void => {
    for (const page of this.#pages.keys()) this.#stale.add(page)
    this.#goOn()
  }

  readonly retry = (): void => {
    this.error = null
    this.onGrown()
  }

  #nextPage(): number {
    const total = this.#head?.total ?? 1
    // The first page tells how many rows there are.
    const last = Math.min(Math.max(this.#last, this.#first + 1), Math.max(1, total))
    for (let page = Math.floor(this.#first / pageRows); page * pageRows < last; page++) {
      if (!this.#pages.has(page) || (this.#stale.has(page) && !this.#isPausing)) return page
    }
    return -1
  }

  #goOn(): void {
    if (this.#wanted === 0 || this.#isRequesting || this.error !== null || this.#nextPage() < 0) return
    this.#isRequesting = true
    void this.#load()
  }

  async #load(): Promise<void> {
    try {
      for (let page = this.#nextPage(); page >= 0 && this.#wanted > 0; page = this.#nextPage()) {
        const answer = await this.#fetch(page * pageRows, pageRows)
        this.#head = answer
        this.#pages.set(page, answer.groups)
        this.#stale.delete(page)
        for (const each of this.#pages.keys())
          if (each * pageRows >= Math.max(1, answer.total)) this.#pages.delete(each)
      }
    } catch (error) {
      this.error = messageOf(error)
    }
    this.changes.notify()
    this.#isRequesting = false
    this.#pause()
    this.#goOn()
  }

  #pause(): void {
    if (this.#isPausing) return
    this.#isPausing = true
    const goOn = (): void => {
      this.#isPausing = false
      if (this.isPartial) this.onGrown()
      else this.#goOn()
    }
    setTimeout(goOn, this.isPartial ? pauseMs : growthPauseMs)
  }
}
