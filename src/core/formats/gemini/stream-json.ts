import { type JsonObject, stringAt } from '../../json.ts'
import type { Decoded, LogFormat, Sign } from '../log-format.ts'

const nothing: Decoded = { drafts: [], issues: [] }

/** Rules 8 and 9. */
function isStreamRecord(r: JsonObject): boolean {
  if ('parentUuid' in r) return false
  const has = (...keys: string[]): boolean => keys.every((key) => stringAt(r, key) !== undefined)
  switch (r['type']) {
    case 'init':
      return has('session_id', 'model', 'timestamp')
    case 'tool_use':
      return has('tool_name', 'tool_id')
    case 'tool_result':
      return has('tool_id', 'status')
    case 'result':
      return has('status', 'timestamp')
    case 'message':
      return has('role', 'content', 'timestamp') && !('id' in r)
    default:
      return false
  }
}

const signs: readonly Sign[] = [{ rank: 8, holds: isStreamRecord }]

/** To be read; its logs are recognised. */
export const geminiStreamJson: LogFormat = {
  id: 'gemini-stream-json',
  title: 'Gemini CLI stream-json',
  agentType: 'google-gemini',
  signs,
  decode: () => nothing,
  decodeMalformed: (_text, issue) => ({ drafts: [], issues: [issue] }),
  createFold: () => ({
    add: () => ({ events: [], issues: [] }),
    end: () => ({ events: [], issues: [] })
  })
}
