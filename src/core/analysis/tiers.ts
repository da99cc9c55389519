/**
 * The tier of each call: the first that is free when it begins, from 0, so that calls of a track that overlap are drawn
 * apart. A tick, whose end is NaN, takes `tickMs`. `begins`: ascending, of one track; NaN is tier 0.
 */
export function tiersOf(begins: ArrayLike<number>, ends: ArrayLike<number>, tickMs = 0): Uint16Array<ArrayBuffer> {
  const tiers = new Uint16Array(begins.length)
  /** By tier: when it is free again. */
  const free: number[] = []
  for (let i = 0; i < begins.length; i++) {
    const begin = begins[i] ?? NaN
    if (Number.isNaN(begin)) continue
    let tier = free.findIndex((at) => at <= begin)
    if (tier < 0) tier = Math.min(free.length, maxTiers - 1)
    const end = ends[i] ?? NaN
    free[tier] = Math.max(begin + tickMs, Number.isNaN(end) ? begin : end)
    tiers[i] = tier
  }
  return tiers
}

/** Further calls share the last one: a search through more is slow, and nobody sees them. */
const maxTiers = 256
