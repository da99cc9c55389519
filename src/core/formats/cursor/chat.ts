import * as z from 'zod'
import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  stated,
  stringAt
} from '../../json.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts } from '../log-store.ts'
import { unknownType } from '../issue.ts'
import { contentText, momentOf } from '../plain-record.ts'
import { requiredIssues } from '../required.ts'
import { cursorChatStore } from './chat-store.ts'
import { cursorTranscript, type CursorTranscriptDecoded } from './transcript.ts'
import { cursorChatValues } from './values.ts'

/** The rows of a chat's `store.db`: docs/formats/cursor-chat.md. Its messages are read as those of a transcript. */
export const cursorChat: LogFormat<CursorTranscriptDecoded> = {
  id: 'cursor-chat',
  title: 'Cursor chat',
  agentType: 'cursor-agent',
  detectors: [
    { strength: 'conclusive', holds: (r) => r['table'] === 'meta' && stringAt(metaOf(r), 'agentId') !== undefined },
    { strength: 'conclusive', holds: (r) => r['table'] === 'blobs' && stringAt(messageOf(r), 'role') !== undefined }
  ],
  textDetectors: [
    { strength: 'conclusive', holds: (text) => /^\{"table":"blobs","row":\{"id":"[0-9a-f]{64}"/.test(text) }
  ],
  decode,
  values: cursorChatValues,
  decodeMalformed: cursorTranscript.decodeMalformed,
  createFold: (context) => cursorTranscript.createFold(context),
  stateClasses: () => cursorTranscript.stateClasses(),
  store: cursorChatStore,
  session: { facts: sessionFacts, titleMarkers: ['"agentId"'], ends: 'guessed' }
}

function metaOf(record: JsonObject): JsonObject {
  return objectAt(objectAt(record, 'row') ?? {}, 'value') ?? {}
}

function messageOf(record: JsonObject): JsonObject {
  return objectAt(objectAt(record, 'row') ?? {}, 'data') ?? {}
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  if (record['table'] === 'meta') {
    const meta = metaOf(record)
    return stated({
      sessionId: stringAt(meta, 'agentId'),
      title: stringAt(meta, 'name'),
      model: stringAt(meta, 'lastUsedModel')
    })
  }
  const message = messageOf(record)
  if (message['role'] !== 'user') return null
  const cwd = /^Workspace Path: (.+)$/m.exec(contentText(message['content']).slice(0, 10_000))?.[1]?.trim()
  return cwd === undefined ? null : { cwd }
}

const tableSchema = z.object({ table: z.string(), row: z.object({}) })
const metaSchema = z.object({ row: z.object({ value: z.object({ agentId: z.string() }) }) })
const messageSchema = z.object({ row: z.object({ data: z.object({ role: z.string() }) }) })

function decode(value: JsonValue, at: LinePosition): CursorTranscriptDecoded {
  const found = requiredIssues(tableSchema, value)
  if (found.length > 0 || !isJsonObject(value)) return { drafts: [], issues: found, steps: [] }
  switch (value['table']) {
    case 'meta':
      return decodeMeta(value)
    case 'blobs':
      return decodeMessage(value, at)
    default:
      return { drafts: [], issues: [unknownType('$.table')], steps: [] }
  }
}

function decodeMeta(value: JsonObject): CursorTranscriptDecoded {
  const meta = metaOf(value)
  const model = stringAt(meta, 'lastUsedModel')
  return {
    drafts: [{ type: 'session.started', ...(model !== undefined && { model }) }],
    issues: requiredIssues(metaSchema, value),
    steps: [{ kind: 'emit' }],
    time: momentOf(numberAt(meta, 'createdAt') ?? null)
  }
}

function decodeMessage(value: JsonObject, at: LinePosition): CursorTranscriptDecoded {
  const found = requiredIssues(messageSchema, value)
  if (found.length > 0) return { drafts: [], issues: found, steps: [] }
  const message = messageOf(value)
  if (message['role'] === 'system') {
    const text = contentText(message['content'])
    const drafts = text.trim() === '' ? [] : [{ type: 'text', text, role: 'system', category: 'status' } as const]
    return { drafts, issues: [], steps: drafts.map(() => ({ kind: 'emit' })) }
  }
  const decoded = cursorTranscript.decode(transcriptRecord(message), at)
  const issues = decoded.issues.map((issue) =>
    issue.path === null ? issue : { ...issue, path: issue.path.replace(/^\$(?:\.message\b)?/, '$.row.data') }
  )
  return { ...decoded, issues }
}

/** The message as a transcript has it. A result is in a message of its own, of the role `tool`. */
function transcriptRecord({ role, content }: JsonObject): JsonObject {
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]).map(blockOf) : content
  return stated({ role: role === 'tool' ? 'user' : role, message: stated({ content: parts }) }) as JsonObject
}

function blockOf(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part
  switch (part['type']) {
    case 'tool-call':
      return stated({
        type: 'tool_use',
        id: part['toolCallId'],
        name: part['toolName'],
        input: part['args']
      }) as JsonObject
    case 'tool-result':
      return stated({
        type: 'tool_result',
        tool_use_id: part['toolCallId'],
        is_error: part['isError'],
        content: contentText(arrayAt(part, 'experimental_content') ?? part['result'])
      }) as JsonObject
    case 'redacted-reasoning':
      return { type: 'redacted' }
    default:
      return part
  }
}
