import { isFiniteNumber, type JsonObject, objectAt, stated, stringAt } from '../../json.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'

/** docs/formats/opencode.md#the-head-is-the-session */
export const opencodeSession: SessionFormat = { facts, titleMarkers: ['"directory"'], ends: 'unsaid' }

function facts(record: JsonObject): SessionFacts | null {
  const info = objectAt(record, 'info') ?? record
  const sessionId = stringAt(info, 'sessionID')
  if (sessionId !== undefined) {
    const cwd = stringAt(objectAt(info, 'path') ?? {}, 'cwd')
    return { sessionId, ...stated({ cwd, model: modelOf(info) }) }
  }
  if (!isSession(info)) return null
  const updated = objectAt(info, 'time')?.['updated']
  return stated({
    sessionId: stringAt(info, 'id'),
    title: stringAt(info, 'title'),
    cwd: stringAt(info, 'directory'),
    version: stringAt(info, 'version'),
    parentSession: stringAt(info, 'parentID'),
    model: modelOf(info),
    endedAt: isFiniteNumber(updated) ? updated : undefined
  })
}

/** The model of a message or a session. */
export function modelOf(info: JsonObject): string | undefined {
  const model = objectAt(info, 'model') ?? {}
  return stringAt(info, 'modelID') ?? stringAt(model, 'modelID') ?? stringAt(model, 'id')
}

/** Whether it is the head of a session. */
export function isSession(info: JsonObject): boolean {
  return ['id', 'projectID', 'directory'].every((key) => stringAt(info, key) !== undefined)
}
