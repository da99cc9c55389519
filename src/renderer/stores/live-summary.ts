import { messageOf } from '#contract/host-error.ts'
import type { RunSummary } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

/** Between two answers of a count that goes on: the host has others to answer, too. */
const goOnMs = 20
/** While the log grows. */
const growMs = 500

/** The summary of the log that is shown. It is asked for while somebody looks at it: until all rows are counted, and again as the log grows. */
export class LiveSummary {
  readonly changes = new Listeners()
  readonly #fetch: () => Promise<RunSummary>
  #value: RunSummary | null = null
  #error: string | null = null
  #wanted = 0
  #asking = false
  /** There is more than what was asked about. */
  #grown = true
  #disposed = false

  constructor(fetch: () => Promise<RunSummary>) {
    this.#fetch = fetch
  }

  /** Null: not known yet. */
  get value(): RunSummary | null {
    return this.#value
  }
  /** Why it could not be had, a sentence for people. */
  get error(): string | null {
    return this.#error
  }
  /** Not all rows that there are have been counted, or not all calls and results read. */
  get isPartial(): boolean {
    if (this.#value === null) return true
    const { counted, read, rows, problem } = this.#value
    return counted < rows || (read < rows && problem === null)
  }

  /** Somebody looks at it, until what is given is called. */
  readonly want = (): (() => void) => {
    this.#wanted++
    this.#goOn()
    return () => void this.#wanted--
  }

  /** There are more rows, or others. */
  readonly grew = (): void => {
    this.#grown = true
    this.#goOn()
  }

  readonly retry = (): void => {
    this.#error = null
    this.grew()
  }

  dispose(): void {
    this.#disposed = true
  }

  #goOn(): void {
    const isWanted = this.#wanted > 0 && !this.#disposed && this.#error === null
    if (!isWanted || this.#asking || !(this.#grown || this.isPartial)) return
    this.#asking = true
    void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#grown = false
    try {
      this.#value = await this.#fetch()
    } catch (error) {
      this.#error = messageOf(error)
    }
    if (this.#disposed) return
    this.changes.notify()
    await new Promise((resume) => setTimeout(resume, this.isPartial ? goOnMs : growMs))
    this.#asking = false
    this.#goOn()
  }
}
