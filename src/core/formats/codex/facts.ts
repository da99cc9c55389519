import type { EventBody } from '../../events/agent-event.ts'
import { toolOutput } from '../../index/tool-output.ts'
import { isFiniteNumber, isJsonObject, type JsonObject, objectAt, stringAt } from '../../json.ts'
import { maxDiffs, type RecordedDiff, type RecordFacts } from '../record-facts.ts'

/** What a line says of how a call ended: the item that it is about, of `exec --json`, of a rollout, of an event within one, or a message of before. */
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

/** As a number, or before what the tool said. */
function exitCodeIn({ exit_code: code, output }: JsonObject): number | undefined {
  if (isFiniteNumber(code)) return code
  return typeof output === 'string' ? (toolOutput(output).exitCode ?? undefined) : undefined
}

function diffsIn(part: JsonObject): readonly RecordedDiff[] {
  let room = maxDiffs
  return Object.entries(objectAt(part, 'changes') ?? {}).flatMap(([path, change]) => {
    const patch = isJsonObject(change) ? stringAt(change, 'unified_diff') : undefined
    room -= patch?.length ?? 0
    // What has no hunk is no diff, whatever it is called.
    return patch === undefined || room < 0 || !/^@@/m.test(patch) ? [] : [{ path, created: false, patch }]
  })
}
