import { type JsonObject, objectAt, stated, stringAt } from '../../json.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'

/** docs/formats/copilot-cli.md#a-record-has-its-data */
export const copilotSession: SessionFormat = { facts, titleMarkers: ['"session.title_changed"'], ends: 'unsaid' }

function facts(record: JsonObject): SessionFacts | null {
  const data = objectAt(record, 'data') ?? {}
  const context = objectAt(data, 'context') ?? {}
  switch (record['type']) {
    case 'session.start':
    case 'session.resume':
      return stated({
        sessionId: stringAt(data, 'sessionId'),
        cwd: stringAt(context, 'cwd'),
        branch: stringAt(context, 'branch'),
        version: stringAt(data, 'copilotVersion'),
        model: stringAt(data, 'selectedModel')
      })
    case 'session.title_changed':
      return stated({ title: stringAt(data, 'title') })
    case 'assistant.message':
      return stated({ model: stringAt(data, 'model') })
    case 'result':
      return stated({ sessionId: stringAt(record, 'sessionId') })
    default:
      return null
  }
}
