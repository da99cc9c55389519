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
 * Which of `places`, of which no two that are not negative are the same, belong to a longest ascending subsequence of them; negative ones
 * are no part of it. Of places in a list of `count` items, in the order of a list after it: those of the items that kept their order,
 * while others passed them. By place 1 where it belongs to it.
 */
export function placesInOrder(places: readonly number[], count: number): Uint8Array {
  const inOrder = new Uint8Array(count)
  /** The least place that ends an ascent of length index + 1. */
  const ends: number[] = []
  /** For each place the one before it in the longest ascent that it ends, plus one. */
  const previous = new Int32Array(count)
  for (const place of places) {
    if (place < 0) continue
    const last = ends.length - 1
    const length = place > (ends[last] ?? -1) ? ends.length : countBelow(ends, place)
    previous[place] = (ends[length - 1] ?? -1) + 1
    ends[length] = place
  }
  for (let place = ends.at(-1) ?? -1; place >= 0; place = (previous[place] ?? 0) - 1) inOrder[place] = 1
  return inOrder
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
