import { isTooDeep } from '../formats/json-depth.ts'
import type { JsonObject } from '../json.ts'
import type { NewAsk } from './agent-protocol.ts'

/** A request that is shown raw, and can only be refused. */
export function unknownAsk(id: string, request: JsonObject, ids: Pick<NewAsk, 'trackId' | 'toolId' | 'tool'>): NewAsk {
  const none = { folder: null, reason: null, scopes: [], modes: [], questions: [], needsCare: true }
  const input = isTooDeep(request) ? 'This request is nested too deeply to show.' : request
  return { id, kind: 'unknown', ...ids, input, ...none }
}
