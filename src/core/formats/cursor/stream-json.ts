import { EventSequence } from '../event-sequence.ts'
import { OpenText } from '../open-text.ts'
import * as z from 'zod'
import type { TurnCompleted } from '../../events/agent-event.ts'
import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { arrayAt, isFiniteNumber, isJsonObject, objectAt, stringAt } from '../../json.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { isTooDeep, tooDeepIssue } from '../json-depth.ts'
import { type EventDraft, lineId, type LinePosition, type LogFormat } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { statedDuration } from '../stated-duration.ts'
import { cursorFacts } from './facts.ts'
import type { CursorDecoded, CursorStep } from './stream-decoded.ts'
import { CursorFold } from './stream-fold.ts'
import { type TodoEntry, todoPatches, todoTool, writtenEntries } from './todo-entries.ts'

/**
 * What `cursor-agent -p --output-format stream-json` prints (the vendor's page "Output format"): docs/formats/cursor-stream-json.md.
 */
export const cursorStreamJson: LogFormat<CursorDecoded> = {
  id: 'cursor-stream-json',
  title: 'Cursor agent stream-json',
  agentType: 'cursor-agent',
  detectors: [{ strength: 'conclusive', holds: isCursorRecord }],
  imitates: ['claude-stream-json'],
  decode,
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
const say: CursorStep = { kind: 'say' }
const unknownSystem: IssueDraft = {
  code: 'UnknownSubtype',
  path: '$.subtype',
  message: 'unknown system subtype'
}

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
  if (!isJsonObject(value)) return decoded(noDrafts, requiredIssues(typedRecord, value), undefined, undefined, say)
  const type = stringAt(value, 'type') ?? ''
  const known = Object.hasOwn(schemas, type)
  const found = requiredIssues((known ? schemas[type] : undefined) ?? typedRecord, value)
  const issues = known || found.length > 0 ? found : [unknownType()]
  const { drafts, more, step } = read(type, value, at)
  const time = timeOf(value)
  return decoded(drafts, more === undefined ? issues : [...issues, more], time, stringAt(value, 'session_id'), step)
}

/** Its own time; of a call that has none, when it began or ended. */
function timeOf(record: JsonObject): number | undefined {
  const call = objectAt(record, 'tool_call') ?? {}
  const key = record['subtype'] === 'completed' ? 'completedAtMs' : 'startedAtMs'
  return msAt(record, 'timestamp_ms') ?? msAt(record, key) ?? msAt(call, key)
}

/** Numbers of 64 bits are written as texts. */
function msAt(record: JsonObject, key: string): number | undefined {
  const value = record[key]
  if (isFiniteNumber(value)) return value
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

type CallDuration = ReturnType<typeof statedDuration>

/** How long a call took: by its own clock, or as the tool that ran a command states it. */
function durationOf(record: JsonObject, call: JsonObject): CallDuration {
  const holder = objectAt(record, 'tool_call') ?? {}
  const [started, completed] = ['startedAtMs', 'completedAtMs'].map((key) => msAt(record, key) ?? msAt(holder, key))
  if (started !== undefined && completed !== undefined) return statedDuration(completed - started)
  const result = objectAt(call, 'result') ?? {}
  const outcome = Object.values(result).find(isJsonObject) ?? {}
  return statedDuration(outcome['executionTime'] ?? outcome['localExecutionTimeMs'])
}

interface Read {
  readonly drafts: readonly EventDraft[]
  readonly more?: IssueDraft | undefined
  readonly step: CursorStep
}

const nothing: Read = { drafts: noDrafts, step: say }

function read(type: string, record: JsonObject, at: LinePosition): Read {
  switch (type) {
    case 'system':
      return readSystem(record)
    case 'user': {
      const text = messageText(record)
      return text === ''
        ? nothing
        : { drafts: [{ type: 'text', text, role: 'user', category: 'user-message' }], step: say }
    }
    case 'assistant':
      return readAssistant(record)
    case 'thinking':
      return readThinking(record)
    case 'tool_call':
      return readToolCall(record, at)
    case 'result':
      return readResult(record)
    default:
      return nothing
  }
}

function readSystem(record: JsonObject): Read {
  if (record['subtype'] !== 'init') return { ...nothing, more: unknownSystem }
  const model = stringAt(record, 'model')
  const cwd = stringAt(record, 'cwd')
  const draft: EventDraft = {
    type: 'session.started',
    ...(model === undefined ? undefined : { model }),
    ...(cwd === undefined ? undefined : { cwd })
  }
  return { drafts: [draft], step: { kind: 'session' } }
}

/** With `--stream-partial-output` pieces have a time and no `model_call_id`; whole messages have both, the last of a turn neither. */
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

/** `{tool_call: {<name>ToolCall: {args, result?}}}`, or `{tool_call: {function: {name, arguments}}}` for tools without a shape of their own. */
function readToolCall(record: JsonObject, at: LinePosition): Read {
  const toolId = stringAt(record, 'call_id') || lineId(at.line)
  const [key, call] = Object.entries(objectAt(record, 'tool_call') ?? {}).find(([, value]) => isJsonObject(value)) ?? []
  if (key === undefined || !isJsonObject(call)) return nothing
  const { toolName, input } = calledTool(key, call)
  const ended = record['subtype'] === 'completed'
  const took = ended ? durationOf(record, call) : undefined
  if (toolName === todoTool) return ended ? writtenTodos(toolId, call, took) : writeTodos(toolId, input)
  if (ended) return { drafts: [completed(toolId, call['result'], took)], step: say }
  const tooDeep = isTooDeep(input)
  const more = tooDeep ? tooDeepIssue('$.tool_call') : undefined
  return { drafts: [{ type: 'tool.started', toolName, toolId, input: tooDeep ? {} : input }], more, step: say }
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

function completed(toolId: string, result: JsonValue | undefined, took: CallDuration): EventDraft {
  const [outcome, said] = Object.entries(isJsonObject(result) ? result : {})[0] ?? []
  const text = outcomeText(said)
  return outcome === undefined || outcome === 'success'
    ? { type: 'tool.completed', toolId, output: text, ...took }
    : { type: 'tool.completed', toolId, error: text || outcome, ...took }
}

/** What a person would read of it: the output of a command, the content of a file, a difference, a reason. */
function outcomeText(said: JsonValue | undefined): string {
  if (typeof said === 'string') return said
  if (!isJsonObject(said) || isTooDeep(said)) return ''
  const output = [stringAt(said, 'stdout'), stringAt(said, 'stderr')].filter(
    (text) => text !== undefined && text !== ''
  )
  if (output.length > 0) return output.join('\n')
  // A change says in a sentence what it did; the change itself is shown as one.
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

function writtenTodos(toolId: string, call: JsonObject, took: CallDuration): Read {
  const result = objectAt(call, 'result') ?? {}
  const success = objectAt(result, 'success')
  const patches = todoPatches(success === undefined ? undefined : arrayAt(success, 'todos'))
  const entries = patches === null ? null : writtenEntries(patches)
  const rejected = success === undefined && Object.keys(result).length > 0
  const done = completed(toolId, call['result'], took)
  const drafts = entries === null ? [done] : [done, listDraft(toolId, entries)]
  return { drafts, step: { kind: 'written', id: toolId, rejected, entries } }
}

function listDraft(todoId: string, entries: readonly TodoEntry[]): EventDraft {
  return { type: 'todo_list', todoId, items: entries.map((entry): TodoItem => entry.item) }
}

/** The end of the turn. `result` repeats what was said: all of it, or the last message. */
function readResult(record: JsonObject): Read {
  const failed = record['is_error'] === true || (stringAt(record, 'subtype') ?? 'success') !== 'success'
  const text = stringAt(record, 'result') ?? ''
  const usage = objectAt(record, 'usage')
  const durationMs = record['duration_ms']
  const finishReason: TurnCompleted['finishReason'] = failed ? 'error' : 'done'
  const end: TurnCompleted = {
    type: 'turn.completed',
    finishReason,
    ...(usage === undefined || isTooDeep(usage) ? undefined : { usage }),
    ...(isFiniteNumber(durationMs) ? { durationMs } : undefined)
  }
  const step = { kind: 'end', repeats: !failed && text !== '', usage: end.usage } as const
  if (failed) return { drafts: [{ type: 'error', error: text || 'the turn failed' }, end], step }
  if (text === '') return { drafts: [end], step }
  return { drafts: [{ type: 'text', text, role: 'assistant', category: 'result' }, end], step }
}
