/** Tokens of a request in the cache. */
export interface CacheTokens {
  /** Read from it. */
  readonly read: number
  readonly written: number
}

/** Smaller contexts are written anew often. */
const leastTokens = 20_000

/**
 * Whether a request read less than half of what the request before had in the cache, and wrote most of it again. This says
 * nothing about the cause.
 */
export function hasLostCache(former: CacheTokens, current: CacheTokens): boolean {
  const before = former.read + former.written
  return before >= leastTokens && current.read < before / 2 && current.read + current.written >= before * 0.8
}
