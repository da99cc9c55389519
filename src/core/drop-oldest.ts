/** Forgets the first `count` of a map or a set, many at once: it gets slow where its first entry is looked for again and again. */
export function dropOldest(map: Map<string, unknown> | Set<string>, count: number): void {
  let left = count
  for (const key of map.keys()) {
    if (left-- <= 0) return
    map.delete(key)
  }
}
