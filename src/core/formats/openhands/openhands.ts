import * as z from 'zod'
import type { EventBody } from '../../events/agent-event.ts'
import type { TodoItem } from '../../events/todo.ts'
import {
  isFiniteNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stated,
  stringAt
} from '../../json.ts'
import { instantOf } from '../instant.ts'
import { jsonText } from '../json-depth.ts'
import { litellmKey, litellmTokens } from '../litellm-tokens.ts'
import { statedItems } from '../listed-items.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import type { RecordFacts } from '../record-facts.ts'
import { requiredIssues } from '../required.ts'
import { openhands as agent } from './agent.ts'
import { openhandsRunFiles, openhandsStore } from './store.ts'
import { openhandsValues } from './values.ts'
import { usdAt } from '../stated-amounts.ts'

/** The events of OpenHands, of both versions: docs/formats/openhands.md. */
export const openhands: LogFormat<PlainDecoded> = {
  id: 'openhands',
  title: 'OpenHands events',
  agentType: 'openhands',
  detectors: [{ strength: 'conclusive', holds: isEvent }],
  decode,
  values: openhandsValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: openhandsStore,
  runFiles: openhandsRunFiles,
  session: { facts: (record) => stated({ model: modelOf(record) }), lacks: ['project'], ends: 'unsaid' },
  facts
}

/** Of the first version (`action`, `observation`), and of the second (`kind`). */
function isEvent(r: JsonObject): boolean {
  if (!['source', 'timestamp'].every((key) => stringAt(r, key) !== undefined) || !('id' in r)) return false
  const kind = stringAt(r, 'kind')
  if (kind !== undefined) return /(?:Event|Action|Observation|Condensation)$/.test(kind)
  if (typeof r['id'] !== 'number') return false
  return (
    (stringAt(r, 'action') !== undefined && isJsonObject(r['args'])) ||
    (stringAt(r, 'observation') !== undefined && typeof r['content'] === 'string')
  )
}

const anObject = z.object({})
const actionSchema = z.object({ id: z.number(), action: z.string(), args: z.object({}) })
const observationSchema = z.object({ id: z.number(), observation: z.string(), content: z.string() })
const messageSchema = z.object({ llm_message: z.object({ role: z.string() }) })
const calledSchema = z.object({ tool_name: z.string(), tool_call_id: z.string() })
const answeredSchema = z.object({ tool_call_id: z.string(), observation: z.object({}) })

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), steps: [] }
  if ('kind' in value) second(out, value)
  else if ('observation' in value) observation(out, value)
  else if ('action' in value) action(out, value)
  else out.unknownRecord(value)
  cost(out, value)
  return out.decoded({ time: instantOf(value['timestamp']) })
}

/** docs/formats/openhands.md#an-event-may-state-the-cost-so-far */
function cost(out: PlainBuilder, record: JsonObject): void {
  const costUsd = usdAt(objectAt(record, 'llm_metrics'), 'accumulated_cost')
  if (costUsd !== undefined && costUsd > 0) out.note({ about: 'cost', costUsd })
}

function modelOf(record: JsonObject): string | undefined {
  return stringAt(objectAt(objectAt(record, 'tool_call_metadata') ?? {}, 'model_response') ?? {}, 'model')
}

/** Actions and observations that say nothing of their own. */
const silent = new Set([
  'null',
  'recall',
  'change_agent_state',
  'agent_state_changed',
  'condensation_request',
  'think',
  'finish',
  'success'
])

/** The call of an action, which observations name as their cause. */
function callId(record: JsonObject, event: JsonValue | undefined): string {
  return (
    stringAt(objectAt(record, 'tool_call_metadata') ?? {}, 'tool_call_id') ??
    `event-${isFiniteNumber(event) ? event : 'unknown'}`
  )
}

/** docs/formats/openhands.md#an-action-has-an-observation */
function action(out: PlainBuilder, record: JsonObject): void {
  out.require(actionSchema, record, '$')
  const args = objectAt(record, 'args') ?? {}
  const name = stringAt(record, 'action') ?? ''
  const isUsers = record['source'] === 'user'
  tokens(out, record)
  switch (name) {
    case 'system':
      return out.emit({ type: 'session.started', ...stated({ version: stringAt(args, 'openhands_version') }) })
    case 'message':
      return out.say(isUsers ? 'user-message' : 'assistant-message', stringAt(args, 'content'))
    case 'think':
      return out.say('reasoning', stringAt(args, 'thought'))
    case 'finish':
      out.say(
        'assistant-message',
        stringAt(args, 'final_thought') || stringAt(args, 'thought') || stringAt(record, 'message')
      )
      return out.emit({ type: 'turn.completed', finishReason: 'done' })
    case 'condensation':
      return out.note({ about: 'compaction', trackId: undefined, before: undefined })
  }
  if (silent.has(name) || name === '') return
  out.say('assistant-message', stringAt(args, 'thought'))
  const tool = stringAt(objectAt(record, 'tool_call_metadata') ?? {}, 'function_name') ?? name
  out.call(callId(record, record['id']), name === 'task_tracking' ? 'task_tracker' : tool, args, '$.args')
}

function observation(out: PlainBuilder, record: JsonObject): void {
  out.require(observationSchema, record, '$')
  const name = stringAt(record, 'observation') ?? ''
  if (silent.has(name) || name === '') return
  const text = stringAt(record, 'content') ?? ''
  const { cause } = record
  if (cause === undefined || cause === null) {
    if (name === 'error') out.emit({ type: 'error', error: text === '' ? 'unknown error' : text })
    else out.say('status', text)
    return
  }
  const extras = objectAt(record, 'extras') ?? {}
  const failed = name === 'error' || name === 'user_rejected' || extras['error'] === true
  // Of a viewed list only the text is stated.
  const list = name === 'task_tracking' && extras['command'] === 'plan' ? listOf(extras) : undefined
  out.result(callId(record, cause), failed, text, undefined, list)
}

function listOf(stated: JsonObject): readonly TodoItem[] | undefined {
  return statedItems(stated['task_list'], 'title', 'task')
}

/** The answer of the model that made the action: several actions may be of one. */
function tokens(out: PlainBuilder, record: JsonObject): void {
  const response = objectAt(objectAt(record, 'tool_call_metadata') ?? {}, 'model_response') ?? {}
  const usage = objectAt(response, 'usage')
  const key = litellmKey(response)
  if (usage === undefined || key === undefined) return
  out.tokens(key, stringAt(response, 'model'), litellmTokens(usage))
}

/** docs/formats/openhands.md#the-second-version-has-kinds */
function second(out: PlainBuilder, record: JsonObject): void {
  const kind = stringAt(record, 'kind')
  switch (kind) {
    case 'SystemPromptEvent':
      return out.emit({ type: 'session.started' })
    case 'MessageEvent': {
      out.require(messageSchema, record, '$')
      const message = objectAt(record, 'llm_message') ?? {}
      out.say('reasoning', stringAt(message, 'reasoning_content'))
      const isUsers = message['role'] === 'user'
      const isLast = message['role'] === 'assistant' && record['source'] === 'agent'
      out.say(
        isUsers ? (record['source'] === 'user' ? 'user-message' : 'status') : 'assistant-message',
        contentText(message['content'])
      )
      return isLast ? out.emit({ type: 'turn.completed', finishReason: 'done' }) : undefined
    }
    case 'ActionEvent': {
      out.require(calledSchema, record, '$')
      out.say('reasoning', stringAt(record, 'reasoning_content'))
      out.say('assistant-message', contentText(record['thought']))
      const made = objectAt(record, 'tool_call') ?? {}
      const input = made['arguments'] ?? record['action'] ?? {}
      return out.call(
        stringAt(record, 'tool_call_id') || out.newId(),
        stringAt(record, 'tool_name') ?? 'unknown',
        input,
        '$.tool_call.arguments'
      )
    }
    case 'ObservationEvent': {
      out.require(answeredSchema, record, '$')
      const seen = objectAt(record, 'observation') ?? {}
      const text = contentText(seen['content'] ?? seen['output'] ?? jsonText(seen))
      out.result(
        stringAt(record, 'tool_call_id') || out.newId(),
        seen['is_error'] === true || seen['error'] === true,
        text,
        undefined,
        seen['kind'] === 'TaskTrackerObservation' ? listOf(seen) : undefined
      )
      return seen['kind'] === 'FinishObservation'
        ? out.emit({ type: 'turn.completed', finishReason: 'done' })
        : undefined
    }
    case 'AgentErrorEvent':
    case 'UserRejectObservation': {
      const text = stringAt(record, 'error') ?? stringAt(record, 'rejection_reason') ?? ''
      return out.result(stringAt(record, 'tool_call_id') || out.newId(), true, text)
    }
    case 'ConversationErrorEvent': {
      out.emit({
        type: 'error',
        error: stringAt(record, 'detail') ?? 'unknown error',
        ...stated({ code: stringAt(record, 'code') })
      })
      return out.emit({ type: 'turn.completed', finishReason: 'error' })
    }
    case 'PauseEvent':
    case 'InterruptEvent':
      return out.emit({ type: 'turn.completed', finishReason: 'cancelled' })
    case 'Condensation':
    case 'CondensationEvent':
      out.note({ about: 'compaction', trackId: undefined, before: undefined })
      return out.say('status', stringAt(record, 'summary'))
    case 'ConversationStateUpdateEvent':
    case 'CondensationRequest':
    case 'CondensationRequestEvent':
    case 'TokenEvent':
    case 'LLMCompletionLogEvent':
      return
    default:
      if (kind === undefined) out.require(z.object({ kind: z.string() }), record, '$')
      else out.issues.push({ code: 'UnknownType', path: '$.kind', message: 'unknown kind of event' })
  }
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  const response = objectAt(objectAt(record, 'tool_call_metadata') ?? {}, 'model_response') ?? {}
  if (event.type !== 'tool.completed') return { model: stringAt(response, 'model'), usage: objectAt(response, 'usage') }
  const metadata =
    objectAt(objectAt(record, 'extras') ?? {}, 'metadata') ??
    objectAt(objectAt(record, 'observation') ?? {}, 'metadata') ??
    {}
  const code = metadata['exit_code'] ?? objectAt(record, 'observation')?.['exit_code']
  return { exitCode: isFiniteNumber(code) && code >= 0 ? code : undefined }
}
