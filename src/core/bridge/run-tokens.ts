import type { Usage } from '../requests/usage.ts'

/** The tokens of a run so far, of all its agents. */
export interface RunTokens {
  /** Cached or not; null: unknown. */
  readonly sent: number | null
  readonly received: number | null
  /** The agent understates the output so far. */
  readonly atLeast: boolean
}

export function runTokens(usage: Usage | null): RunTokens | null {
  if (usage === null) return null
  const { input, cacheRead, cacheWrite, output, understatedRequests } = usage
  const isKnown = input !== null || cacheRead !== null || cacheWrite !== null
  const sent = isKnown ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) : null
  return { sent, received: output, atLeast: understatedRequests > 0 }
}
