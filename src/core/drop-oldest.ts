/** Forgets the first `count` of a map or a set, many at once: it gets slow where its first entry is looked for again and again. */
export function dropOldest<K>(map: Map<K, unknown> | Set<K>, count: number): void {
  let left = count
  for (const key of map.keys()) {
    if (left-- <= 0) return
    map.delete(key)
  }
}
