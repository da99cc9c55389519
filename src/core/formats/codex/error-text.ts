import { isJsonObject, objectAt, stated, stringAt, type JsonObject } from '../../json.ts'
import { parseJson } from '../json-text.ts'
import type { ErrorEvent } from '../../events/agent-event.ts'

/** The error event of a message: docs/formats/codex-exec-json.md#an-error-may-be-json-in-a-text. */
export function errorDraft(message: string): ErrorEvent {
  const answer = message.trimStart().startsWith('{') ? parseJson(message) : undefined
  if (answer?.ok !== true || !isJsonObject(answer.value)) return { type: 'error', error: message }
  const said = objectAt(answer.value, 'error') ?? answer.value
  const text = stringAt(said, 'message') ?? stringAt(said, 'detail') ?? stringAt(answer.value, 'error')
  if (text === undefined || text === '') return { type: 'error', error: message }
  const code = errorCode(said)
  return { type: 'error', error: text, ...stated({ code }) }
}

function errorCode(said: JsonObject): string | undefined {
  const code = stringAt(said, 'code') ?? stringAt(said, 'type')
  return code === undefined || code === '' || code.length > 100 ? undefined : code
}

/** docs/formats/codex-exec-json.md#another-try-is-no-error */
export function isTransient(message: string): boolean {
  if (message.startsWith('Reconnecting...') || message.startsWith('Reconnecting…')) return true
  // In 2025: `stream error: …; retrying 1/5 in 200ms…`, `remote compact error: …; retrying …`.
  return /^(?:stream|remote compact) error: /.test(message) && message.includes('; retrying ')
}
