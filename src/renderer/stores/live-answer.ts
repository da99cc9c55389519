import { messageOf } from '#contract/host-error.ts'
import { Listeners } from './listeners.ts'

/** Pause between requests while rows are looked at, so that the host can answer others. */
const pauseMs = 20
/** Pause while the log grows. */
const growthPauseMs = 500

/** An answer about the whole log, which a host gives in steps. While it is shown, it is loaded until it is complete, and when the log grows. */
export class LiveAnswer<T> {
  readonly changes = new Listeners()
  readonly #fetch: () => Promise<T>
  readonly #isComplete: (value: T) => boolean
  #value: T | null = null
  #error: string | null = null
  #wanted = 0
  #isRequesting = false
  /** The log has grown since the last request. */
  #grown = true
  #disposed = false

  /** `isComplete`: whether no more steps are needed. */
  constructor(fetch: () => Promise<T>, isComplete: (value: T) => boolean) {
    this.#fetch = fetch
    this.#isComplete = isComplete
  }

  /** Null: not loaded yet. */
  get value(): T | null {
    return this.#value
  }
  /** The read error, as a sentence. */
  get error(): string | null {
    return this.#error
  }
  get isPartial(): boolean {
    return this.#value === null || !this.#isComplete(this.#value)
  }

  /** Loads the answer until the returned function is called. */
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

  /** The answer, loaded now if it was not before. Null: it could not be loaded. */
  async latest(): Promise<T | null> {
    if (this.#value === null && !this.#disposed) await this.#load()
    return this.#value
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

  async #load(): Promise<void> {
    this.#grown = false
    try {
      this.#value = await this.#fetch()
    } catch (error) {
      this.#error = messageOf(error)
    }
    if (!this.#disposed) this.changes.notify()
  }

  async #request(): Promise<void> {
    await this.#load()
    if (this.#disposed) return
    await new Promise((resume) => setTimeout(resume, this.isPartial ? pauseMs : growthPauseMs))
    this.#isRequesting = false
    this.#goOn()
  }
}
