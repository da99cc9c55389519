import type { ToolCompleted } from '../events/agent-event.ts'
import { isFiniteNumber, type JsonValue } from '../json.ts'

/** No call takes longer than a year: what says so counts something else. */
const longestMs = 366 * 24 * 3_600_000

/**
 * The duration of a call as a log states it, to be put into its `tool.completed`. Nothing where it is no number of at least 0.
 * `unitMs`: how many milliseconds the number counts in.
 */
export function statedDuration(
  value: JsonValue | undefined,
  unitMs = 1
): Pick<ToolCompleted, 'durationMs' | 'durationFrom'> | undefined {
  if (!isFiniteNumber(value) || value < 0) return undefined
  // Seconds with decimals times 1000 would end in digits that nobody stated.
  const durationMs = unitMs === 1 ? value : Math.round(value * unitMs * 1e6) / 1e6
  return durationMs <= longestMs ? { durationMs, durationFrom: 'stated' } : undefined
}
