import * as z from 'zod'
import type { EventBody } from '../../events/agent-event.ts'
import {
  arrayAt,
  isFiniteNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  stated,
  stringAt
} from '../../json.ts'
import { tokensOf, usagePlaces } from '../../requests/tokens.ts'
import { instantOf } from '../instant.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import type { RecordFacts } from '../record-facts.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { copilot as agent } from './agent.ts'
import { copilotSession } from './session.ts'
import { copilotStore } from './store.ts'
import { lengthAt } from '../stated-amounts.ts'
import { copilotValues } from './values.ts'

/** What Copilot CLI saves and prints, the same records: docs/formats/copilot-cli.md. */
export const copilot: LogFormat<PlainDecoded> = {
  id: 'copilot-cli',
  title: 'Copilot CLI session',
  agentType: 'github-copilot',
  detectors: [
    {
      strength: 'conclusive',
      holds: (r) => /^[a-z]+\.[a-z_]/.test(stringAt(r, 'type') ?? '') && isJsonObject(r['data']) && 'parentId' in r
    },
    { strength: 'typical', holds: (r) => r['type'] === 'result' && 'premiumRequests' in (objectAt(r, 'usage') ?? {}) }
  ],
  textDetectors: [
    {
      strength: 'conclusive',
      holds: (text) => /"type"\s*:\s*"(?:session|user|assistant|tool)\.[a-z_]+","data":\{/.test(text)
    }
  ],
  decode,
  values: copilotValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: copilotStore,
  session: copilotSession,
  facts
}

const schemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries({
    'session.start': z.object({ data: z.object({ sessionId: z.string() }) }),
    'user.message': z.object({ data: z.object({ content: z.string() }) }),
    'assistant.message': z.object({ data: z.object({ content: z.string() }) }),
    'tool.execution_start': z.object({ data: z.object({ toolCallId: z.string(), toolName: z.string() }) }),
    'tool.execution_complete': z.object({ data: z.object({ toolCallId: z.string(), success: z.boolean() }) }),
    result: z.object({ exitCode: z.number() })
  })
)
const anyRecord = z.object({ type: z.string(), data: z.object({}) })

/** Groups of types. Those that are not read say nothing of their own: states of the interface, pieces of what follows whole. */
const groups = new Set([
  ...['session', 'assistant', 'tool', 'hook', 'subagent', 'skill', 'permission', 'system', 'user_input', 'elicitation'],
  ...['command', 'external_tool', 'exit_plan_mode', 'pending_messages', 'capabilities', 'sampling', 'mcp', 'model']
])

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(typedRecord, value), steps: [] }
  const type = stringAt(value, 'type') ?? ''
  const data = objectAt(value, 'data') ?? {}
  const schema = schemas.get(type)
  if (type === 'result') out.require(schemas.get('result') ?? anyRecord, value, '$')
  else {
    const found = requiredIssues(type === '' ? typedRecord : anyRecord, value)
    if (type === '' || /^[a-z]+\.[a-z_]+$|^abort$/.test(type)) out.issues.push(...found)
    if (found.length === 0 && schema !== undefined) out.require(schema, value, '$')
  }
  // A subagent's records name the call that started it.
  out.track = stringAt(data, 'parentToolCallId')
  read(out, type, value, data)
  const sessionId = stringAt(data, 'sessionId') ?? stringAt(value, 'sessionId')
  return out.decoded({
    time: instantOf(value['timestamp']),
    sessionId: type === 'session.start' || type === 'result' ? sessionId : undefined
  })
}

function read(out: PlainBuilder, type: string, record: JsonObject, data: JsonObject): void {
  switch (type) {
    case '':
      return
    case 'session.start': {
      const cwd = stringAt(objectAt(data, 'context') ?? {}, 'cwd')
      const started = stated({ model: stringAt(data, 'selectedModel'), cwd, version: stringAt(data, 'copilotVersion') })
      out.uses(started.model)
      return out.emit({ type: 'session.started', ...started })
    }
    case 'user.message':
      return out.say('user-message', stringAt(data, 'content'))
    case 'assistant.message':
      return message(out, data)
    case 'assistant.reasoning':
      // It stands in the message too.
      return out.say('reasoning', stringAt(data, 'content'), true)
    case 'tool.execution_start':
      return out.call(
        stringAt(data, 'toolCallId') || out.newId(),
        stringAt(data, 'toolName') ?? 'unknown',
        data['arguments'],
        '$.data.arguments'
      )
    case 'tool.execution_complete': {
      const failed = data['success'] === false
      const said = contentText(objectAt(data, 'result')?.['content'])
      const error = contentText(objectAt(data, 'error')?.['message'])
      return out.result(stringAt(data, 'toolCallId') || out.newId(), failed, failed ? error || said : said)
    }
    case 'session.error': {
      const code = stringAt(data, 'errorType')
      return out.emit({
        type: 'error',
        error: stringAt(data, 'message') ?? 'unknown error',
        ...(code !== undefined && { code })
      })
    }
    case 'session.info':
    case 'session.warning':
      return out.say('status', stringAt(data, 'message'))
    case 'system.notification':
      return out.say('status', stringAt(data, 'content'))
    case 'session.compaction_complete':
      return out.note({ about: 'compaction', trackId: out.track, before: numberAt(data, 'preCompactionTokens') })
    case 'session.shutdown':
      return shutdown(out, data)
    case 'session.model_change':
      return out.uses(stringAt(data, 'newModel'))
    case 'abort':
      return out.emit({ type: 'turn.completed', finishReason: 'cancelled' })
    case 'result': {
      const took = stated({ durationMs: lengthAt(objectAt(record, 'usage') ?? {}, 'sessionDurationMs') })
      return out.emit({ type: 'turn.completed', finishReason: record['exitCode'] === 0 ? 'done' : 'error', ...took })
    }
    default:
      if (!groups.has(type.split('.')[0] ?? '')) out.unknownRecord(record)
  }
}

/** docs/formats/copilot-cli.md#a-message-states-its-output */
function message(out: PlainBuilder, data: JsonObject): void {
  out.say('reasoning', stringAt(data, 'reasoningText'), true)
  out.say('assistant-message', stringAt(data, 'content'))
  const id = stringAt(data, 'messageId')
  const output = numberAt(data, 'outputTokens')
  if (id !== undefined && output !== undefined && output >= 0) out.tokens(id, stringAt(data, 'model'), { output })
}

/** Of a model: the cache is part of the input. The same names mean something else to Cursor. */
const metricNames = usagePlaces({
  input: ['inputTokens'],
  cacheReadOfInput: ['cacheReadTokens'],
  cacheWriteOfInput: ['cacheWriteTokens'],
  output: ['outputTokens'],
  reasoning: ['reasoningTokens']
})
/** Of the whole process: each apart. */
const detailNames = usagePlaces({
  input: ['input.tokenCount'],
  cacheRead: ['cache_read.tokenCount'],
  cacheWrite: ['cache_write.tokenCount'],
  output: ['output.tokenCount']
})

/** Limit of models of a session. */
const mostModels = 50

/** docs/formats/copilot-cli.md#a-process-states-its-tokens-at-its-end */
function shutdown(out: PlainBuilder, data: JsonObject): void {
  const metrics = Object.entries(objectAt(data, 'modelMetrics') ?? {}).slice(0, mostModels)
  const byModel = metrics.flatMap(([model, metric]) => {
    const usage = isJsonObject(metric) ? objectAt(metric, 'usage') : undefined
    return usage === undefined ? [] : [{ model, tokens: tokensOf(usage, metricNames) }]
  })
  const current = stringAt(data, 'currentModel') ?? metrics[0]?.[0]
  const details = objectAt(data, 'tokenDetails')
  if (byModel.length > 0) out.note({ about: 'totals', byModel })
  else if (details !== undefined && current !== undefined && metrics.length <= 1) {
    out.note({ about: 'totals', byModel: [{ model: current, tokens: tokensOf(details, detailNames) }] })
  }
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  const data = objectAt(record, 'data') ?? {}
  const output = data['outputTokens']
  if (event.type !== 'tool.completed') {
    return { model: stringAt(data, 'model'), usage: isFiniteNumber(output) ? { output_tokens: output } : undefined }
  }
  const exits = (arrayAt(objectAt(data, 'result') ?? {}, 'contents') ?? []).map((part) =>
    isJsonObject(part) ? part['exitCode'] : null
  )
  return {
    model: stringAt(data, 'model'),
    exitCode: exits.find(isFiniteNumber),
    isDenied: objectAt(data, 'error')?.['code'] === 'denied'
  }
}
