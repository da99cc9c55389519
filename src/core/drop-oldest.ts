/** Forgets the first `count` entries of a map, many at once: a map gets slow where its first entry is looked for again and again. */
export function dropOldest(map: Map<string, unknown>, count: number): void {
  let left = count
  for (const key of map.keys()) {
    if (left-- <= 0) return
    map.delete(key)
  }
}
