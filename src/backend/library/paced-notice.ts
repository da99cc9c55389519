/** At most so often, in ms. */
const leastMs = 250

/** Tells of changes at most four times a second, and less often where that takes long. */
export class PacedNotice {
  readonly #tell: () => void
  #timer: NodeJS.Timeout | null = null
  #notBefore = 0

  constructor(tell: () => void) {
    this.#tell = tell
  }

  soon(): void {
    this.#timer ??= setTimeout(() => this.#now(), Math.max(0, this.#notBefore - performance.now()))
  }

  #now(): void {
    this.#timer = null
    const began = performance.now()
    this.#tell()
    const took = performance.now() - began
    this.#notBefore = began + Math.max(leastMs, 30 * took)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
