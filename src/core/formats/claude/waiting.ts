/** Values that wait under a key to be taken in the order they were put there. */
export class Waiting<Key, Value> {
  private readonly queues = new Map<Key, { readonly values: Value[]; taken: number }>()

  put(key: Key, value: Value): void {
    const queue = this.queues.get(key)
    if (queue === undefined) this.queues.set(key, { values: [value], taken: 0 })
    else queue.values.push(value)
  }

  /** The one that waits longest; undefined where none does. */
  take(key: Key): Value | undefined {
    const queue = this.queues.get(key)
    if (queue === undefined) return undefined
    // Not `shift`: ids may be redacted, so that all calls of a log wait under one.
    const value = queue.values[queue.taken]
    queue.taken += 1
    if (queue.taken === queue.values.length) this.queues.delete(key)
    return value
  }
}
