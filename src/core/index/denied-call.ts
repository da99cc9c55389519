import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../json.ts'

/** Whether the record of a call's result says that the agent was not allowed to make it: in Claude's, Codex's and Gemini's own words. */
export function isDeniedCall(toolId: string, record: JsonValue | undefined): boolean {
  if (!isJsonObject(record)) return false
  if (stringAt(record, 'toolDenialKind') !== undefined || isRejected(toolId, record)) return true
  const payload = objectAt(record, 'payload')
  const parts = [objectAt(record, 'item'), payload, payload && objectAt(payload, 'item')]
  if (parts.some((part) => part?.['status'] === 'declined')) return true
  return objectAt(record, 'error')?.['type'] === 'policy_violation'
}

/** Claude's record may hold the results of several calls. */
function isRejected(toolId: string, record: JsonObject): boolean {
  const own = (arrayAt(record, 'tool_result_meta') ?? []).find(
    (meta): meta is JsonObject => isJsonObject(meta) && meta['id'] === toolId
  )
  return own !== undefined && objectAt(own, 'permission_decision')?.['decision'] === 'reject'
}
