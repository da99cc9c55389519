import { objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { LiveCue } from '../live-cue.ts'

/**
 * What a record of Gemini's stream-json tells those who follow a run. With nobody there its policy refuses what would have to be allowed (source:
 * `scheduler/policy.ts` and `tools/tool-error.ts` of 0.61).
 */
export function geminiLiveCues(record: JsonObject): readonly LiveCue[] {
  const error = record['type'] === 'tool_result' ? objectAt(record, 'error') : undefined
  if (error?.['type'] !== 'policy_violation') return []
  return [
    {
      kind: 'permission',
      requestId: undefined,
      toolId: stringAt(record, 'tool_id'),
      toolName: undefined,
      input: undefined,
      message: stringAt(error, 'message'),
      denied: true
    }
  ]
}
