/** For each text of `after` the place of its item in `before`, or -1. Equal texts match by order. */
export function placesByText(before: readonly string[], after: readonly string[]): number[] {
  const shorter = Math.min(before.length, after.length)
  const places: number[] = []
  // Most lists start like the previous one.
  while (places.length < shorter && before[places.length] === after[places.length]) places.push(places.length)
  const same = places.length
  if (same === after.length) return places
  /** The places of each text, descending. */
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
 * Marks with 1 which of `places` belong to a longest ascending subsequence of them: the items that kept their order.
 * Negative places are ignored; the others are unique and below `count`.
 */
export function placesInOrder(places: readonly number[], count: number): Uint8Array {
  const inOrder = new Uint8Array(count)
  /** The least place that ends a subsequence of length index + 1. */
  const ends: number[] = []
  /** By place: its predecessor in the longest subsequence that it ends, plus one. */
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

/** The number of values of `ascending` below `value`. */
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
