import { messageOf } from '#contract/host-error.ts'
import type { RunSummary } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

/** Pause between requests while rows are counted, so that the host can answer others. */
const pauseMs = 20
/** Pause while the log grows. */
const growthPauseMs = 500

/** The summary of the shown log. While it is shown, it is loaded until it is complete, and when the log grows. */
export class LiveSummary {
  readonly changes = new Listeners()
  readonly #fetch: () => Promise<RunSummary>
  #value: RunSummary | null = null
  #error: string | null = null
  #wanted = 0
  #isRequesting = false
  /** The log has grown since the last request. */
  #grown = true
  #disposed = false

  constructor(fetch: () => Promise<RunSummary>) {
    this.#fetch = fetch
  }

  /** Null: not loaded yet. */
  get value(): RunSummary | null {
    return this.#value
  }
  /** The read error, as a sentence. */
  get error(): string | null {
    return this.#error
  }
  /** Whether rows, calls or results are not counted yet. */
  get isPartial(): boolean {
    if (this.#value === null) return true
    const { counted, read, rows, problem } = this.#value
    return counted < rows || (read < rows && problem === null)
  }

  /** Loads the summary until the returned function is called. */
  readonly watch = (): (() => void) => {
    this.#wanted++
    this.#goOn()
    return () => void this.#wanted--
  }

  /** Rows were added or replaced. */
  readonly onGrown = (): void => {
    this.#grown = true
    this.#goOn()
  }

  readonly retry = (): void => {
    this.#error = null
    this.onGrown()
  }

  dispose(): void {
    this.#disposed = true
  }

  #goOn(): void {
    const isShown = this.#wanted > 0 && !this.#disposed && this.#error === null
    if (!isShown || this.#isRequesting || !(this.#grown || this.isPartial)) return
    this.#isRequesting = true
    void this.#request()
  }

  async #request(): Promise<void> {
    this.#grown = false
    try {
      this.#value = await this.#fetch()
    } catch (error) {
      this.#error = messageOf(error)
    }
    if (this.#disposed) return
    this.changes.notify()
    await new Promise((resume) => setTimeout(resume, this.isPartial ? pauseMs : growthPauseMs))
    this.#isRequesting = false
    this.#goOn()
  }
}
