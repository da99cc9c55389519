import type { EventBody } from '../../events/agent-event.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, objectAt, stringAt } from '../../json.ts'
import { isUnderstated } from '../../requests/request-note.ts'
import { maxDiffs, type RecordedDiff, type RecordFacts } from '../record-facts.ts'

/** What a line says of its event: of an answer its model and tokens, of a result what the tool noted: docs/formats/claude-stream-json.md. */
export function claudeFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type === 'tool.completed') return resultFacts(record, event.toolId)
  // The end of a turn, or of a subagent, has no message: its tokens stand beside its text.
  const said = objectAt(record, 'message') ?? record
  const model = stringAt(said, 'model')
  return { model: model === '<synthetic>' ? undefined : model, usage: usageOf(record, said) }
}

/** The tokens of a message, without an output that is only what it was when the answer began (`isUnderstated`). */
function usageOf(record: JsonObject, said: JsonObject): JsonObject | undefined {
  const usage = objectAt(said, 'usage')
  const output = usage?.['output_tokens']
  if (usage === undefined || !isFiniteNumber(output)) return usage
  const isPart = 'parent_tool_use_id' in record && said['stop_reason'] === null
  if (!isPart && !isUnderstated(output, JSON.stringify(said['content'] ?? '').length)) return usage
  return Object.fromEntries(Object.entries(usage).filter(([key]) => !key.startsWith('output_tokens')))
}

function resultFacts(record: JsonObject, toolId: string): RecordFacts {
  const noted = objectAt(record, 'toolUseResult') ?? objectAt(record, 'tool_use_result') ?? {}
  const { exitCode } = noted
  return {
    model: stringAt(noted, 'resolvedModel'),
    usage: objectAt(noted, 'usage'),
    exitCode: isFiniteNumber(exitCode) ? exitCode : undefined,
    diffs: diffsIn(noted),
    isDenied: stringAt(record, 'toolDenialKind') !== undefined || isRejected(record, toolId)
  }
}

/** A record may hold the results of several calls. */
function isRejected(record: JsonObject, toolId: string): boolean {
  const own = (arrayAt(record, 'tool_result_meta') ?? []).find(
    (meta): meta is JsonObject => isJsonObject(meta) && meta['id'] === toolId
  )
  return own !== undefined && objectAt(own, 'permission_decision')?.['decision'] === 'reject'
}

function diffsIn(noted: JsonObject): readonly RecordedDiff[] {
  const hunks = arrayAt(noted, 'structuredPatch') ?? []
  // A hunk without lines says where, but not what: then the call says more.
  if (!hunks.some(hasLines)) return []
  const patch = hunks.map(hunkText).join('\n')
  const created = noted['type'] === 'create'
  return patch.length > maxDiffs ? [] : [{ path: stringAt(noted, 'filePath') ?? '', created, patch }]
}

function hasLines(hunk: JsonValue): boolean {
  return isJsonObject(hunk) && (arrayAt(hunk, 'lines') ?? []).length > 0
}

function hunkText(hunk: JsonValue): string {
  if (!isJsonObject(hunk)) return ''
  const number = (key: string) => (isFiniteNumber(hunk[key]) ? hunk[key] : 0)
  const lines = (arrayAt(hunk, 'lines') ?? []).filter((line) => typeof line === 'string')
  const head = `@@ -${number('oldStart')},${number('oldLines')} +${number('newStart')},${number('newLines')} @@`
  return [head, ...lines].join('\n')
}
