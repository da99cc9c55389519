import { HashNumbers } from '../../hash-numbers.ts'
import { IdSet } from '../id-set.ts'
import { EventSequence } from '../event-sequence.ts'
import { isJsonObject, jsonTypeName, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import { isTooDeep } from '../json-depth.ts'
import type { LiveCue } from '../live-cue.ts'
import type { EventDraft, LinePosition, LogFormat } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { textHash } from '../text-hash.ts'
import { errorDraft, isTransient } from './error-text.ts'
import {
  type ExecDecoded,
  noDrafts,
  noIssues,
  threadStarted,
  withEvents,
  withoutEvents,
  withStep
} from './exec-decoded.ts'
import { ExecFold } from './exec-fold.ts'
import { readItem } from './exec-items.ts'
import { eventSchemas } from './exec-required.ts'
import { itemTools } from './item-tools.ts'
import { malformedDrafts } from '../malformed.ts'
import { codexFacts } from './facts.ts'
import { isConfiguration, readConfiguration, readMessage, readPrompt } from './proto.ts'
import { execSession } from './session.ts'
import { tokenCounts } from './token-counts.ts'
import { execValues } from './values.ts'

const itemPhases = { 'item.started': 'started', 'item.updated': 'updated', 'item.completed': 'completed' } as const

const types: ReadonlySet<string> = new Set([
  ...['thread.started', 'turn.started', 'turn.completed', 'turn.failed'],
  ...Object.keys(itemPhases)
])

/** The output of `codex exec --json`, including the form before 0.44: docs/formats/codex-exec-json.md. */
export const codexExecJson: LogFormat<ExecDecoded> = {
  id: 'codex-exec-json',
  title: 'Codex exec --json',
  agentType: 'openai-codex',
  detectors: [
    { strength: 'conclusive', holds: isThreadRecord },
    { strength: 'typical', holds: (r) => types.has(stringAt(r, 'type') ?? '') },
    {
      strength: 'typical',
      holds: (r) => stringAt(objectAt(r, 'msg') ?? {}, 'type') !== undefined && stringAt(r, 'id') !== undefined
    },
    // The prompt on line 2 may exceed the head.
    { strength: 'typical', holds: isConfiguration }
  ],
  nested: ['item', 'msg'],
  decode,
  values: execValues,
  decodeMalformed: (text, issue, cut) => withEvents(malformedDrafts(text, issue, cut), [issue]),
  createFold: (context) => new ExecFold(context),
  facts: codexFacts,
  session: execSession,
  liveCues,
  stateClasses: () => [ExecFold, EventSequence, IdSet, HashNumbers]
}

function isThreadRecord(r: JsonObject): boolean {
  const type = stringAt(r, 'type') ?? ''
  if (type === 'thread.started') return stringAt(r, 'thread_id') !== undefined
  return Object.hasOwn(itemPhases, type) && stringAt(objectAt(r, 'item') ?? {}, 'id') !== undefined
}

function liveCues(record: JsonObject): readonly LiveCue[] {
  // Before 0.44 the end of the task was not printed.
  if (isConfiguration(record) || isJsonObject(record['msg'])) return [{ kind: 'without-turn-ends' }]
  const item = objectAt(record, 'item')
  const tool = record['type'] === 'item.completed' ? itemTools.get(stringAt(item ?? {}, 'type') ?? '') : undefined
  if (item === undefined || tool === undefined || item['status'] !== 'declined') return []
  // Without the item's id, which is not unique across processes of the thread.
  return [{ kind: 'permission', toolName: tool.name(item), input: tool.input(item), denied: true }]
}

function decode(value: JsonValue, at: LinePosition): ExecDecoded {
  if (!isJsonObject(value)) return withoutEvents([missing('$', 'an object', value)])
  const type = value['type']
  if (typeof type !== 'string') return readUntyped(value, type, at)
  switch (type) {
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return readItem(value, itemPhases[type], at)
    case 'thread.started':
      return threadStarted(stringAt(value, 'thread_id'), undefined, issuesOf(type, value))
    case 'session.created':
      return threadStarted(stringAt(value, 'session_id'), undefined, issuesOf(type, value))
    case 'turn.started':
      return withStep(noDrafts, noIssues, { kind: 'turn-start' })
    case 'turn.completed':
      return readTurnCompleted(value)
    case 'turn.failed':
      return readTurnFailed(value)
    case 'error':
      return readError(value)
    case 'item.plan.delta':
    case 'request_user_input':
      return withoutEvents(issuesOf(type, value))
    default:
      return withoutEvents([unknownType()])
  }
}

/** The older form: its events and its first two lines have no type. */
function readUntyped(record: JsonObject, type: JsonValue | undefined, at: LinePosition): ExecDecoded {
  if (type === undefined) {
    if ('msg' in record) return readMessage(record, at)
    const prompt = stringAt(record, 'prompt')
    if (prompt !== undefined) return readPrompt(prompt)
    if (isConfiguration(record)) return readConfiguration(record)
  }
  return withoutEvents([missing('$.type', 'a string', type)])
}

function missing(path: string, expected: string, found: JsonValue | undefined): IssueDraft {
  return { code: 'TypedParse', path, message: `expected ${expected}, found ${jsonTypeName(found)}` }
}

function issuesOf(type: string, record: JsonObject): readonly IssueDraft[] {
  const schema = eventSchemas.get(type)
  return schema === undefined ? noIssues : requiredIssues(schema, record)
}

function readTurnCompleted(record: JsonObject): ExecDecoded {
  const issues = issuesOf('turn.completed', record)
  const usage = objectAt(record, 'usage')
  if (usage === undefined) {
    return withStep([{ type: 'turn.completed', finishReason: 'done' }], issues, { kind: 'turn-end', totals: null })
  }
  const totals = tokenCounts(usage)
  const draft: EventDraft = { type: 'turn.completed', finishReason: 'done', usage: isTooDeep(usage) ? totals : usage }
  return withStep([draft], issues, { kind: 'turn-end', totals })
}

function readTurnFailed(record: JsonObject): ExecDecoded {
  const issues = issuesOf('turn.failed', record)
  const end: EventDraft = { type: 'turn.completed', finishReason: 'error' }
  const message = stringAt(objectAt(record, 'error') ?? {}, 'message')
  if (message === undefined || message === '') return withStep([end], issues, { kind: 'turn-failed', hash: null })
  const error = errorDraft(message)
  return withStep([error, end], issues, { kind: 'turn-failed', hash: textHash(error.error) })
}

function readError(record: JsonObject): ExecDecoded {
  const issues = issuesOf('error', record)
  const message = stringAt(record, 'message')
  if (message === undefined || message === '' || isTransient(message)) return withoutEvents(issues)
  const error = errorDraft(message)
  return withStep([error], issues, { kind: 'error', hash: textHash(error.error) })
}
