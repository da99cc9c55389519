import { EventSequence } from '../event-sequence.ts'
import { OpenText } from '../open-text.ts'
import * as z from 'zod'
import type { TurnCompleted } from '../../events/agent-event.ts'
import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, objectAt, stated, stringAt } from '../../json.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { callInput, isTooDeep } from '../json-depth.ts'
import { type EventDraft, lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { lengthAt, type StatedDuration, statedDuration } from '../stated-amounts.ts'
import { toolCompleted } from '../tool-completed.ts'
import { cursorFacts } from './facts.ts'
import type { CursorDecoded, CursorStep } from './stream-decoded.ts'
import { CursorFold } from './stream-fold.ts'
import { statedEntries, type TodoEntry, todoPatches, todoReader, todoTool, writtenEntries } from './todo-entries.ts'
import { cursorStreamValues } from './values.ts'

/** The output of `cursor-agent -p --output-format stream-json`: docs/formats/cursor-stream-json.md. */
export const cursorStreamJson: LogFormat<CursorDecoded> = {
  id: 'cursor-stream-json',
  title: 'Cursor agent stream-json',
  agentType: 'cursor-agent',
  detectors: [{ strength: 'conclusive', holds: isCursorRecord }],
  imitates: ['claude-stream-json'],
  decode,
  values: cursorStreamValues,
  decodeMalformed: (text, issue, cut) =>
    decoded(malformedDrafts(text, issue, cut), [issue], undefined, undefined, { kind: 'aside' }),
  createFold: (context) => new CursorFold(context),
  facts: cursorFacts,
  session: { facts: () => null },
  stateClasses: () => [CursorFold, OpenText, EventSequence]
}

/** docs/formats/cursor-stream-json.md#four-records-tell-it-from-claudes */
function isCursorRecord(r: JsonObject): boolean {
  const subtype = r['subtype']
  switch (r['type']) {
    case 'tool_call':
      return isJsonObject(r['tool_call'])
    case 'thinking':
      return subtype === 'delta' || subtype === 'completed'
    case 'result':
      return 'request_id' in r && 'session_id' in r && !('num_turns' in r)
    case 'system':
      return subtype === 'init' && 'apiKeySource' in r && 'permissionMode' in r && !('tools' in r) && !('uuid' in r)
    default:
      return false
  }
}

const message = z.object({ content: z.union([z.string(), z.array(z.unknown())]) })
const session_id = z.string()
const schemas: Readonly<Record<string, z.ZodType>> = {
  system: z.object({ subtype: z.string(), session_id }),
  user: z.object({ message, session_id }),
  assistant: z.object({ message, session_id }),
  thinking: z.object({ subtype: z.string(), session_id }),
  tool_call: z.object({ subtype: z.string(), call_id: z.string(), tool_call: z.object({}), session_id }),
  result: z.object({ subtype: z.string(), is_error: z.boolean(), session_id })
}

const noDrafts: readonly EventDraft[] = []
const emit: CursorStep = { kind: 'emit' }

function decoded(
  drafts: readonly EventDraft[],
  issues: readonly IssueDraft[],
  time: number | undefined,
  sessionId: string | undefined,
  step: CursorStep
): CursorDecoded {
  return { drafts, issues, time, joins: step.kind === 'piece', sessionId, step }
}

function decode(value: JsonValue, at: LinePosition): CursorDecoded {
  if (!isJsonObject(value)) return decoded(noDrafts, requiredIssues(typedRecord, value), undefined, undefined, emit)
  const type = stringAt(value, 'type') ?? ''
  const known = Object.hasOwn(schemas, type)
  const found = requiredIssues((known ? schemas[type] : undefined) ?? typedRecord, value)
  const issues = known || found.length > 0 ? [...found] : [unknownType()]
  const { drafts, step } = read(type, value, at, issues)
  return decoded(drafts, issues, timeOf(value), stringAt(value, 'session_id'), step)
}

/** Its own time, or the start or end of its call. */
function timeOf(record: JsonObject): number | undefined {
  const call = objectAt(record, 'tool_call') ?? {}
  const key = record['subtype'] === 'completed' ? 'completedAtMs' : 'startedAtMs'
  return msAt(record, 'timestamp_ms') ?? msAt(record, key) ?? msAt(call, key)
}

/** 64-bit numbers are strings. */
function msAt(record: JsonObject, key: string): number | undefined {
  const value = record[key]
  if (isFiniteNumber(value)) return value
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

/** The duration of a call: by its times, or stated by the tool. */
function durationOf(record: JsonObject, call: JsonObject): StatedDuration | undefined {
  const holder = objectAt(record, 'tool_call') ?? {}
  const [started, completed] = ['startedAtMs', 'completedAtMs'].map((key) => msAt(record, key) ?? msAt(holder, key))
  if (started !== undefined && completed !== undefined) return statedDuration(completed - started)
  const result = objectAt(call, 'result') ?? {}
  const outcome = Object.values(result).find(isJsonObject) ?? {}
  return statedDuration(outcome['executionTime'] ?? outcome['localExecutionTimeMs'])
}

interface Read {
  readonly drafts: readonly EventDraft[]
  readonly step: CursorStep
}

const nothing: Read = { drafts: noDrafts, step: emit }

function read(type: string, record: JsonObject, at: LinePosition, issues: IssueDraft[]): Read {
  switch (type) {
    case 'system':
      return readSystem(record, issues)
    case 'user': {
      const text = messageText(record)
      return text === ''
        ? nothing
        : { drafts: [{ type: 'text', text, role: 'user', category: 'user-message' }], step: emit }
    }
    case 'assistant':
      return readAssistant(record)
    case 'thinking':
      return readThinking(record)
    case 'tool_call':
      return readToolCall(record, at, issues)
    case 'result':
      return readResult(record)
    default:
      return nothing
  }
}

function readSystem(record: JsonObject, issues: IssueDraft[]): Read {
  if (record['subtype'] !== 'init') {
    issues.push({ code: 'UnknownSubtype', path: '$.subtype', message: 'unknown system subtype' })
    return nothing
  }
  const facts = stated({ model: stringAt(record, 'model'), cwd: stringAt(record, 'cwd') })
  return { drafts: [{ type: 'session.started', ...facts }], step: { kind: 'session' } }
}

/**
 * With `--stream-partial-output` pieces have a time, no `model_call_id`; whole messages both, a turn's last neither.
 */
function readAssistant(record: JsonObject): Read {
  const text = messageText(record)
  if (text === '') return nothing
  const draft: EventDraft = { type: 'text', text, role: 'assistant', category: 'assistant-message' }
  const piece = 'timestamp_ms' in record && !('model_call_id' in record)
  return { drafts: [draft], step: piece ? { kind: 'piece', of: 'message' } : { kind: 'message' } }
}

function readThinking(record: JsonObject): Read {
  if (record['subtype'] === 'completed') return { drafts: noDrafts, step: { kind: 'thought' } }
  const text = stringAt(record, 'text') ?? ''
  const draft: EventDraft = { type: 'text', text, role: 'assistant', category: 'reasoning' }
  return { drafts: [draft], step: { kind: 'piece', of: 'thinking' } }
}

function messageText(record: JsonObject): string {
  const said = objectAt(record, 'message')?.['content']
  if (typeof said === 'string') return said
  if (!Array.isArray(said)) return ''
  const texts = said.map((block: JsonValue) => (isJsonObject(block) ? stringAt(block, 'text') : undefined))
  return texts.filter((text) => text !== undefined && text !== '').join('\n')
}

/** `{<name>ToolCall: {args, result?}}`, or `{function: {name, arguments}}` for other tools. */
function readToolCall(record: JsonObject, at: LinePosition, issues: IssueDraft[]): Read {
  const toolId = stringAt(record, 'call_id') || lineId(at.line)
  const [key, call] = Object.entries(objectAt(record, 'tool_call') ?? {}).find(([, value]) => isJsonObject(value)) ?? []
  if (key === undefined || !isJsonObject(call)) return nothing
  const { toolName, input } = calledTool(key, call)
  const ended = record['subtype'] === 'completed'
  const took = ended ? durationOf(record, call) : undefined
  if (toolName === todoTool) return ended ? writtenTodos(toolId, call, took) : writeTodos(toolId, input)
  if (ended) {
    const done = completed(toolId, call['result'], took)
    // With a filter it is a part of the list.
    const isWhole = !Object.values(input).some((filter) => Array.isArray(filter) && filter.length > 0)
    const entries = toolName === todoReader && isWhole ? statedEntries(objectAt(call, 'result') ?? {}) : null
    if (entries === null) return { drafts: [done], step: emit }
    return { drafts: [done, listDraft(toolId, entries)], step: { kind: 'shown', entries } }
  }
  const draft: EventDraft = { type: 'tool.started', toolName, toolId, input: callInput(input, '$.tool_call', issues) }
  return { drafts: [draft], step: emit }
}

function calledTool(key: string, call: JsonObject): { toolName: string; input: JsonObject } {
  if (key === 'function') {
    const input = call['arguments']
    const stated = typeof input === 'string' ? { arguments: input } : isJsonObject(input) ? input : {}
    return { toolName: stringAt(call, 'name') ?? 'function', input: stated }
  }
  const args = objectAt(call, 'args') ?? {}
  const server = stringAt(args, 'providerIdentifier')
  const tool = stringAt(args, 'toolName')
  if (key === 'mcpToolCall' && server !== undefined && tool !== undefined) {
    return { toolName: `${server}.${tool}`, input: objectAt(args, 'args') ?? {} }
  }
  return { toolName: key.replace(/ToolCall$/, ''), input: args }
}

function completed(toolId: string, result: JsonValue | undefined, took: StatedDuration | undefined): EventDraft {
  const [outcome, said] = Object.entries(isJsonObject(result) ? result : {})[0] ?? []
  const text = outcomeText(said)
  const failed = outcome !== undefined && outcome !== 'success'
  return toolCompleted(toolId, failed, failed ? text || outcome : text, took)
}

/** The readable part of a result: a command's output, a file, a diff, a reason. */
function outcomeText(said: JsonValue | undefined): string {
  if (typeof said === 'string') return said
  if (!isJsonObject(said) || isTooDeep(said)) return ''
  const output = [stringAt(said, 'stdout'), stringAt(said, 'stderr')].filter(
    (text) => text !== undefined && text !== ''
  )
  if (output.length > 0) return output.join('\n')
  // Edits have a message; the diff is shown on its own.
  for (const key of ['content', 'message', 'diffString', 'error', 'reason']) {
    const text = stringAt(said, key)
    if (text !== undefined) return text
  }
  return 'stdout' in said ? '' : JSON.stringify(said)
}

function writeTodos(toolId: string, input: JsonObject): Read {
  const patches = todoPatches(arrayAt(input, 'todos'))
  if (patches === null) return nothing
  const merge = input['merge'] === true
  const drafts: readonly EventDraft[] = merge ? noDrafts : [listDraft(toolId, writtenEntries(patches))]
  return { drafts, step: { kind: 'write', id: toolId, patches, merge } }
}

function writtenTodos(toolId: string, call: JsonObject, took: StatedDuration | undefined): Read {
  const result = objectAt(call, 'result') ?? {}
  const entries = statedEntries(result)
  const rejected = objectAt(result, 'success') === undefined && Object.keys(result).length > 0
  const done = completed(toolId, call['result'], took)
  const drafts = entries === null ? [done] : [done, listDraft(toolId, entries)]
  return { drafts, step: { kind: 'written', id: toolId, rejected, entries } }
}

function listDraft(todoId: string, entries: readonly TodoEntry[]): EventDraft {
  return { type: 'todo_list', todoId, items: entries.map((entry): TodoItem => entry.item) }
}

/** The turn's end. `result` repeats all of its text, or the last message. */
function readResult(record: JsonObject): Read {
  const failed = record['is_error'] === true || (stringAt(record, 'subtype') ?? 'success') !== 'success'
  const text = stringAt(record, 'result') ?? ''
  const stats = objectAt(record, 'usage')
  const usage = isTooDeep(stats) ? undefined : stats
  const facts = stated({ usage, durationMs: lengthAt(record, 'duration_ms') })
  const end: TurnCompleted = { type: 'turn.completed', finishReason: failed ? 'error' : 'done', ...facts }
  const step = { kind: 'end', repeats: !failed && text !== '', usage } as const
  if (failed) return { drafts: [{ type: 'error', error: text || 'the turn failed' }, end], step }
  if (text === '') return { drafts: [end], step }
  return { drafts: [{ type: 'text', text, role: 'assistant', category: 'result' }, end], step }
}
