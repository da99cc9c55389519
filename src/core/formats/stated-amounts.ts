import type { ToolCompleted } from '../events/agent-event.ts'
import { isFiniteNumber, type JsonObject, type JsonValue } from '../json.ts'
import { isUsd } from '../requests/run-cost.ts'

export type StatedDuration = Pick<ToolCompleted, 'durationMs' | 'durationFrom'>

/** A larger number has another unit. */
const longestMs = 366 * 24 * 3_600_000

/** A stated duration; undefined unless it is a number of at least 0. `unitMs`: ms per unit. */
export function statedDuration(value: JsonValue | undefined, unitMs = 1): StatedDuration | undefined {
  if (!isFiniteNumber(value) || value < 0) return undefined
  // Removes digits that the multiplication adds.
  const durationMs = unitMs === 1 ? value : Math.round(value * unitMs * 1e6) / 1e6
  return durationMs <= longestMs ? { durationMs, durationFrom: 'stated' } : undefined
}

/** A stated length in ms. Undefined unless it can be one. */
export function lengthAt(object: JsonObject, key: string): number | undefined {
  return statedDuration(object[key])?.durationMs
}

/** A stated cost in US dollars. Undefined unless it can be one. */
export function usdAt(object: JsonObject | undefined, key: string): number | undefined {
  const usd = object?.[key]
  return isUsd(usd) ? usd : undefined
}
