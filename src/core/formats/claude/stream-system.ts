import { arrayAt, objectAt, stated, stringAt, type JsonObject } from '../../json.ts'
import type { DecodedBuilder } from './decoded.ts'
import { streamSubtypes } from './known-records.ts'
import { addCompacted, addStatus } from './user-text.ts'

/** docs/formats/claude-stream-json.md#system-records-by-subtype */
export function readSystem(out: DecodedBuilder, record: JsonObject): void {
  const subtype = stringAt(record, 'subtype')
  if (subtype === undefined) return
  switch (subtype) {
    case 'init':
      return readInit(out, record)
    case 'compact_boundary':
      return addCompacted(out, undefined, objectAt(record, 'compact_metadata') ?? objectAt(record, 'compactMetadata'))
    case 'task_notification': {
      const text = stringAt(record, 'summary')
      if (text === undefined || text === '') return
      const body = out.draft({ type: 'text', text, role: 'system', category: 'status' })
      out.steps.push({ kind: 'notification', body, callId: stringAt(record, 'tool_use_id') })
      return
    }
    case 'hook_response':
      if (record['outcome'] === 'error') {
        out.issues.push({ code: 'HookFailed', path: '$.outcome', message: 'a hook reported an error' })
      }
      return
    case 'informational':
    case 'local_command_output':
    case 'model_refusal_fallback':
      return addStatus(out, stringAt(record, 'content'))
    case 'notification':
      return addStatus(out, stringAt(record, 'text'))
    case 'model_refusal_no_fallback': {
      const text = stringAt(record, 'content')
      addStatus(out, text)
      return out.event({ type: 'error', error: text || 'The model refused to answer.', code: 'model_refusal' })
    }
    default:
      if (streamSubtypes.has(subtype)) return
      out.issues.push({ code: 'UnknownSubtype', path: '$.subtype', message: 'unknown system subtype' })
  }
}

function readInit(out: DecodedBuilder, record: JsonObject): void {
  const body = out.draft({
    type: 'session.started',
    ...stated({
      model: stringAt(record, 'model'),
      cwd: stringAt(record, 'cwd'),
      tools: arrayAt(record, 'tools')?.filter((tool): tool is string => typeof tool === 'string'),
      version: stringAt(record, 'claude_code_version')
    })
  })
  out.steps.push({ kind: 'session', body })
}

/** docs/formats/claude-stream-json.md#a-rate-limit-is-an-error-once-it-is-reached */
export function readRateLimit(out: DecodedBuilder, record: JsonObject): void {
  const info = objectAt(record, 'rate_limit_info')
  if (info === undefined || info['status'] !== 'rejected') return
  const kind = stringAt(info, 'rateLimitType')
  const resets = isoSeconds(info['resetsAt'])
  const error = [
    'Rate limit reached',
    kind === undefined ? '' : ` (${kind})`,
    resets === undefined ? '' : `, resets ${resets}`
  ]
  out.event({ type: 'error', error: error.join(''), code: 'rate_limit' })
}

function isoSeconds(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number') return undefined
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export function readAuthStatus(out: DecodedBuilder, record: JsonObject): void {
  const error = stringAt(record, 'error')
  if (error !== undefined && error !== '') out.event({ type: 'error', error, code: 'authentication_failed' })
}
