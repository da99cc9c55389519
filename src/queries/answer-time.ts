import type { Steps } from '#core/steps.ts'

/** Time limit of one piece of work, as the thread also serves the timeline. */
const sliceMs = 25
/** Time limit of one answer, with others served between its pieces. Then it is asked for again. */
const answerMs = 120

/** The time of one answer. */
export class AnswerTime {
  readonly #end = performance.now() + answerMs
  #sliceEnd = performance.now() + sliceMs

  /** Whether there is time to go on. Serves others after each slice. */
  async goesOn(): Promise<boolean> {
    const now = performance.now()
    if (now < this.#sliceEnd) return true
    if (now >= this.#end) return false
    await new Promise<void>((resume) => void setTimeout(resume, 0))
    this.#sliceEnd = performance.now() + sliceMs
    return true
  }
}

/** Work that several answers do, each for a while. */
export class SharedWork<T> {
  readonly #steps: Steps<T>
  #end: { readonly value: T } | { readonly error: unknown } | null = null

  constructor(steps: Steps<T>) {
    this.#steps = steps
  }

  get isDone(): boolean {
    return this.#end !== null
  }

  /** The result; null if the time was not enough. */
  async within(time: AnswerTime): Promise<T | null> {
    while (this.#end === null) {
      if (!(await time.goesOn())) return null
      this.#step()
    }
    if ('error' in this.#end) throw this.#end.error
    return this.#end.value
  }

  #step(): void {
    // Another answer may have finished it meanwhile.
    if (this.#end !== null) return
    try {
      const { done, value } = this.#steps.next()
      if (done === true) this.#end = { value }
    } catch (error) {
      this.#end = { error }
    }
  }
}
