/** What a number of a query counts: its suffixes and their factors. Without a suffix a duration is in seconds, a size in bytes. */
export type Quantity = 'count' | 'duration' | 'size'

const factors: Record<Quantity, ReadonlyMap<string, number>> = {
  count: new Map([
    ['', 1],
    ['k', 1e3],
    ['m', 1e6]
  ]),
  // In ms.
  duration: new Map([
    ['', 1000],
    ['ms', 1],
    ['s', 1000],
    ['m', 60_000],
    ['h', 3_600_000],
    ['d', 86_400_000]
  ]),
  // In bytes. As the interface counts them: 1 KB is 1,000 bytes.
  size: new Map([
    ['', 1],
    ['b', 1],
    ['k', 1e3],
    ['kb', 1e3],
    ['m', 1e6],
    ['mb', 1e6],
    ['g', 1e9],
    ['gb', 1e9]
  ])
}

/** Examples for messages and completion. */
export const quantityExamples: Record<Quantity, string> = { count: '150k', duration: '10s', size: '100kb' }

/** The number in `word`, in ms, bytes or units; null if it is not a quantity. `1h30m` is one duration. */
export function quantityOf(word: string, quantity: Quantity): number | null {
  const parts = [...word.matchAll(/(\d+(?:\.\d+)?)([a-z]*)/gi)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== word) return null
  if (parts.length > 1 && (quantity !== 'duration' || parts.some(([, , unit]) => unit === ''))) return null
  let total = 0
  for (const [, digits = '', unit = ''] of parts) {
    const factor = factors[quantity].get(unit.toLowerCase())
    if (factor === undefined) return null
    total += Number(digits) * factor
  }
  // 16.1 * 1000 is 16100.000000000002.
  return Number.isFinite(total) ? Number(total.toPrecision(15)) : null
}
