import * as z from 'zod'
import type { EventBody } from '../../events/agent-event.ts'
import type { TodoItem } from '../../events/todo.ts'
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stated, stringAt } from '../../json.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { statedItems } from '../listed-items.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import type { RecordFacts } from '../record-facts.ts'
import { requiredIssues } from '../required.ts'
import { kimi as agent } from './agent.ts'
import { kimiStore } from './store.ts'
import { kimiValues } from './values.ts'

/** What Kimi CLI saves: the wire and the context of a session: docs/formats/kimi-cli.md. */
export const kimi: LogFormat<PlainDecoded> = {
  id: 'kimi-cli',
  title: 'Kimi CLI session',
  agentType: 'kimi-cli',
  detectors: [
    {
      strength: 'conclusive',
      holds: (r) => ['_system_prompt', '_checkpoint', '_usage'].includes(stringAt(r, 'role') ?? '')
    },
    { strength: 'conclusive', holds: (r) => r['type'] === 'metadata' && stringAt(r, 'protocol_version') !== undefined },
    {
      strength: 'conclusive',
      holds: (r) => /^context\.append_/.test(stringAt(r, 'type') ?? '') && typeof r['time'] === 'number'
    },
    { strength: 'conclusive', holds: isWire }
  ],
  nested: ['event', 'message'],
  decode,
  values: kimiValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: kimiStore,
  session: { facts: sessionFacts, lacks: ['project'], ends: 'unsaid' },
  facts
}

/** `{timestamp, message: {type, payload}}`. */
function isWire(r: JsonObject): boolean {
  const message = objectAt(r, 'message') ?? {}
  return (
    typeof r['timestamp'] === 'number' && stringAt(message, 'type') !== undefined && isJsonObject(message['payload'])
  )
}

const anObject = z.object({})
const wireSchema = z.object({ message: z.object({ type: z.string(), payload: z.object({}) }) })
const roleSchema = z.object({ role: z.string() })
const callSchema = z.object({ id: z.string(), function: z.object({ name: z.string() }) })
const resultSchema = z.object({ tool_call_id: z.string() })
const loopSchema = z.object({ event: z.object({ type: z.string() }) })

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), steps: [] }
  if ('message' in value) {
    out.require(wireSchema, value, '$')
    wire(out, objectAt(value, 'message') ?? {}, '$.message', 0)
  } else if ('type' in value) record(out, value)
  else if ('role' in value) said(out, value)
  else out.unknownRecord(value)
  return out.decoded({ time: momentOf(value['timestamp']) ?? momentOf(value['time']) })
}

/** Messages of the wire that say nothing of their own. */
const silentOnWire = new Set([
  ...[
    'StepBegin',
    'ToolCallPart',
    'CompactionEnd',
    'ApprovalRequest',
    'ApprovalResponse',
    'ToolCallRequest',
    'StepRetry'
  ],
  ...[
    'ApprovalRequestResolved',
    'MCPLoadingBegin',
    'MCPLoadingEnd',
    'Notification',
    'PlanDisplay',
    'QuestionRequest',
    'HookTriggered',
    'HookResolved'
  ]
])

/** docs/formats/kimi-cli.md#the-wire-has-all-messages */
function wire(out: PlainBuilder, message: JsonObject, path: string, level: number): void {
  const payload = objectAt(message, 'payload') ?? {}
  const at = `${path}.payload`
  switch (message['type']) {
    case 'TurnBegin':
    case 'SteerInput':
      return out.say('user-message', contentText(payload['user_input']))
    case 'ContentPart':
      return part(out, payload, at)
    case 'ToolCall':
      return call(out, payload, at)
    case 'ToolResult': {
      out.require(resultSchema, payload, at)
      const returned = objectAt(payload, 'return_value') ?? objectAt(payload, 'result') ?? {}
      const failed = returned['is_error'] === true
      const output = contentText(returned['output'])
      return out.result(
        stringAt(payload, 'tool_call_id') || out.newId(),
        failed,
        output || contentText(returned['message']),
        undefined,
        shownList(returned)
      )
    }
    case 'StatusUpdate': {
      const usage = objectAt(payload, 'token_usage')
      return usage === undefined
        ? undefined
        : out.tokens(stringAt(payload, 'message_id') ?? out.newId(), undefined, tokensOf(usage))
    }
    case 'CompactionBegin':
      return out.note({ about: 'compaction', trackId: out.track, before: undefined })
    case 'TurnEnd':
      return out.emit({ type: 'turn.completed', finishReason: 'done' })
    case 'StepInterrupted':
      return out.emit({ type: 'turn.completed', finishReason: 'cancelled' })
    case 'SubagentEvent':
      if (level > 3) return
      out.track = stringAt(payload, 'task_tool_call_id') ?? stringAt(payload, 'parent_tool_call_id')
      return wire(out, objectAt(payload, 'event') ?? {}, `${at}.event`, level + 1)
    default:
      if (typeof message['type'] !== 'string' || silentOnWire.has(message['type'])) return
      out.issues.push({ code: 'UnknownSubtype', path: `${path}.type`, message: 'unknown message of the wire' })
  }
}

/** `display: [{type: 'todo', items}]`. */
function shownList(returned: JsonObject): readonly TodoItem[] | undefined {
  const shown = (arrayAt(returned, 'display') ?? []).find(
    (block): block is JsonObject => isJsonObject(block) && block['type'] === 'todo'
  )
  return statedItems(shown?.['items'], 'title')
}

function part(out: PlainBuilder, value: JsonObject, path: string): void {
  if (value['type'] === 'text') out.say('assistant-message', stringAt(value, 'text'))
  else if (value['type'] === 'think') out.say('reasoning', stringAt(value, 'think') ?? stringAt(value, 'text'))
  else if (!/_url$/.test(stringAt(value, 'type') ?? '')) out.unknownPart(`${path}.type`, 'unknown part of a message')
}

function call(out: PlainBuilder, value: JsonObject, path: string): void {
  out.require(callSchema, value, path)
  const made = objectAt(value, 'function') ?? {}
  out.call(
    stringAt(value, 'id') || out.newId(),
    stringAt(made, 'name') ?? 'unknown',
    made['arguments'],
    `${path}.function.arguments`
  )
}

/** Records that say nothing of their own, beside those of other groups. */
const silent = /^(?:metadata|config\.|usage\.|context\.|tools?\.|permission\.|plan\.|goal\.|swarm\.|session\.|step\.)/

/** docs/formats/kimi-cli.md#kimi-code-has-records-of-its-own */
function record(out: PlainBuilder, value: JsonObject): void {
  const type = stringAt(value, 'type')
  if (type === undefined) return void out.require(z.object({ type: z.string() }), value, '$')
  if (type === 'turn.prompt' || type === 'turn.steer') return out.say('user-message', contentText(value['input']))
  if (type === 'turn.cancel') return out.emit({ type: 'turn.completed', finishReason: 'cancelled' })
  if (type === 'config.update') return out.uses(stringAt(value, 'modelAlias'))
  if (type === 'llm.request') return out.uses(stringAt(value, 'model'))
  if (type === 'usage.record') return usageRecord(out, value)
  if (type !== 'context.append_loop_event') {
    if (!silent.test(type)) out.unknownRecord(value)
    return
  }
  out.require(loopSchema, value, '$')
  const event = objectAt(value, 'event') ?? {}
  switch (event['type']) {
    case 'content.part':
      return part(out, objectAt(event, 'part') ?? {}, '$.event.part')
    case 'tool.call':
      return out.call(
        stringAt(event, 'toolCallId') || out.newId(),
        stringAt(event, 'name') ?? 'unknown',
        event['args'],
        '$.event.args'
      )
    case 'tool.result': {
      const result = objectAt(event, 'result') ?? {}
      const output = contentText(result['output']) || contentText(result['message'])
      return out.result(stringAt(event, 'toolCallId') || out.newId(), result['isError'] === true, output)
    }
    case 'step.end': {
      const usage = objectAt(event, 'usage')
      if (usage !== undefined) out.tokens(stringAt(event, 'uuid') ?? out.newId(), undefined, tokensOf(usage))
      const finish = stringAt(event, 'finishReason')
      if (finish !== undefined && !/tool/.test(finish)) out.emit({ type: 'turn.completed', finishReason: 'done' })
    }
  }
}

/** docs/formats/kimi-cli.md#a-compaction-is-a-request-too */
function usageRecord(out: PlainBuilder, value: JsonObject): void {
  const usage = objectAt(value, 'usage')
  if (usage !== undefined && value['usageScope'] === 'session') out.tokens(out.newId(), undefined, tokensOf(usage))
}

/** docs/formats/kimi-cli.md#the-context-is-what-the-model-reads */
function said(out: PlainBuilder, value: JsonObject): void {
  out.require(roleSchema, value, '$')
  const { role, content } = value
  switch (role) {
    case 'user':
      return out.say('user-message', contentText(content))
    case 'assistant':
      if (typeof content === 'string') out.say('assistant-message', content)
      for (const [index, one] of (arrayAt(value, 'content') ?? []).entries()) {
        if (isJsonObject(one)) part(out, one, `$.content[${index}]`)
      }
      for (const [index, one] of (arrayAt(value, 'tool_calls') ?? []).entries()) {
        if (isJsonObject(one)) call(out, one, `$.tool_calls[${index}]`)
      }
      return
    case 'tool': {
      out.require(resultSchema, value, '$')
      const text = contentText(content)
      return out.result(stringAt(value, 'tool_call_id') || out.newId(), text.startsWith('<system>ERROR'), text)
    }
    case 'system':
    case '_system_prompt':
      return out.say('status', contentText(content))
  }
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  return stated({
    model: stringAt(record, 'modelAlias') ?? (record['type'] === 'usage.record' ? stringAt(record, 'model') : undefined)
  })
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  const payload = objectAt(objectAt(record, 'message') ?? {}, 'payload') ?? objectAt(record, 'event') ?? {}
  return event.type === 'tool.completed'
    ? {}
    : { usage: objectAt(payload, 'token_usage') ?? objectAt(payload, 'usage') }
}
