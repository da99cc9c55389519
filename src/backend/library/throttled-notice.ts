const minIntervalMs = 250

/** Calls back at most four times a second, and less often if the callback is slow. */
export class ThrottledNotice {
  readonly #notify: () => void
  #timer: NodeJS.Timeout | null = null
  #notBefore = 0

  constructor(notify: () => void) {
    this.#notify = notify
  }

  soon(): void {
    this.#timer ??= setTimeout(() => this.#now(), Math.max(0, this.#notBefore - performance.now()))
  }

  #now(): void {
    this.#timer = null
    const began = performance.now()
    this.#notify()
    const tookMs = performance.now() - began
    this.#notBefore = began + Math.max(minIntervalMs, 30 * tookMs)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
