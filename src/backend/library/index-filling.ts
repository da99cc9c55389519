import { messageOf } from '#contract/host-error.ts'
import type { LibraryStatus } from '#contract/library.ts'
import { indexedFromBytes } from './library-search.ts'

/** There may be room on the disk again. */
const retryAfterMs = 600_000

/** Indexes the texts of a large library while the library is idle. */
export class IndexFilling {
  readonly #fill: (signal: AbortSignal) => Promise<void>
  readonly #problem: (message: string) => void
  #current: AbortController | null = null
  /** The library version that was indexed last. */
  #version = -1
  /** Ms since the epoch. */
  #failedAt = -Infinity
  #hasReported = false
  /** The latest status, to check again when a fill ends. */
  #last: LibraryStatus | null = null

  /** `fill` indexes what is not indexed yet, and rejects if it cannot. */
  constructor(fill: (signal: AbortSignal) => Promise<void>, problem: (message: string) => void) {
    this.#fill = fill
    this.#problem = problem
  }

  onStatus(status: LibraryStatus): void {
    const { phase, isPaused, bytes, version } = status
    this.#last = status
    // Cards and counts have priority, and the user may have paused the library.
    if (phase !== 'idle' || isPaused) return this.#current?.abort()
    if (bytes < indexedFromBytes || version === this.#version || this.#current !== null) return
    if (Date.now() - this.#failedAt < retryAfterMs) return
    void this.#run(version)
  }

  stop(): void {
    this.#last = null
    this.#current?.abort()
  }

  async #run(version: number): Promise<void> {
    const current = new AbortController()
    this.#current = current
    try {
      await this.#fill(current.signal)
      if (!current.signal.aborted) this.#version = version
    } catch (error) {
      if (current.signal.aborted) return
      this.#failedAt = Date.now()
      // Searches work without the index, slower.
      if (!this.#hasReported) this.#problem(`Searching is slow without its index: ${messageOf(error)}`)
      this.#hasReported = true
    } finally {
      this.#current = null
      // An idle library sends no further status.
      if (this.#last !== null) this.onStatus(this.#last)
    }
  }
}
