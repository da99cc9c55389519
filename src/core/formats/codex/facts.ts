import type { EventBody } from '../../events/agent-event.ts'
import { toolOutput } from '../../index/tool-output.ts'
import { isJsonObject, type JsonObject, numberAt, objectAt, stringAt } from '../../json.ts'
import { maxDiffs, type RecordedDiff, type RecordFacts } from '../record-facts.ts'

/** Facts of a result in an item, in a rollout's payload or its item, or in a message of the older form. */
export function codexFacts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type !== 'tool.completed') return {}
  const outer = objectAt(record, 'item') ?? objectAt(record, 'payload') ?? objectAt(record, 'msg') ?? {}
  const parts = [outer, objectAt(outer, 'item') ?? {}]
  return {
    exitCode: parts.map(exitCodeIn).find((code) => code !== undefined),
    diffs: parts.map(diffsIn).find((diffs) => diffs.length > 0),
    isDenied: parts.some((part) => part['status'] === 'declined')
  }
}

/** A number, or a line before the output. */
function exitCodeIn(part: JsonObject): number | undefined {
  const output = stringAt(part, 'output')
  return numberAt(part, 'exit_code') ?? (output === undefined ? undefined : (toolOutput(output).exitCode ?? undefined))
}

function diffsIn(part: JsonObject): readonly RecordedDiff[] {
  let room = maxDiffs
  return Object.entries(objectAt(part, 'changes') ?? {}).flatMap(([path, change]) => {
    const patch = isJsonObject(change) ? stringAt(change, 'unified_diff') : undefined
    room -= patch?.length ?? 0
    // Without a hunk it is no diff.
    return patch === undefined || room < 0 || !/^@@/m.test(patch) ? [] : [{ path, created: false, patch }]
  })
}
