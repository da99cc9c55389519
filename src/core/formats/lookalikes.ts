import { isJsonObject, type JsonObject, objectAt, stringAt } from '../json.ts'
import type { Claimant } from './evidence.ts'
import type { Detector } from './log-format.ts'

/** An unsupported program that is recognized to name it in the refusal (docs/format-sources.md#named-and-not-read). */
export interface Lookalike extends Claimant {
  readonly id: null
  /** The log's name for the user. */
  readonly name: string
}

export const lookalikes: readonly Lookalike[] = [
  {
    id: null,
    name: 'a CodeBuddy or WorkBuddy log',
    imitates: ['claude-transcript'],
    detectors: [
      only((r) => buddyTypes.has(stringAt(r, 'type') ?? '') && has(r, 'sessionId') && isJsonObject(r['providerData'])),
      only((r) => r['type'] === 'function_call_result' && has(r, 'sessionId'))
    ]
  },
  {
    id: null,
    name: 'a Grok Build log',
    detectors: [
      only((r) => r['type'] === 'backend_tool_call' && has(objectAt(r, 'kind') ?? {}, 'tool_type')),
      only((r) => r['type'] === 'assistant' && has(r, 'content', 'model_id')),
      only(
        (r) =>
          r['type'] === 'user' && Array.isArray(r['content']) && ('prompt_index' in r || has(r, 'synthetic_reason'))
      )
    ]
  },
  {
    id: null,
    name: 'a Hermes log',
    detectors: [
      only((r) => has(r, 'id', 'source', 'system_prompt') && 'expiry_finalized' in r),
      only((r) => has(r, 'session_id', 'platform', 'session_start', 'last_updated'))
    ]
  },
  {
    id: null,
    name: 'an Antigravity log',
    detectors: [only((r) => typeof r['step_index'] === 'number' && has(r, 'source', 'type', 'status', 'created_at'))]
  },
  {
    id: null,
    name: 'a Continue session',
    detectors: [only((r) => has(r, 'sessionId', 'title', 'workspaceDirectory'))],
    textDetectors: [
      { strength: 'conclusive', holds: (text) => /"sessionId"\s*:/.test(text) && /"workspaceDirectory"\s*:/.test(text) }
    ]
  }
]

/** A conclusive detector. */
function only(holds: (record: JsonObject) => boolean): Detector {
  return { strength: 'conclusive', holds }
}

/** Whether all these members are strings. */
function has(r: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => stringAt(r, key) !== undefined)
}

const buddyTypes = new Set(['message', 'function_call', 'function_call_result', 'reasoning'])
