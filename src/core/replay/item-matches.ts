/**
 * Of two lists of texts: for each text of `after` the place in `before` of the same item, -1 where there is none. Items are told by their
 * text, equal texts by their order.
 */
export function placesByText(before: readonly string[], after: readonly string[]): number[] {
  const shorter = Math.min(before.length, after.length)
  const places: number[] = []
  // Most lists begin as the one before, or are alike altogether.
  while (places.length < shorter && before[places.length] === after[places.length]) places.push(places.length)
  const same = places.length
  if (same === after.length) return places
  /** The places of each text, the first one last. */
  const byText = new Map<string, number[]>()
  for (let place = before.length - 1; place >= same; place--) {
    const text = before[place] ?? ''
    const known = byText.get(text)
    if (known === undefined) byText.set(text, [place])
    else known.push(place)
  }
  for (let place = same; place < after.length; place++) places.push(byText.get(after[place] ?? '')?.pop() ?? -1)
  return places
}

/**
 * The members of a longest ascending subsequence of `places`, whose values differ; negative ones are no part of it. Of places before, in
 * the order of a list after: those of the items that kept their order, while others passed them.
 */
export function placesInOrder(places: readonly number[]): Set<number> {
  /** The least value that ends an ascent of length index + 1. */
  const ends: number[] = []
  /** For each value the one before it in the longest ascent that it ends. */
  const previous = new Map<number, number | undefined>()
  for (const value of places) {
    if (value < 0) continue
    const length = countBelow(ends, value)
    previous.set(value, ends[length - 1])
    ends[length] = value
  }
  const ascent = new Set<number>()
  for (let value = ends.at(-1); value !== undefined; value = previous.get(value)) ascent.add(value)
  return ascent
}

/** How many of `ascending` are less than `value`. */
function countBelow(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}
