import type { JsonObject } from '../../json.ts'
import type { RequestTier } from '../../requests/request-note.ts'

const tiers: ReadonlyMap<unknown, RequestTier> = new Map([
  ['standard', 'standard'],
  ['priority', 'priority'],
  ['flex', 'flex'],
  ['batch', 'batch']
])

/** Of the `usage` of a message: docs/formats/claude-transcript.md#a-request-has-a-tier. Undefined: not told. */
export function tierOf({ speed, service_tier: tier }: JsonObject): RequestTier | undefined {
  return speed === 'fast' ? 'fast' : tiers.get(tier)
}
