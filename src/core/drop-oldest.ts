/** Deletes the first `count` entries. In bulk, as finding the first entry again and again is slow. */
export function dropOldest<K>(map: Map<K, unknown> | Set<K>, count: number): void {
  let left = count
  for (const key of map.keys()) {
    if (left-- <= 0) return
    map.delete(key)
  }
}
