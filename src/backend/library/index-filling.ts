import type { LibraryStatus } from '#contract/library.ts'
import { indexedFrom } from './library-search.ts'

/** Has the index of a large library note what stands in logs, whenever all else of it is done. */
export class IndexFilling {
  readonly #fill: (signal: AbortSignal) => Promise<void>
  readonly #problem: (message: string) => void
  #going: AbortController | null = null
  /** Of the library that was noted last. */
  #version = -1
  #failed = false

  /** `fill`: notes all that is not noted yet; rejects where it cannot. */
  constructor(fill: (signal: AbortSignal) => Promise<void>, problem: (message: string) => void) {
    this.#fill = fill
    this.#problem = problem
  }

  hear({ phase, isPaused, bytes, version }: LibraryStatus): void {
    // While cards and counts are read, or the person asked for rest, it waits.
    if (phase !== 'idle' || isPaused) return this.stop()
    if (bytes < indexedFrom || version === this.#version || this.#going !== null || this.#failed) return
    void this.#note(version)
  }

  stop(): void {
    this.#going?.abort()
  }

  async #note(version: number): Promise<void> {
    const going = new AbortController()
    this.#going = going
    try {
      await this.#fill(going.signal)
      if (!going.signal.aborted) this.#version = version
    } catch (error) {
      this.#failed = true
      // A search does without, and takes longer.
      if (!going.signal.aborted)
        this.#problem(`Large libraries are searched slowly: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#going = null
    }
  }
}
