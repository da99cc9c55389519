/** Items of two lists with at least this share of common words are one item. */
const leastCommon = 0.6
/** Above this number of pairs, only equal texts are paired. */
const maxPairs = 250_000

/**
 * Which items of two todo lists are the same: by place in `a`, the place in `b`, or -1. Equal texts first, without
 * regard to case and space, then the most common words (Jaccard), each item once.
 */
export function todoPairs(a: readonly string[], b: readonly string[]): number[] {
  const pairs = a.map(() => -1)
  const taken = new Set<number>()
  const pair = (place: number, other: number): void => {
    pairs[place] = other
    taken.add(other)
  }
  const [plainA, plainB] = [a.map(plain), b.map(plain)]
  const places = new Map<string, number[]>()
  for (const [place, text] of plainB.entries()) places.set(text, [...(places.get(text) ?? []), place])
  for (const [place, text] of plainA.entries()) {
    const other = places.get(text)?.shift()
    if (other !== undefined) pair(place, other)
  }
  if (a.length * b.length > maxPairs) return pairs
  const [wordsA, wordsB] = [plainA.map(wordsOf), plainB.map(wordsOf)]
  const similar = wordsA.flatMap((words, place) =>
    pairs[place] !== -1
      ? []
      : wordsB.flatMap((others, other) => {
          const common = taken.has(other) ? 0 : commonShare(words, others)
          return common < leastCommon ? [] : [{ place, other, common }]
        })
  )
  // Ties by the sum of places, then by distance: the same from both sides.
  similar.sort(
    (x, y) =>
      y.common - x.common ||
      x.place + x.other - y.place - y.other ||
      Math.abs(x.place - x.other) - Math.abs(y.place - y.other)
  )
  for (const { place, other } of similar) if (pairs[place] === -1 && !taken.has(other)) pair(place, other)
  return pairs
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])
}

function commonShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common++
  const all = a.size + b.size - common
  return all === 0 ? 0 : common / all
}
