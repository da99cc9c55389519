import { objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { LiveCue } from '../live-cue.ts'

/** Without a person the policy denies what needs approval (`scheduler/policy.ts` of 0.61). */
export function geminiLiveCues(record: JsonObject): readonly LiveCue[] {
  const error = record['type'] === 'tool_result' ? objectAt(record, 'error') : undefined
  if (error?.['type'] !== 'policy_violation') return []
  const [toolId, message] = [stringAt(record, 'tool_id'), stringAt(error, 'message')]
  return [{ kind: 'permission', toolId, message, denied: true }]
}
