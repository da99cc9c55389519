/** A queue of values per key. */
export class KeyedQueue<Key, Value> {
  private readonly queues = new Map<Key, { readonly values: Value[]; taken: number }>()

  push(key: Key, value: Value): void {
    const queue = this.queues.get(key)
    if (queue === undefined) this.queues.set(key, { values: [value], taken: 0 })
    else queue.values.push(value)
  }

  /** The oldest value; undefined if there is none. */
  shift(key: Key): Value | undefined {
    const queue = this.queues.get(key)
    if (queue === undefined) return undefined
    // No `Array.shift`: with redacted ids all calls of a log share one key.
    const value = queue.values[queue.taken]
    queue.taken += 1
    if (queue.taken === queue.values.length) this.queues.delete(key)
    return value
  }
}
