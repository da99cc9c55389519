import { KeyedQueue } from './keyed-queue.ts'
import { Branches } from './branches.ts'
import { claudeFacts, claudeRecordFacts } from './facts.ts'
import { SubagentTracks } from './subagent-tracks.ts'
import { TurnUsage } from './turn-usage.ts'
import { TranscriptTurn } from './transcript-turn.ts'
import { claudeStateClasses } from './claude-state.ts'
import * as z from 'zod'
import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isJsonObject, objectAt, stated, stringAt } from '../../json.ts'
import { instantOf } from '../instant.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { promptText } from './content-text.ts'
import { DecodedBuilder, malformedClaudeLine, type MessageFacts, type TranscriptDecoded } from './decoded.ts'
import { transcriptRecordTypes, transcriptSubtypes } from './known-records.ts'
import { readAssistant, readUserMessage, retractedBy } from './messages.ts'
import { claudeRunFiles } from './run-files.ts'
import { transcriptSession } from './session.ts'
import { claudeStore } from './store.ts'
import type { Origin } from './subagent-tracks.ts'
import { textHash } from '../text-hash.ts'
import { statedTasks, statedTodos, todoItems } from './todo-tools.ts'
import { addCompacted, addStatus } from './user-text.ts'
import { TranscriptFold } from './transcript-fold.ts'
import { RowLinks } from '../../row-links.ts'
import { SparseNumbers } from '../../sparse-numbers.ts'
import { transcriptValues } from './values.ts'
import { lengthAt, usdAt } from '../stated-amounts.ts'

/** The session files in `~/.claude/projects`: docs/formats/claude-transcript.md. */
export const claudeTranscript: LogFormat<TranscriptDecoded> = {
  id: 'claude-transcript',
  title: 'Claude Code transcript',
  agentType: 'claude-code',
  detectors: [
    { strength: 'conclusive', holds: (r) => isBookkeeping(r) || (isLinked(r) && has(r, 'sessionId', 'type')) },
    { strength: 'typical', holds: isLinked }
  ],
  textDetectors: [
    { strength: 'conclusive', holds: (text) => /"parentUuid"\s*:/.test(text) && /"sessionId"\s*:/.test(text) }
  ],
  nested: ['message', 'normalizedMessages'],
  decode,
  values: transcriptValues,
  decodeMalformed: (text, issue, cut) => ({
    ...malformedClaudeLine(text, issue, cut),
    copied: undefined,
    origin: mainOrigin,
    meta: false,
    cwd: undefined,
    version: undefined
  }),
  createFold: (context) => new TranscriptFold(context),
  stateClasses: () => [
    TranscriptFold,
    TranscriptTurn,
    TurnUsage,
    SubagentTracks,
    Branches,
    RowLinks,
    SparseNumbers,
    KeyedQueue,
    ...claudeStateClasses
  ],
  store: claudeStore,
  facts: claudeFacts,
  recordFacts: claudeRecordFacts,
  session: transcriptSession,
  runFiles: claudeRunFiles
}

function has(r: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => stringAt(r, key) !== undefined)
}

/** Qwen Code and iFlow link records in the same way. */
function isLinked(r: JsonObject): boolean {
  return 'parentUuid' in r || ('isSidechain' in r && stringAt(r, 'sessionId') !== undefined)
}

/** A file may contain nothing else. */
function isBookkeeping(r: JsonObject): boolean {
  const type = stringAt(r, 'type') ?? ''
  if (type === 'summary') return stringAt(r, 'leafUuid') !== undefined
  if (type === 'file-history-snapshot' || type === 'file-history-delta') return 'messageId' in r
  if (type === 'queue-operation') return 'operation' in r
  return type !== 'progress' && transcriptRecordTypes.has(type) && stringAt(r, 'sessionId') !== undefined
}

const noIssues: readonly IssueDraft[] = []
const none: JsonObject = {}

const mainOrigin: Origin = {
  parentToolUseId: undefined,
  sidechain: false,
  agentId: undefined,
  uuid: undefined,
  parentUuid: undefined,
  promptHash: undefined
}

function decode(value: JsonValue, at: LinePosition): TranscriptDecoded {
  const out = new DecodedBuilder()
  for (const issue of contractIssues(value)) out.issues.push(issue)
  const record = isJsonObject(value) ? value : {}
  // docs/formats/claude-transcript.md#a-progress-line-may-hold-a-message
  const data = record['type'] === 'progress' ? objectAt(record, 'data') : undefined
  const progress = data?.['type'] === 'agent_progress' ? data : undefined
  const inner = progress === undefined ? undefined : objectAt(progress, 'message')
  const said = inner ?? record
  const message = readRecord(out, said, inner === undefined ? '$' : '$.data.message', at)
  return {
    drafts: out.drafts,
    issues: out.issues,
    steps: out.steps,
    time: instantOf(said['timestamp']) ?? instantOf(record['timestamp']),
    sessionId: stringAt(record, 'sessionId') ?? stringAt(record, 'session_id'),
    uuid: stringAt(said, 'uuid'),
    retracts: retractedBy(said),
    parentToolUseId: undefined,
    message,
    copied: stringAt(objectAt(record, 'forkedFrom') ?? none, 'messageUuid'),
    origin: originOf(record, progress),
    meta: record['isMeta'] === true,
    cwd: stringAt(record, 'cwd'),
    version: stringAt(record, 'version')
  }
}

function originOf(record: JsonObject, progress: JsonObject | undefined): Origin {
  const sidechain = record['isSidechain'] === true
  const parentUuid = stringAt(record, 'parentUuid')
  const root = sidechain && parentUuid === undefined && record['type'] === 'user'
  return {
    parentToolUseId: progress === undefined ? undefined : stringAt(record, 'parentToolUseID'),
    sidechain,
    agentId: stringAt(progress ?? record, 'agentId'),
    uuid: stringAt(record, 'uuid'),
    parentUuid,
    promptHash: root ? textHash(promptText(objectAt(record, 'message'))) : undefined
  }
}

/** Required paths by record type. Any other line must be an object with a `type`. */
const withMessage = z.object({ message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }) })
const required = new Map<string, z.ZodType>([
  ['user', withMessage],
  ['assistant', withMessage],
  ['attachment', z.object({ attachment: z.object({}) })],
  ['progress', z.object({ data: z.object({}) })]
])

function contractIssues(value: JsonValue): readonly IssueDraft[] {
  const type = isJsonObject(value) ? value['type'] : undefined
  if (typeof type !== 'string') return requiredIssues(typedRecord, value)
  const schema = required.get(type)
  return schema === undefined ? noIssues : requiredIssues(schema, value)
}

function readRecord(out: DecodedBuilder, record: JsonObject, path: string, at: LinePosition): MessageFacts | undefined {
  const type = stringAt(record, 'type')
  const place = { line: at.line, path: `${path}.message` }
  if (type === 'assistant') {
    const message = objectAt(record, 'message')
    if (message === undefined || !hasContent(message)) return undefined
    return readAssistant(out, record, message, place, at.length)
  }
  if (type === 'user') readUser(out, record, place)
  else if (type === 'system') readSystem(out, record)
  else if (type === 'cost-state') readCost(out, record)
  else if (type === 'attachment') readAttachment(out, record, at)
  else if (type !== undefined && !transcriptRecordTypes.has(type)) out.issues.push(unknownType(`${path}.type`))
  return undefined
}

/** docs/formats/claude-transcript.md#a-session-may-state-its-cost */
function readCost(out: DecodedBuilder, record: JsonObject): void {
  const costUsd = record['hasUnknownModelCost'] === true ? undefined : usdAt(record, 'totalCostUSD')
  if (costUsd !== undefined) out.steps.push({ kind: 'cost', costUsd })
}

function readUser(out: DecodedBuilder, record: JsonObject, place: { line: number; path: string }): void {
  const message = objectAt(record, 'message')
  if (message === undefined || !hasContent(message)) return
  const harness =
    record['isMeta'] === true ||
    record['isCompactSummary'] === true ||
    record['isVisibleInTranscriptOnly'] === true ||
    typeof record['sourceToolUseID'] === 'string'
  readUserMessage(out, message, { harness, structured: record['toolUseResult'], showsMedia: true }, place)
  // docs/formats/claude-transcript.md#a-user-line-may-state-the-todo-list
  const atPrompt = !out.steps.some((step) => step.kind === 'result')
  const todos = atPrompt ? arrayAt(record, 'todos') : undefined
  const items = todos === undefined ? null : todoItems(todos)
  if (items !== null) {
    out.stateTodos(stringAt(record, 'uuid') ?? lineId(place.line), items)
  }
}

/** The contract reports a missing content. */
function hasContent(message: JsonObject): boolean {
  return typeof message['content'] === 'string' || Array.isArray(message['content'])
}

function readSystem(out: DecodedBuilder, record: JsonObject): void {
  const subtype = record['subtype']
  const content = stringAt(record, 'content')
  if (subtype === 'turn_duration') {
    const facts = stated({ durationMs: lengthAt(record, 'durationMs') })
    out.steps.push({ kind: 'turn-end', body: out.draft({ type: 'turn.completed', finishReason: 'done', ...facts }) })
  } else if (subtype === 'compact_boundary') {
    addCompacted(out, content, objectAt(record, 'compactMetadata'))
  } else if (typeof subtype === 'string' && !transcriptSubtypes.has(subtype)) {
    out.issues.push({ code: 'UnknownSubtype', path: '$.subtype', message: 'unknown system subtype' })
  } else {
    // Up to 1.0.5x a system line had no subtype.
    addStatus(out, content)
  }
}

/** docs/formats/claude-transcript.md#some-attachments-have-a-meaning */
function readAttachment(out: DecodedBuilder, record: JsonObject, { line }: LinePosition): void {
  const attachment = objectAt(record, 'attachment') ?? {}
  const kind = attachment['type']
  const id = stringAt(record, 'uuid') ?? lineId(line)
  if (kind === 'queued_command' && attachment['commandMode'] === 'prompt') {
    const text = promptText(attachment['prompt'])
    if (text !== '') out.event({ type: 'text', text, role: 'user', category: 'user-message' })
  } else if (kind === 'max_turns_reached') {
    out.steps.push({ kind: 'turn-end', body: out.draft({ type: 'turn.completed', finishReason: 'error' }) })
  } else if (kind === 'todo_reminder') {
    const items = todoItems(attachment['content'])
    const isCleared = statedTodos(attachment['content'])?.length === 0
    if (items !== null && (items.length > 0 || isCleared)) out.stateTodos(id, items)
  } else if (kind === 'task_reminder') {
    const tasks = statedTasks(attachment['content'])
    if (tasks !== null) out.steps.push({ kind: 'tasks-stated', id, tasks })
  }
}
