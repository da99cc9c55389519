import * as z from 'zod'
import { EventSequence } from '../event-sequence.ts'
import { OpenText } from '../open-text.ts'
import { WrittenList } from '../written-list.ts'
import { geminiFacts } from './facts.ts'
import { SessionTodos } from './session-todos.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stated, stringAt } from '../../json.ts'
import type { TurnCompleted } from '../../events/agent-event.ts'
import { instantOf } from '../instant.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { callInput, isTooDeep, tooDeepIssue } from '../json-depth.ts'
import type { LiveCue } from '../live-cue.ts'
import { type EventDraft, lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { malformedDrafts } from './malformed.ts'
import type { StreamDecoded, StreamStep } from './stream-decoded.ts'
import { streamSession } from './session.ts'
import { StreamFold } from './stream-fold.ts'
import { geminiNotesFiles, geminiTaskNotes, readTaskNote } from './task-notes.ts'
import { madeTask, trackerCall, TrackerList } from './tracker.ts'
import { isWriteTodos, writtenItems } from './write-todos.ts'
import { lengthAt } from '../stated-amounts.ts'
import { geminiStreamValues } from './values.ts'

/** The output of `gemini --output-format stream-json`, since 0.11: docs/formats/gemini-stream-json.md. */
export const geminiStreamJson: LogFormat<StreamDecoded> = {
  id: 'gemini-stream-json',
  title: 'Gemini CLI stream-json',
  agentType: 'google-gemini',
  detectors: [
    { strength: 'conclusive', holds: isStreamRecord },
    { strength: 'shared', holds: isMessage }
  ],
  decode,
  values: geminiStreamValues,
  decodeMalformed: (text, issue, cut) =>
    decoded(malformedDrafts(text, issue, cut), [issue], undefined, undefined, aside),
  createFold: (context) => new StreamFold(context),
  facts: geminiFacts,
  session: streamSession,
  liveNotes: geminiTaskNotes,
  runFiles: geminiNotesFiles,
  liveCues,
  stateClasses: () => [StreamFold, SessionTodos, TrackerList, WrittenList, OpenText, EventSequence]
}

/** Without a person the policy denies what needs approval (`scheduler/policy.ts` of 0.61). */
function liveCues(record: JsonObject): readonly LiveCue[] {
  const error = record['type'] === 'tool_result' ? objectAt(record, 'error') : undefined
  if (error?.['type'] !== 'policy_violation') return []
  const [toolId, message] = [stringAt(record, 'tool_id'), stringAt(error, 'message')]
  return [{ kind: 'permission', toolId, message, denied: true }]
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

const timestamp = z.string()
const failure = z.object({ type: z.string(), message: z.string() }).optional()

/** Required paths by type of record (packages/core/src/output/types.ts). */
const required = {
  init: z.object({ timestamp, session_id: z.string(), model: z.string() }),
  message: z.object({ timestamp, role: z.string(), content: z.string() }),
  toolUse: z.object({ timestamp, tool_name: z.string(), tool_id: z.string(), parameters: z.object({}).optional() }),
  toolResult: z.object({
    timestamp,
    tool_id: z.string(),
    status: z.string(),
    output: z.string().optional(),
    error: failure
  }),
  error: z.object({ timestamp, severity: z.string(), message: z.string() }),
  result: z.object({ timestamp, status: z.string(), error: failure, stats: z.object({}).optional() }),
  // docs/formats/gemini-stream-json.md#other-names-of-members-are-read
  otherToolUse: z.object({ timestamp, name: z.string(), id: z.string(), input: z.object({}).optional() }),
  otherToolResult: z.object({ timestamp, tool_use_id: z.string(), status: z.string() })
}

/** Required paths of a call, by the names it uses. */
function requiredOfToolUse(record: JsonObject): z.ZodType {
  return record['tool_name'] === undefined && record['name'] !== undefined ? required.otherToolUse : required.toolUse
}

/** Required paths of a result, by the names it uses. */
function requiredOfToolResult(record: JsonObject): z.ZodType {
  const isOther = record['tool_id'] === undefined && record['tool_use_id'] !== undefined
  return isOther ? required.otherToolResult : required.toolResult
}

const noDrafts: readonly EventDraft[] = []
const emit: StreamStep = { kind: 'emit' }
const session: StreamStep = { kind: 'session' }
const piece: StreamStep = { kind: 'piece' }
const aside: StreamStep = { kind: 'aside' }

/** All records have one shape. */
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
  if (!isJsonObject(value)) return decoded(noDrafts, requiredIssues(typedRecord, value), undefined, undefined, emit)
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
      return decoded(problemOf(value), requiredIssues(required.error, value), time, undefined, emit)
    case 'result':
      return readResult(value, requiredIssues(required.result, value), time)
    default: {
      const note = readTaskNote(value)
      if (note !== null) return decoded(noDrafts, [], time, undefined, { kind: 'task', note })
      const issues = requiredIssues(typedRecord, value)
      return decoded(noDrafts, issues.length > 0 ? issues : [unknownType()], time, undefined, emit)
    }
  }
}

function readInit(record: JsonObject, issues: readonly IssueDraft[], time: number | undefined): StreamDecoded {
  const draft: EventDraft = { type: 'session.started', ...stated({ model: stringAt(record, 'model') }) }
  return decoded([draft], issues, time, stringAt(record, 'session_id'), session)
}

/** The prompt, or a piece of the answer. */
function readMessage(record: JsonObject, issues: readonly IssueDraft[], time: number | undefined): StreamDecoded {
  const text = stringAt(record, 'content')
  const role = record['role']
  if (text === undefined) return decoded(noDrafts, issues, time, undefined, emit)
  if (role === 'assistant') {
    const draft: EventDraft = { type: 'text', text, role, category: 'assistant-message' }
    if (record['delta'] === true) return decoded([draft], issues, time, undefined, piece)
    return decoded(text === '' ? noDrafts : [draft], issues, time, undefined, emit)
  }
  if (text === '') return decoded(noDrafts, issues, time, undefined, emit)
  if (role === 'user') {
    return decoded([{ type: 'text', text, role, category: 'user-message' }], issues, time, undefined, emit)
  }
  if (role === 'system') {
    return decoded([{ type: 'text', text, role, category: 'status' }], issues, time, undefined, emit)
  }
  return decoded([{ type: 'text', text }], issues, time, undefined, emit)
}

/** A tool call: docs/formats/gemini-stream-json.md#other-names-of-members-are-read. */
function readToolUse(
  record: JsonObject,
  found: readonly IssueDraft[],
  time: number | undefined,
  at: LinePosition
): StreamDecoded {
  const toolName = stringAt(record, 'tool_name') ?? stringAt(record, 'name')
  if (toolName === undefined) return decoded(noDrafts, found, time, undefined, emit)
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
  const issues = [...found]
  const draft: EventDraft = { type: 'tool.started', toolName, toolId: id, input: callInput(input, `$.${key}`, issues) }
  return decoded([draft], issues, time, undefined, { kind: 'call', id })
}

/** A result; only its call names the tool. */
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

/** On failure `output` is a short form of `error.message`. Displays that are no text are not in the log. */
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
  return { type: 'tool.completed', toolId, ...stated({ output }) }
}

/** A string, or `{text}`: docs/formats/gemini-stream-json.md#other-names-of-members-are-read. */
function outputOf(output: JsonValue | undefined): string | undefined {
  if (typeof output === 'string') return output
  return isJsonObject(output) ? stringAt(output, 'text') : undefined
}

/** A problem that does not end the run. */
function problemOf(record: JsonObject): readonly EventDraft[] {
  const message = stringAt(record, 'message')
  if (message === undefined) return noDrafts
  if (record['severity'] === 'warning') return [{ type: 'text', text: message, role: 'system', category: 'status' }]
  return [{ type: 'error', error: message }]
}

/** The end of the turn and the process, with the turn's own statistics. */
function readResult(record: JsonObject, found: readonly IssueDraft[], time: number | undefined): StreamDecoded {
  const status = stringAt(record, 'status')
  if (status === undefined) return decoded(noDrafts, found, time, undefined, emit)
  const error = objectAt(record, 'error')
  const code = error === undefined ? undefined : stringAt(error, 'type')
  const stats = objectAt(record, 'stats')
  const tooDeep = isTooDeep(stats)
  const usage = tooDeep ? undefined : stats
  const durationMs = stats && lengthAt(stats, 'duration_ms')
  // After a fatal error 0 is not measured.
  const isMeasured = error === undefined || (durationMs ?? 0) > 0
  const facts = stated({ model: stats && onlyModel(stats), usage, durationMs: isMeasured ? durationMs : undefined })
  const end: EventDraft = { type: 'turn.completed', finishReason: finishReasonOf(status, code), ...facts }
  const drafts = error === undefined ? [end] : [failureOf(error, code), end]
  const issues = tooDeep ? [...found, tooDeepIssue('$.stats')] : found
  return decoded(drafts, issues, time, undefined, { kind: 'end', stats: usage })
}

function finishReasonOf(status: string, code: string | undefined): TurnCompleted['finishReason'] {
  if (code === 'FatalCancellationError') return 'cancelled'
  return status === 'success' ? 'done' : 'error'
}

function failureOf(error: JsonObject, code: string | undefined): EventDraft {
  const message = stringAt(error, 'message') || code || 'unknown error'
  return { type: 'error', error: message, ...stated({ code }) }
}

/** The only model that answered (since 0.34). `init` has the requested one, perhaps `auto`. */
function onlyModel(stats: JsonObject): string | undefined {
  const models = objectAt(stats, 'models')
  const names = models === undefined ? [] : Object.keys(models)
  return names.length === 1 ? names[0] : undefined
}
