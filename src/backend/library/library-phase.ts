import type { LibraryStatus } from '#contract/library.ts'

type Phase = LibraryStatus['phase']

/** The current phase of the library, and its progress. */
export class LibraryPhase {
  readonly #changed: () => void
  #phase: Phase = 'looking'
  #done = 0
  #all = 0
  #ended: unknown = null
  #waiting: { resolve(): void; reject(error: unknown): void }[] = []

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get phase(): Phase {
    return this.#phase
  }

  get progress(): { readonly done: number; readonly all: number } {
    return { done: Math.min(this.#done, this.#all), all: this.#all }
  }

  enter(phase: Phase, done: number, all: number): void {
    const isSame = this.#phase === phase && this.#done === done && this.#all === all
    this.#phase = phase
    this.#done = done
    this.#all = all
    if (isSame) return
    if (this.#isListed) for (const { resolve } of this.#waiting.splice(0)) resolve()
    this.#changed()
  }

  /** Resolves once all sessions have cards. Rejects with the error of `end`. */
  async listed(): Promise<void> {
    if (this.#isListed) return
    if (this.#ended !== null) throw this.#ended
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
    })
  }

  /** The library has stopped. */
  end(error: unknown): void {
    this.#ended ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended)
  }

  get #isListed(): boolean {
    return this.#phase !== 'looking' && this.#phase !== 'cards'
  }
}
