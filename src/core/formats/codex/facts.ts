import type { EventBody } from '../../events/agent-event.ts'
import { toolOutput } from '../../index/tool-output.ts'
import { arrayAt, isJsonObject, type JsonObject, numberAt, objectAt, stringAt } from '../../json.ts'
import type { FileEffect } from '../file-effect.ts'
import { maxDiffs, type RecordedDiff, type RecordFacts } from '../record-facts.ts'

/** Facts of a result in an item, in a rollout's payload, a notification's params or their item, or in a message of the older form. */
export function codexFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type !== 'tool.completed') return {}
  const outer =
    objectAt(record, 'item') ??
    objectAt(record, 'payload') ??
    objectAt(record, 'params') ??
    objectAt(record, 'msg') ??
    {}
  const parts = [outer, objectAt(outer, 'item') ?? {}]
  return {
    exitCode: parts.map(exitCodeIn).find((code) => code !== undefined),
    diffs: parts.map(diffsIn).find((diffs) => diffs.length > 0),
    files: parts.map(filesIn).find((files) => files.length > 0),
    folder: parts.map((part) => stringAt(part, 'cwd')).find((folder) => folder !== undefined),
    isDenied: parts.some((part) => part['status'] === 'declined')
  }
}

/** A number, or a line before the output. */
function exitCodeIn(part: JsonObject): number | undefined {
  const output = stringAt(part, 'output')
  return (
    numberAt(part, 'exit_code') ??
    numberAt(part, 'exitCode') ??
    (output === undefined ? undefined : (toolOutput(output).exitCode ?? undefined))
  )
}

/** Changes by path, with `type`, `content` and `unified_diff`; or a list with `path`, `kind` and `diff`, which is both. */
function changesIn(part: JsonObject): readonly (readonly [path: string, change: JsonObject])[] {
  const list = arrayAt(part, 'changes')
  if (list === undefined) {
    return Object.entries(objectAt(part, 'changes') ?? {}).flatMap(([path, change]) =>
      isJsonObject(change) ? [[path, change]] : []
    )
  }
  return list.flatMap((change): (readonly [string, JsonObject])[] => {
    const path = isJsonObject(change) ? stringAt(change, 'path') : undefined
    const diff = isJsonObject(change) ? stringAt(change, 'diff') : undefined
    // `codex exec` prints no diffs, so the call's input says as much.
    if (!isJsonObject(change) || path === undefined || diff === undefined) return []
    const { type, move_path } = objectAt(change, 'kind') ?? {}
    if (type !== 'update') return [[path, { type, content: diff }]]
    const hunks = typeof move_path === 'string' ? diff.replace(/\n\nMoved to: [^\n]*$/, '') : diff
    return [[path, { type, move_path, unified_diff: hunks }]]
  })
}

function diffsIn(part: JsonObject): readonly RecordedDiff[] {
  let room = maxDiffs
  return changesIn(part).flatMap(([path, change]) => {
    const patch = stringAt(change, 'unified_diff')
    room -= patch?.length ?? 0
    // Without a hunk it is no diff.
    return patch === undefined || room < 0 || !/^@@/m.test(patch) ? [] : [{ path, created: false, patch }]
  })
}

/** Changes by path. The hunks have the line numbers and the context of the files. */
function filesIn(part: JsonObject): readonly FileEffect[] {
  return changesIn(part).flatMap(([path, change]): FileEffect[] => {
    const type = stringAt(change, 'type')
    const content = stringAt(change, 'content')
    if (type === 'delete') return [{ path, what: 'deleted' }]
    if (type === 'add' && content !== undefined) return [{ path, what: 'written', text: content, created: true }]
    const target = stringAt(change, 'move_path') ?? path
    const moved: FileEffect[] = target === path ? [] : [{ path: target, what: 'moved', from: path }]
    const hunks = stringAt(change, 'unified_diff')
    if (hunks === '' && moved.length > 0) return moved
    if (hunks === undefined || !/^@@/m.test(hunks)) return [...moved, { path: target, what: 'changed' }]
    return [...moved, { path: target, what: 'patched', hunks, numbered: true }]
  })
}
