import { isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { LiveCue } from '../live-cue.ts'
import { execTools } from './exec-tools.ts'
import { isConfiguration } from './proto.ts'

const nothing: readonly LiveCue[] = []

/** What a record of `codex exec --json` tells those who follow a run. */
export function codexExecLiveCues(record: JsonObject): readonly LiveCue[] {
  // Before 0.44 it did not print the end of the task.
  if (isConfiguration(record) || isJsonObject(record['msg'])) return [{ kind: 'without-turn-ends' }]
  return record['type'] === 'item.completed' ? refusal(objectAt(record, 'item') ?? {}) : nothing
}

/** An item has no id that is the call's in other processes of the thread, so none is given. */
function refusal(item: JsonObject): readonly LiveCue[] {
  const tool = execTools.get(stringAt(item, 'type') ?? '')
  if (tool === undefined || item['status'] !== 'declined') return nothing
  return [
    {
      kind: 'permission',
      requestId: undefined,
      toolId: undefined,
      toolName: tool.name(item),
      input: tool.input(item),
      message: undefined,
      denied: true
    }
  ]
}
