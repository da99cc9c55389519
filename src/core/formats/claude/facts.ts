import type { EventBody } from '../../events/agent-event.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isJsonObject, numberAt, objectAt, stringAt } from '../../json.ts'
import { isUnderstated } from '../../requests/request-note.ts'
import { filesIn } from './file-notes.ts'
import { maxDiffs, type RecordedDiff, type RecordFacts } from '../record-facts.ts'

/** Facts of a line: model and tokens of an answer, the tool's notes of a result: docs/formats/claude-stream-json.md. */
export function claudeFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type === 'tool.completed') return resultFacts(record, event.toolId)
  if (event.type === 'tool.started') return { ...answerFacts(record), folder: stringAt(record, 'cwd') }
  return answerFacts(record)
}

/** Facts of a record without an event: `PostToolUse` hooks of an edit, which format what was written. */
export function claudeRecordFacts(record: JsonObject): RecordFacts {
  const data = objectAt(record, 'data') ?? record
  const name = stringAt(data, 'hookName') ?? stringAt(data, 'hook_name') ?? ''
  const isCommand = stringAt(data, 'command') !== 'callback'
  return { hookRan: isCommand && /^PostToolUse(?::(?:Edit|MultiEdit|Write|NotebookEdit))?$/.test(name) }
}

function answerFacts(record: JsonObject): RecordFacts {
  // A turn's end, or a subagent's, has its tokens outside a message.
  const said = objectAt(record, 'message') ?? record
  const model = stringAt(said, 'model')
  return { model: model === '<synthetic>' ? undefined : model, usage: usageOf(record, said) }
}

/** The usage of a message, without an output count from the start of the answer (`isUnderstated`). */
function usageOf(record: JsonObject, said: JsonObject): JsonObject | undefined {
  const usage = objectAt(said, 'usage')
  const output = usage && numberAt(usage, 'output_tokens')
  if (usage === undefined || output === undefined) return usage
  const isPart = 'parent_tool_use_id' in record && said['stop_reason'] === null
  if (!isPart && !isUnderstated(output, JSON.stringify(said['content'] ?? '').length)) return usage
  return Object.fromEntries(Object.entries(usage).filter(([key]) => !key.startsWith('output_tokens')))
}

function resultFacts(record: JsonObject, toolId: string): RecordFacts {
  const noted = objectAt(record, 'toolUseResult') ?? objectAt(record, 'tool_use_result') ?? {}
  return {
    model: stringAt(noted, 'resolvedModel'),
    usage: objectAt(noted, 'usage'),
    exitCode: numberAt(noted, 'exitCode'),
    diffs: diffsIn(noted),
    folder: stringAt(record, 'cwd'),
    files: filesIn(noted),
    isDenied: stringAt(record, 'toolDenialKind') !== undefined || isRejected(record, toolId)
  }
}

/** A record may contain several results. */
function isRejected(record: JsonObject, toolId: string): boolean {
  const own = (arrayAt(record, 'tool_result_meta') ?? []).find(
    (meta): meta is JsonObject => isJsonObject(meta) && meta['id'] === toolId
  )
  return own !== undefined && objectAt(own, 'permission_decision')?.['decision'] === 'reject'
}

function diffsIn(noted: JsonObject): readonly RecordedDiff[] {
  const hunks = arrayAt(noted, 'structuredPatch') ?? []
  // A hunk without lines has no content; then the call's input is better.
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
  const number = (key: string) => numberAt(hunk, key) ?? 0
  const lines = (arrayAt(hunk, 'lines') ?? []).filter((line) => typeof line === 'string')
  const head = `@@ -${number('oldStart')},${number('oldLines')} +${number('newStart')},${number('newLines')} @@`
  return [head, ...lines].join('\n')
}
