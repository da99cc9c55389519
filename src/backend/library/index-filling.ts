import type { LibraryStatus } from '#contract/library.ts'
import { indexedFrom } from './library-search.ts'

/** After so many ms there may be room again. */
const restAfterFailure = 600_000

/** Has the index of a large library note what stands in logs, whenever all else of it is done. */
export class IndexFilling {
  readonly #fill: (signal: AbortSignal) => Promise<void>
  readonly #problem: (message: string) => void
  #going: AbortController | null = null
  /** Of the library that was noted last. */
  #version = -1
  /** Its clock when it could not, ms since the epoch, and whether that was said. */
  #failedAt = -Infinity
  #hasSaid = false
  /** What was heard while the last fill was coming to its end. */
  #last: LibraryStatus | null = null

  /** `fill`: notes all that is not noted yet; rejects where it cannot. */
  constructor(fill: (signal: AbortSignal) => Promise<void>, problem: (message: string) => void) {
    this.#fill = fill
    this.#problem = problem
  }

  hear(status: LibraryStatus): void {
    const { phase, isPaused, bytes, version } = status
    this.#last = status
    // While cards and counts are read, or the person asked for rest, it waits.
    if (phase !== 'idle' || isPaused) return this.#going?.abort()
    if (bytes < indexedFrom || version === this.#version || this.#going !== null) return
    if (Date.now() - this.#failedAt < restAfterFailure) return
    void this.#note(version)
  }

  /** For good. */
  stop(): void {
    this.#last = null
    this.#going?.abort()
  }

  async #note(version: number): Promise<void> {
    const going = new AbortController()
    this.#going = going
    try {
      await this.#fill(going.signal)
      if (!going.signal.aborted) this.#version = version
    } catch (error) {
      // What was told to stop goes on another time.
      if (going.signal.aborted) return
      this.#failedAt = Date.now()
      // A search does without, and takes longer.
      if (!this.#hasSaid)
        this.#problem(`Searching is slow without its index: ${error instanceof Error ? error.message : String(error)}`)
      this.#hasSaid = true
    } finally {
      this.#going = null
      // Nothing more may be heard of a library that rests.
      if (this.#last !== null) this.hear(this.#last)
    }
  }
}
