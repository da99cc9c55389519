import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../json.ts'
import type { LiveNotes } from '../live-notes.ts'
import { fileNameOf, type MainFile, type RunSearch } from '../run-search.ts'
import { geminiSessionLog } from './session-log.ts'
import { responseTo } from './tool-call.ts'
import { madeTask, type TaskNote } from './tracker.ts'

const noteType = 'playhead_task'

/**
 * The ids of a tracker's tasks, which stdout lacks (as of 0.61). The saved chat of the session has them before the next
 * model request, so before an update names a task.
 */
export const geminiTaskNotes: LiveNotes = {
  ...geminiSessionLog,
  cue: 'Created task ',
  notesOf,
  fileOf: notesName
}

/** The notes' file of a recording: `stdout.tasks.jsonl` beside `stdout.jsonl`. */
function notesName(recording: string): string {
  return `${recording.replace(/\.jsonl?$/, '')}.tasks.jsonl`
}

/** The notes of a chat's record: a line per created task. */
function notesOf(record: JsonValue): readonly JsonObject[] {
  const calls = isJsonObject(record) && Array.isArray(record['toolCalls']) ? (record['toolCalls'] as JsonValue[]) : []
  return calls.flatMap((call) => {
    if (!isJsonObject(call) || call['name'] !== 'tracker_create_task') return []
    const [id, timestamp] = [stringAt(call, 'id'), stringAt(call, 'timestamp')]
    const answer = id === undefined ? undefined : outputOf(call, id)
    const task = answer === undefined ? undefined : madeTask(answer)
    if (id === undefined || task === undefined || timestamp === undefined) return []
    return [{ type: noteType, timestamp, tool_id: id, task_id: task }]
  })
}

function outputOf(call: JsonObject, id: string): string | undefined {
  const response = responseTo(call['result'], id)?.['response']
  return isJsonObject(response) ? stringAt(response, 'output') : undefined
}

/** Null for other records. */
export function readTaskNote(record: JsonObject): TaskNote | null {
  if (record['type'] !== noteType) return null
  const [toolId, taskId] = [stringAt(record, 'tool_id'), stringAt(record, 'task_id')]
  return toolId === undefined || taskId === undefined ? null : { toolId, taskId }
}

/** The notes beside a recording are a file of its run. */
export function geminiNotesFiles({ name }: MainFile): RunSearch {
  const notes = notesName(name)
  return {
    key: name,
    folders: [{ path: '', depth: 0 }],
    mayBelong: (path) => fileNameOf(path) === notes,
    linkOf({ path, records: [first] }) {
      return isJsonObject(first) && readTaskNote(first) !== null ? { key: path, parent: name } : null
    }
  }
}
