import { isUnderstated } from '../requests/request-note.ts'
import { countImages } from '../media/log-images.ts'
import type { EventBody } from '../events/agent-event.ts'
import { arrayAt, isFiniteNumber, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../json.ts'
import { recordedExitCode, toolOutput } from './tool-output.ts'

/** How a file was changed, as the agent recorded it. */
export interface RecordedDiff {
  readonly path: string
  /** The file was not there before. */
  readonly created: boolean
  /** Hunks of a unified diff. */
  readonly patch: string
}

/** What a row's record says of its event beside the event itself. Null: nothing. */
export interface RowFacts {
  /** The model that said or called this. */
  readonly model: string | null
  /** Tokens of the message, or of what a subagent did, in the vendor's own names. */
  readonly usage: JsonObject | null
  readonly exitCode: number | null
  readonly diffs: readonly RecordedDiff[]
  /** How many images the record holds that belong to the event. */
  readonly images: number
}

/** Diffs longer than this, all together, are left out: what the call says of them is shown instead. */
const maxDiffs = 1_000_000

/** What `record`, the JSON value of the event's line, says of it. */
export function rowFacts(event: EventBody | null, record: JsonValue | undefined): RowFacts {
  const own = event?.type === 'tool.completed' || event?.type === 'tool.started' ? event.toolId : null
  const images = record === undefined ? 0 : countImages(record, own)
  if (!isJsonObject(record) || event === null) return { ...nothing, images }
  if (event.type === 'tool.completed') return { ...resultFacts(event.toolId, event, record), images }
  if (event.type !== 'text' && event.type !== 'tool.started') return { ...nothing, images }
  const said = objectAt(record, 'message') ?? record
  const model = stringAt(said, 'model')
  return {
    ...nothing,
    model: model === undefined || model === '<synthetic>' ? null : model,
    usage: usageOf(record, said),
    images
  }
}

/** The tokens of a message, without an output that is only what it was when the answer began (`isUnderstated`). */
function usageOf(record: JsonObject, said: JsonObject): JsonObject | null {
  const usage = objectAt(said, 'usage') ?? objectAt(said, 'tokens') ?? null
  const { output_tokens: output } = usage ?? {}
  if (usage === null || !isFiniteNumber(output)) return usage
  const isPart = 'parent_tool_use_id' in record && said['stop_reason'] === null
  if (!isPart && !isUnderstated(output, JSON.stringify(said['content'] ?? '').length)) return usage
  return Object.fromEntries(Object.entries(usage).filter(([key]) => !key.startsWith('output_tokens')))
}

const nothing: RowFacts = { model: null, usage: null, exitCode: null, diffs: [], images: 0 }

function resultFacts(
  toolId: string,
  { output, error }: { output?: string; error?: string },
  record: JsonObject
): RowFacts {
  const told = tellersOf(record, toolId)
  const first = <T>(read: (told: JsonObject) => T | null): T | null => {
    for (const each of told) {
      const found = read(each)
      if (found !== null) return found
    }
    return null
  }
  const text = error ?? output ?? ''
  const diffs = first((each) => {
    const found = diffsIn(each)
    return found.length > 0 ? found : null
  })
  return {
    model: first((each) => stringAt(each, 'resolvedModel') ?? null),
    usage: first((each) => objectAt(each, 'usage') ?? null),
    exitCode: first(exitCodeIn) ?? toolOutput(text.length > 100_000 ? '' : text).exitCode ?? recordedExitCode(record),
    diffs: diffs ?? [],
    images: 0
  }
}

/** The parts of a record that tell of one call's end: its own entry in a list of calls, the agent's own notes, what the record wraps. */
function tellersOf(record: JsonObject, toolId: string): readonly JsonObject[] {
  const calls = arrayAt(record, 'toolCalls') ?? []
  const own = calls.find((call): call is JsonObject => isJsonObject(call) && call['id'] === toolId)
  const parts = [
    own,
    own === undefined ? undefined : own['resultDisplay'],
    record['toolUseResult'],
    record['tool_use_result'],
    record['item'],
    record['payload'],
    ...cursorOutcomes(record)
  ].filter(isJsonObject)
  return parts.flatMap((part) => {
    const inner = objectAt(part, 'item')
    return inner === undefined ? [part] : [part, inner]
  })
}

/** `{tool_call: {editToolCall: {result: {success: {…}}}}}` of Cursor. */
function cursorOutcomes(record: JsonObject): readonly (JsonValue | undefined)[] {
  const calls = Object.values(objectAt(record, 'tool_call') ?? {}).filter(isJsonObject)
  return calls.flatMap((call) => Object.values(objectAt(call, 'result') ?? {}))
}

function exitCodeIn(told: JsonObject): number | null {
  const code = told['exitCode'] ?? told['exit_code']
  return isFiniteNumber(code) ? code : null
}

function diffsIn(told: JsonObject): readonly RecordedDiff[] {
  const path = stringAt(told, 'filePath') ?? stringAt(told, 'fileName') ?? ''
  const hunks = arrayAt(told, 'structuredPatch')
  if (hunks !== undefined && hunks.length > 0) {
    const patch = hunks.map(hunkText).join('\n')
    // A hunk without lines says where, but not what: then the call says more.
    return patch.length > maxDiffs || !hunks.some(hasLines) ? [] : [{ path, created: told['type'] === 'create', patch }]
  }
  const change = stringAt(told, 'diffString')
  if (change !== undefined && change !== '' && change.length <= maxDiffs) {
    // Cursor's say no line numbers.
    const patch = /^@@/m.test(change) ? change : `@@\n${change}`
    return [{ path: stringAt(told, 'path') ?? '', created: false, patch }]
  }
  const diff = stringAt(told, 'fileDiff')
  if (diff !== undefined) {
    const from = diff.search(/^@@/m)
    const created = told['originalContent'] === null || told['originalContent'] === '' || told['isNewFile'] === true
    return from < 0 || diff.length > maxDiffs ? [] : [{ path, created, patch: diff.slice(from) }]
  }
  return changesIn(told)
}

function changesIn(told: JsonObject): readonly RecordedDiff[] {
  let room = maxDiffs
  return Object.entries(objectAt(told, 'changes') ?? {}).flatMap(([path, change]) => {
    const patch = isJsonObject(change) ? stringAt(change, 'unified_diff') : undefined
    room -= patch?.length ?? 0
    // What has no hunk is no diff, whatever it is called.
    return patch === undefined || room < 0 || !/^@@/m.test(patch) ? [] : [{ path, created: false, patch }]
  })
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
