/** The first of 0 … `count` - 1 for which `holds` is true; `count` for none. Once true, it must stay true. Binary search. */
export function firstWhere(count: number, holds: (at: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
