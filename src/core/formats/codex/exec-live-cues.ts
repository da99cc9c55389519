import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { LiveCue } from '../live-cue.ts'
import { execTools } from './exec-tools.ts'
import { isConfiguration } from './proto.ts'

const nothing: readonly LiveCue[] = []

/** The live cues of a record of `codex exec --json`. */
export function codexExecLiveCues(record: JsonObject): readonly LiveCue[] {
  // Before 0.44 the end of the task was not printed.
  if (isConfiguration(record) || isJsonObject(record['msg'])) return [{ kind: 'without-turn-ends' }]
  return record['type'] === 'item.completed' ? refusal(objectAt(record, 'item') ?? {}) : nothing
}

/** Without the item's id, which is not unique across processes of the thread. */
function refusal(item: JsonObject): readonly LiveCue[] {
  const tool = execTools.get(stringAt(item, 'type') ?? '')
  if (tool === undefined || item['status'] !== 'declined') return nothing
  return [{ kind: 'permission', toolName: tool.name(item), input: tool.input(item), denied: true }]
}
