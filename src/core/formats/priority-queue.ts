/** A binary heap. */
export class PriorityQueue<T> {
  readonly #before: (a: T, b: T) => boolean
  readonly #items: T[] = []

  /** `before`: a strict order; total if the result must be deterministic. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  add(item: T): void {
    let at = this.#items.length
    while (at > 0) {
      const above = (at - 1) >>> 1
      const parent = this.#items[above] as T
      if (!this.#before(item, parent)) break
      this.#items[at] = parent
      at = above
    }
    this.#items[at] = item
  }

  removeFirst(): void {
    const last = this.#items.pop()
    if (last !== undefined && this.#items.length > 0) this.#sink(last)
  }

  /** Restores the order after the first item moved back. */
  firstIsLater(): void {
    const [first] = this.#items
    if (first !== undefined) this.#sink(first)
  }

  /** Places `item` first, then moves it down. */
  #sink(item: T): void {
    const items = this.#items
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= items.length) break
      if (below + 1 < items.length && this.#before(items[below + 1] as T, items[below] as T)) below++
      if (!this.#before(items[below] as T, item)) break
      items[at] = items[below] as T
      at = below
    }
    items[at] = item
  }
}
