import { EventSequence } from '../event-sequence.ts'
import { OpenText } from '../open-text.ts'
import { WrittenList } from '../written-list.ts'
import { geminiFacts } from './facts.ts'
import { SessionTodos } from './session-todos.ts'
import { isFiniteNumber, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import type { TurnCompleted } from '../../events/agent-event.ts'
import { instantOf } from '../instant.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { isTooDeep, tooDeepIssue } from '../json-depth.ts'
import { type EventDraft, lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { geminiLiveCues } from './live-cues.ts'
import { malformedDrafts } from './malformed.ts'
import type { StreamDecoded, StreamStep } from './stream-decoded.ts'
import { streamSession } from './session.ts'
import { StreamFold } from './stream-fold.ts'
import { required, requiredOfToolResult, requiredOfToolUse } from './stream-required.ts'
import { geminiNotesFiles, geminiTaskNotes, readTaskNote } from './task-notes.ts'
import { madeTask, trackerCall, TrackerList } from './tracker.ts'
import { isWriteTodos, writtenItems } from './write-todos.ts'

/** What `gemini --output-format stream-json` prints, since 0.11: docs/formats/gemini-stream-json.md. */
export const geminiStreamJson: LogFormat<StreamDecoded> = {
  id: 'gemini-stream-json',
  title: 'Gemini CLI stream-json',
  agentType: 'google-gemini',
  detectors: [
    { strength: 'conclusive', holds: isStreamRecord },
    { strength: 'shared', holds: isMessage }
  ],
  decode,
  decodeMalformed: (text, issue, cut) =>
    decoded(malformedDrafts(text, issue, cut), [issue], undefined, undefined, aside),
  createFold: (context) => new StreamFold(context),
  facts: geminiFacts,
  session: streamSession,
  liveNotes: geminiTaskNotes,
  runFiles: geminiNotesFiles,
  liveCues: geminiLiveCues,
  stateClasses: () => [StreamFold, SessionTodos, TrackerList, WrittenList, OpenText, EventSequence]
}

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
      return has('status', 'timestamp') && ('stats' in r || 'error' in r)
    default:
      return false
  }
}

function isMessage(r: JsonObject): boolean {
  return r['type'] === 'message' && ['role', 'content', 'timestamp'].every((key) => stringAt(r, key) !== undefined)
}

const noDrafts: readonly EventDraft[] = []
const say: StreamStep = { kind: 'say' }
const session: StreamStep = { kind: 'session' }
const piece: StreamStep = { kind: 'piece' }
const aside: StreamStep = { kind: 'aside' }

/** Every record has the same shape: the fold reads nothing else. */
function decoded(
  drafts: readonly EventDraft[],
  issues: readonly IssueDraft[],
  time: number | undefined,
  sessionId: string | undefined,
  step: StreamStep
): StreamDecoded {
  return { drafts, issues, time, joins: step === piece, sessionId, step }
}

function decode(value: JsonValue, at: LinePosition): StreamDecoded {
  if (!isJsonObject(value)) return decoded(noDrafts, requiredIssues(typedRecord, value), undefined, undefined, say)
  const time = instantOf(value['timestamp'])
  switch (value['type']) {
    case 'message':
      return readMessage(value, requiredIssues(required.message, value), time)
    case 'tool_use':
      return readToolUse(value, requiredIssues(requiredOfToolUse(value), value), time, at)
    case 'tool_result':
      return readToolResult(value, requiredIssues(requiredOfToolResult(value), value), time, at)
    case 'init':
      return readInit(value, requiredIssues(required.init, value), time)
    case 'error':
      return decoded(problemOf(value), requiredIssues(required.error, value), time, undefined, say)
    case 'result':
      return readResult(value, requiredIssues(required.result, value), time)
    default: {
      const note = readTaskNote(value)
      if (note !== null) return decoded(noDrafts, [], time, undefined, { kind: 'task', note })
      const issues = requiredIssues(typedRecord, value)
      return decoded(noDrafts, issues.length > 0 ? issues : [unknownType()], time, undefined, say)
    }
  }
}

function readInit(record: JsonObject, issues: readonly IssueDraft[], time: number | undefined): StreamDecoded {
  const model = stringAt(record, 'model')
  const draft: EventDraft = model === undefined ? { type: 'session.started' } : { type: 'session.started', model }
  return decoded([draft], issues, time, stringAt(record, 'session_id'), session)
}

/** The prompt; what the model says, piece by piece. */
function readMessage(record: JsonObject, issues: readonly IssueDraft[], time: number | undefined): StreamDecoded {
  const text = stringAt(record, 'content')
  const role = record['role']
  if (text === undefined) return decoded(noDrafts, issues, time, undefined, say)
  if (role === 'assistant') {
    const draft: EventDraft = { type: 'text', text, role, category: 'assistant-message' }
    if (record['delta'] === true) return decoded([draft], issues, time, undefined, piece)
    return decoded(text === '' ? noDrafts : [draft], issues, time, undefined, say)
  }
  if (text === '') return decoded(noDrafts, issues, time, undefined, say)
  if (role === 'user') {
    return decoded([{ type: 'text', text, role, category: 'user-message' }], issues, time, undefined, say)
  }
  if (role === 'system') {
    return decoded([{ type: 'text', text, role, category: 'status' }], issues, time, undefined, say)
  }
  return decoded([{ type: 'text', text }], [...issues, ...unknownRole(role)], time, undefined, say)
}

/** Only of a role that is stated: one that lacks is said already. */
function unknownRole(role: JsonValue | undefined): readonly IssueDraft[] {
  if (typeof role !== 'string') return []
  return [{ code: 'UnknownSubtype', path: '$.role', message: 'unknown role' }]
}

/** A tool call: docs/formats/gemini-stream-json.md#other-names-of-members-are-read. */
function readToolUse(
  record: JsonObject,
  found: readonly IssueDraft[],
  time: number | undefined,
  at: LinePosition
): StreamDecoded {
  const toolName = stringAt(record, 'tool_name') ?? stringAt(record, 'name')
  if (toolName === undefined) return decoded(noDrafts, found, time, undefined, say)
  const id =
    (stringAt(record, 'tool_id') ?? stringAt(record, 'id') ?? stringAt(record, 'tool_use_id')) || lineId(at.line)
  const key = record['parameters'] === undefined || record['parameters'] === null ? 'input' : 'parameters'
  const input = objectAt(record, key) ?? {}
  if (isWriteTodos(toolName)) {
    const items = writtenItems(input)
    const drafts: readonly EventDraft[] = items === null ? noDrafts : [{ type: 'todo_list', todoId: id, items }]
    return decoded(drafts, found, time, undefined, { kind: 'write', id, toolName, items })
  }
  const call = trackerCall(toolName, input)
  if (call !== null) return decoded(noDrafts, found, time, undefined, { kind: 'track', id, toolName, call })
  const tooDeep = isTooDeep(input)
  const draft: EventDraft = { type: 'tool.started', toolName, toolId: id, input: tooDeep ? {} : input }
  const issues = tooDeep ? [...found, tooDeepIssue(`$.${key}`)] : found
  return decoded([draft], issues, time, undefined, { kind: 'call', id })
}

/** What a tool answered; whether it was a todo tool, only the call can tell. */
function readToolResult(
  record: JsonObject,
  issues: readonly IssueDraft[],
  time: number | undefined,
  at: LinePosition
): StreamDecoded {
  const id =
    (stringAt(record, 'tool_id') ?? stringAt(record, 'tool_use_id') ?? stringAt(record, 'id')) || lineId(at.line)
  const status = stringAt(record, 'status') || 'success'
  const error = objectAt(record, 'error')
  const output = outputOf(record['output'])
  const rejected = status !== 'success' || error !== undefined
  return decoded([toolCompleted(id, rejected, error, output, status)], issues, time, undefined, {
    kind: 'result',
    id,
    rejected,
    madeTask: madeTask(output ?? '')
  })
}

/** On failure `output` is the short form of `error.message`. A display that is no text is not in the log at all. */
function toolCompleted(
  toolId: string,
  rejected: boolean,
  error: JsonObject | undefined,
  output: string | undefined,
  status: string
): EventDraft {
  if (rejected) {
    const message = error === undefined ? undefined : stringAt(error, 'message')
    return { type: 'tool.completed', toolId, error: message || output || status }
  }
  return output === undefined ? { type: 'tool.completed', toolId } : { type: 'tool.completed', toolId, output }
}

/** A string, or `{text}`: docs/formats/gemini-stream-json.md#other-names-of-members-are-read. */
function outputOf(output: JsonValue | undefined): string | undefined {
  if (typeof output === 'string') return output
  return isJsonObject(output) ? stringAt(output, 'text') : undefined
}

/** Something went wrong, and the run goes on: a `result` follows. */
function problemOf(record: JsonObject): readonly EventDraft[] {
  const message = stringAt(record, 'message')
  if (message === undefined) return noDrafts
  if (record['severity'] === 'warning') return [{ type: 'text', text: message, role: 'system', category: 'status' }]
  return [{ type: 'error', error: message }]
}

/** The end of the turn, which is that of the process: its statistics are of this turn alone. */
function readResult(record: JsonObject, found: readonly IssueDraft[], time: number | undefined): StreamDecoded {
  const status = stringAt(record, 'status')
  if (status === undefined) return decoded(noDrafts, found, time, undefined, say)
  const error = objectAt(record, 'error')
  const code = error === undefined ? undefined : stringAt(error, 'type')
  const stats = objectAt(record, 'stats')
  const tooDeep = isTooDeep(stats)
  const durationMs = stats?.['duration_ms']
  const model = stats === undefined ? undefined : onlyModel(stats)
  const end: EventDraft = {
    type: 'turn.completed',
    finishReason: finishReasonOf(status, code),
    ...(model === undefined ? undefined : { model }),
    ...(stats === undefined || tooDeep ? undefined : { usage: stats }),
    // Of a fatal error the CLI says 0: it has not measured.
    ...(isFiniteNumber(durationMs) && (durationMs > 0 || error === undefined) ? { durationMs } : undefined)
  }
  const drafts = error === undefined ? [end] : [failureOf(error, code), end]
  const issues = tooDeep ? [...found, tooDeepIssue('$.stats')] : found
  return decoded(drafts, issues, time, undefined, { kind: 'end', stats: tooDeep ? undefined : stats })
}

function finishReasonOf(status: string, code: string | undefined): TurnCompleted['finishReason'] {
  if (code === 'FatalCancellationError') return 'cancelled'
  return status === 'success' ? 'done' : 'error'
}

function failureOf(error: JsonObject, code: string | undefined): EventDraft {
  const message = stringAt(error, 'message') || code || 'unknown error'
  return code === undefined ? { type: 'error', error: message } : { type: 'error', error: message, code }
}

/** The model that answered, if it was one (since 0.34). `init` says what was asked for, which may be `auto`. */
function onlyModel(stats: JsonObject): string | undefined {
  const models = objectAt(stats, 'models')
  const names = models === undefined ? [] : Object.keys(models)
  return names.length === 1 ? names[0] : undefined
}
