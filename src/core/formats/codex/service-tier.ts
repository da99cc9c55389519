import type { JsonObject } from '../../json.ts'
import type { RequestTier } from '../../requests/request-note.ts'

/** The API's `priority` is what Codex calls fast mode. */
const tiers: ReadonlyMap<unknown, RequestTier> = new Map([
  ['default', 'standard'],
  ['priority', 'fast'],
  ['fast', 'fast'],
  ['flex', 'flex']
])

/**
 * The tier of the next requests, in the settings of a thread or turn: docs/formats/codex-rollout.md#a-thread-has-a-service-tier.
 * Null: none is named. Undefined: they say nothing of it.
 */
export function tierIn(settings: JsonObject, name = 'service_tier'): RequestTier | null | undefined {
  return name in settings ? (tiers.get(settings[name]) ?? null) : undefined
}
