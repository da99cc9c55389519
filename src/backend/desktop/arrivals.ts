/** Requests in the order in which they come. Those that come before anybody can serve them wait; each is handed over once. */
export class Arrivals<T> {
  readonly #waiting: T[] = []
  #serve: ((request: T) => Promise<void>) | null = null

  add(request: T): void {
    if (this.#serve) void this.#serve(request)
    else this.#waiting.push(request)
  }

  /** Those that wait now, which nobody else gets any more. */
  take(): T[] {
    return this.#waiting.splice(0)
  }

  /** Has those that wait served one after the other, with those that come meanwhile behind them; later ones at once. */
  async serve(serve: (request: T) => Promise<void>): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await serve(next)
    this.#serve = serve
  }
}
