import * as z from 'zod'
import { ByteOffsets } from '../../byte-offsets.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { WrittenList } from '../written-list.ts'
import { EventSequence } from '../event-sequence.ts'
import { ChatTurn } from './chat-turn.ts'
import { ChatCalls } from './chat-calls.ts'
import { ChatSession } from './chat-session.ts'
import { ChatFile } from './chat-file.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import { instantOf } from '../instant.ts'
import type { IssueDraft } from '../issue.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { ChatAsks, readDialogueLine } from './chat-asks.ts'
import { ChatBuilder, type ChatDecoded, type ChatMessage, type ChatRecord } from './chat-decoded.ts'
import { ChatFold } from './chat-fold.ts'
import { readMessage, readTurn } from './chat-message.ts'
import { geminiFacts } from './facts.ts'
import { malformedDrafts } from './malformed.ts'
import { geminiRunFiles } from './run-files.ts'
import { chatSessionFormat } from './session.ts'
import { geminiSessionLog } from './session-log.ts'
import { geminiStore } from './store.ts'
import { chatValues } from './values.ts'

/** The chats under `~/.gemini/tmp/<project>/chats` and the files beside them: docs/formats/gemini-chat.md. */
export const geminiChat: LogFormat<ChatDecoded> = {
  id: 'gemini-chat',
  title: 'Gemini CLI chat',
  agentType: 'google-gemini',
  detectors: [
    { strength: 'conclusive', holds: isHeader },
    { strength: 'conclusive', holds: (r) => isMessage(r) && r['type'] === 'gemini' },
    { strength: 'typical', holds: (r) => isJsonObject(r['$set']) || '$rewindTo' in r },
    { strength: 'typical', holds: (r) => isLogEntry(r) || isTurn(r) },
    { strength: 'shared', holds: isMessage }
  ],
  textDetectors: [
    { strength: 'conclusive', holds: (text) => /"sessionId"\s*:/.test(text) && /"projectHash"\s*:/.test(text) }
  ],
  nested: ['$set', 'messages'],
  decode,
  values: chatValues,
  decodeMalformed: (text, issue, cut) => ({
    drafts: malformedDrafts(text, issue, cut),
    issues: [issue],
    record: { kind: 'other', sessionId: undefined }
  }),
  createFold: (context) => new ChatFold(context),
  stateClasses: () => [
    ChatFold,
    ChatFile,
    ChatSession,
    ChatAsks,
    ChatCalls,
    ChatTurn,
    EventSequence,
    WrittenList,
    HashNumbers,
    ByteOffsets
  ],
  sessionLog: geminiSessionLog,
  store: geminiStore,
  facts: geminiFacts,
  session: chatSessionFormat,
  runFiles: geminiRunFiles
}

/** A text, a part, or a list of both. */
const content = z.union([z.string(), z.object({}), z.array(z.unknown())])

const message = z.object({
  id: z.string(),
  timestamp: z.string(),
  type: z.string(),
  content,
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), args: z.object({}), status: z.string() })).nullish(),
  thoughts: z.array(z.object({})).nullish()
})

const messages = z.array(message).nullish()

/** Required paths by kind of record (chatRecordingTypes.ts). */
const chatSchemas = {
  object: z.object({}),
  header: z.object({ sessionId: z.string(), projectHash: z.string(), startTime: z.string(), messages }),
  message,
  update: z.object({ $set: z.object({ messages }) }),
  rewind: z.object({ $rewindTo: z.string() }),
  logEntry: z.object({
    sessionId: z.string(),
    messageId: z.number(),
    type: z.string(),
    message: z.string(),
    timestamp: z.string()
  })
} as const

function isHeader(r: JsonObject): boolean {
  return stringAt(r, 'sessionId') !== undefined && stringAt(r, 'projectHash') !== undefined
}

function isLogEntry(r: JsonObject): boolean {
  return stringAt(r, 'sessionId') !== undefined && 'messageId' in r && stringAt(r, 'message') !== undefined
}

function isMessage(r: JsonObject): boolean {
  return stringAt(r, 'id') !== undefined && stringAt(r, 'type') !== undefined && 'content' in r
}

function isTurn(r: JsonObject): boolean {
  return (r['role'] === 'user' || r['role'] === 'model') && Array.isArray(r['parts'])
}

function decode(value: JsonValue, at: LinePosition): ChatDecoded {
  const out = new ChatBuilder(at.line)
  if (!isJsonObject(value)) {
    const issues = requiredIssues(chatSchemas.object, value)
    return { drafts: out.drafts, issues, record: { kind: 'other', sessionId: undefined } }
  }
  const noted = readDialogueLine(value)
  if (noted !== null) return noted
  const record = readRecord(out, value)
  const time = timeOf(record, value)
  return { drafts: out.drafts, issues: out.issues, time, order: orderOf(record, time), record }
}

/** A message is written again with each result, and keeps its time. */
function orderOf(record: ChatRecord, time: number | undefined): number | undefined {
  let latest = time
  for (const call of record.kind === 'message' ? record.message.calls : []) {
    if (call.time !== undefined && (latest === undefined || call.time > latest)) latest = call.time
  }
  return latest
}

function timeOf(record: ChatRecord, value: JsonObject): number | undefined {
  switch (record.kind) {
    case 'message':
      return record.message.time
    case 'header':
      return instantOf(value['startTime'])
    case 'prompt':
      return instantOf(value['timestamp'])
    default:
      return instantOf(objectAt(value, '$set')?.['lastUpdated'])
  }
}

/** In the program's order (`loadConversationRecord` of chatRecordingService.ts). */
function readRecord(out: ChatBuilder, value: JsonObject): ChatRecord {
  if ('$rewindTo' in value) return readRewind(out, value)
  if ('$set' in value) return readUpdate(out, value)
  if (isHeader(value)) return readHeader(out, value)
  if (isLogEntry(value)) return readLogEntry(out, value)
  if (isTurn(value)) return { kind: 'message', message: readTurn(out, value) }
  if (typeof value['type'] === 'string' || 'content' in value) {
    out.issues.push(...requiredIssues(chatSchemas.message, value))
    return { kind: 'message', message: readMessage(out, value, '$') }
  }
  const unknown = Object.keys(value).some((key) => !metadata.has(key))
  if (unknown) out.issues.push(unknownRecord)
  return { kind: 'other', sessionId: undefined }
}

/** Members of a document outside its messages, without `sessionId` no header. */
const metadata = new Set([
  ...['sessionId', 'projectHash', 'startTime', 'lastUpdated', 'kind', 'summary', 'directories'],
  ...['memoryScratchpad', 'activeExtensionName', 'messages', 'history', 'authType']
])

const unknownRecord: IssueDraft = { code: 'UnknownType', path: '$', message: 'unknown kind of record' }

function readHeader(out: ChatBuilder, value: JsonObject): ChatRecord {
  out.issues.push(...requiredIssues(chatSchemas.header, value))
  const body = out.draft({ type: 'session.started' })
  return {
    kind: 'header',
    sessionId: stringAt(value, 'sessionId') ?? '',
    subagent: value['kind'] === 'subagent',
    body,
    messages: readMessages(out, value, '$')
  }
}

function readUpdate(out: ChatBuilder, value: JsonObject): ChatRecord {
  const update = objectAt(value, '$set') ?? {}
  const sessionId = stringAt(update, 'sessionId')
  // Most updates only state the time of writing.
  if (update['lastUpdated'] !== undefined && update['messages'] === undefined) return { kind: 'other', sessionId }
  out.issues.push(...requiredIssues(chatSchemas.update, value))
  if (!Array.isArray(update['messages'])) return { kind: 'other', sessionId }
  return { kind: 'checkpoint', sessionId, messages: readMessages(out, update, '$.$set') }
}

function readMessages(out: ChatBuilder, holder: JsonObject, path: string): readonly ChatMessage[] {
  const messages: ChatMessage[] = []
  for (const [index, message] of (arrayAt(holder, 'messages') ?? []).entries()) {
    if (isJsonObject(message)) messages.push(readMessage(out, message, `${path}.messages[${index}]`))
  }
  return messages
}

/** A rewind without an id drops everything, as an unknown id does. */
function readRewind(out: ChatBuilder, value: JsonObject): ChatRecord {
  out.issues.push(...requiredIssues(chatSchemas.rewind, value))
  return { kind: 'rewind', id: stringAt(value, '$rewindTo') ?? '' }
}

/** An entry of `logs.json`: `{sessionId, messageId, type, message, timestamp}` (packages/core/src/core/logger.ts). */
function readLogEntry(out: ChatBuilder, value: JsonObject): ChatRecord {
  out.issues.push(...requiredIssues(chatSchemas.logEntry, value))
  const sessionId = stringAt(value, 'sessionId')
  const text = stringAt(value, 'message') ?? ''
  if (value['type'] !== 'user') {
    out.issues.push({ code: 'UnknownType', path: '$.type', message: 'unknown sender' })
    return { kind: 'other', sessionId }
  }
  const body = text === '' ? -1 : out.draft({ type: 'text', text, role: 'user', category: 'user-message' })
  return { kind: 'prompt', sessionId, body }
}
