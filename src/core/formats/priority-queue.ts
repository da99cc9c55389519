/** Gives what comes first, in a time that grows with the logarithm of how much waits. A binary heap. */
export class PriorityQueue<T> {
  readonly #before: (a: T, b: T) => boolean
  readonly #items: T[] = []

  /** `before`: a strict order, total where the one that comes first has to be certain. */
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

  /** The first goes. */
  removeFirst(): void {
    const last = this.#items.pop()
    if (last !== undefined && this.#items.length > 0) this.#sink(last)
  }

  /** The first comes later than it did. */
  firstIsLater(): void {
    const [first] = this.#items
    if (first !== undefined) this.#sink(first)
  }

  /** Puts `item` in the place of the first, or below. */
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
