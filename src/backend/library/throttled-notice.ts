const minIntervalMs = 250

/** Calls back at most four times a second, and less often if the callback is slow. */
export class ThrottledNotice {
  readonly #notify: () => void
  #timer: NodeJS.Timeout | null = null
  #at = Infinity
  #notBefore = 0

  constructor(notify: () => void) {
    this.#notify = notify
  }

  /** Within `ms` at the latest, if that is not too often. */
  soon(ms = 0): void {
    const now = performance.now()
    const at = Math.max(now + ms, this.#notBefore)
    if (at >= this.#at) return
    this.close()
    this.#at = at
    this.#timer = setTimeout(() => this.#now(), at - now)
  }

  #now(): void {
    this.#timer = null
    this.#at = Infinity
    const began = performance.now()
    this.#notify()
    const tookMs = performance.now() - began
    this.#notBefore = began + Math.max(minIntervalMs, 30 * tookMs)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
