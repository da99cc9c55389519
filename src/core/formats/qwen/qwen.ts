import * as z from 'zod'
import type { EventBody } from '../../events/agent-event.ts'
import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  stated,
  stringAt
} from '../../json.ts'
import { type Tokens, tokensOf } from '../../requests/tokens.ts'
import { instantOf } from '../instant.ts'
import { jsonText } from '../json-depth.ts'
import { statedItems } from '../listed-items.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { sayPrintedLine } from '../printed-run.ts'
import { recordedDiff, type RecordFacts } from '../record-facts.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { qwen as agent } from './agent.ts'
import { qwenStore } from './store.ts'
import { qwenValues } from './values.ts'

const session: SessionFormat = { facts: sessionFacts, titleMarkers: ['"customTitle"'], ends: 'unsaid' }

/** The chats of Qwen Code, records linked as Claude's with the parts of Gemini, and what it prints: docs/formats/qwen-code.md. */
export const qwen: LogFormat<PlainDecoded> = {
  id: 'qwen-code',
  title: 'Qwen Code chat',
  agentType: 'qwen-code',
  imitates: ['claude-transcript', 'claude-stream-json'],
  detectors: [
    {
      strength: 'conclusive',
      holds: (r) => has(r, 'sessionId', 'type') && Array.isArray(objectAt(r, 'message')?.['parts'])
    },
    { strength: 'conclusive', holds: (r) => has(r, 'sessionId', 'type') && isJsonObject(r['systemPayload']) },
    { strength: 'conclusive', holds: (r) => r['type'] === 'system' && has(r, 'qwen_code_version') },
    {
      strength: 'conclusive',
      holds: (r) => r['type'] === 'system' && r['subtype'] === 'session_start' && has(r, 'session_id', 'uuid')
    }
  ],
  textDetectors: [{ strength: 'conclusive', holds: (text) => /"qwen_code_version"\s*:/.test(text) }],
  decode,
  values: qwenValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: qwenStore,
  session,
  facts
}

function has(r: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => stringAt(r, key) !== undefined)
}

const recordSchema = z.object({ type: z.string(), sessionId: z.string(), uuid: z.string() })
const saidSchema = z.object({ message: z.object({ parts: z.array(z.unknown()) }) })

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(typedRecord, value), steps: [] }
  const type = stringAt(value, 'type')
  if ('session_id' in value) {
    sayPrintedLine(out, value, {
      tokensOf: printedTokens,
      ...stated({ version: stringAt(value, 'qwen_code_version') })
    })
    return out.decoded({ time: instantOf(value['timestamp']), sessionId: stringAt(value, 'session_id') })
  }
  out.require(recordSchema, value, '$')
  if (type === 'system') system(out, value)
  else if (type === 'user' || type === 'assistant' || type === 'tool_result') {
    out.require(saidSchema, value, '$')
    for (const [index, part] of (arrayAt(objectAt(value, 'message') ?? {}, 'parts') ?? []).entries()) {
      if (isJsonObject(part)) readPart(out, part, type, value, `$.message.parts[${index}]`)
    }
    const usage = objectAt(value, 'usageMetadata')
    if (usage !== undefined && type === 'assistant')
      out.tokens(stringAt(value, 'uuid') ?? '', stringAt(value, 'model'), countsOf(usage))
  } else if (type !== undefined) out.unknownRecord(value)
  const uuid = stringAt(value, 'uuid')
  return out.decoded({
    time: instantOf(value['timestamp']),
    sessionId: stringAt(value, 'sessionId'),
    node: uuid === undefined ? undefined : { id: uuid, parent: stringAt(value, 'parentUuid') }
  })
}

function readPart(out: PlainBuilder, part: JsonObject, type: string, record: JsonObject, path: string): void {
  const call = objectAt(part, 'functionCall')
  const response = objectAt(part, 'functionResponse')
  if (call !== undefined) {
    const id = stringAt(call, 'id') || out.newId()
    out.call(id, stringAt(call, 'name') ?? 'unknown', call['args'], `${path}.functionCall.args`)
  } else if (response !== undefined) result(out, response, objectAt(record, 'toolCallResult') ?? {})
  else if (typeof part['text'] === 'string') {
    if (type === 'assistant') out.say(part['thought'] === true ? 'reasoning' : 'assistant-message', part['text'])
    else out.say(record['subtype'] === 'notification' ? 'status' : 'user-message', part['text'])
  } else if (!('inlineData' in part) && !('fileData' in part)) out.unknownPart(path, 'unknown part of a message')
}

function result(out: PlainBuilder, response: JsonObject, outcome: JsonObject): void {
  const said = objectAt(response, 'response') ?? {}
  const { error, output } = said
  const failed =
    (error !== undefined && error !== null) || ['error', 'cancelled'].includes(stringAt(outcome, 'status') ?? '')
  const text = contentText(error ?? output ?? (Object.keys(said).length === 0 ? '' : jsonText(said)))
  const id = stringAt(response, 'id') || stringAt(outcome, 'callId') || out.newId()
  const shown = objectAt(outcome, 'resultDisplay') ?? {}
  const list = shown['type'] === 'todo_list' ? statedItems(shown['todos'], 'content') : undefined
  out.result(id, failed, text, undefined, list)
}

/** docs/formats/qwen-code.md#system-records-are-notes */
function system(out: PlainBuilder, record: JsonObject): void {
  const payload = objectAt(record, 'systemPayload') ?? {}
  switch (record['subtype']) {
    case 'chat_compression': {
      const info = objectAt(payload, 'info') ?? {}
      const [before, after] = [numberAt(info, 'originalTokenCount'), numberAt(info, 'newTokenCount')]
      return out.note({ about: 'compaction', trackId: undefined, before, after })
    }
    case 'slash_command':
      return payload['phase'] === 'invocation' ? out.say('status', stringAt(payload, 'rawCommand')) : undefined
  }
}

/** `candidatesTokenCount` has the thoughts unless all counts together are the total. */
function countsOf(usage: JsonObject): Tokens {
  const tokens = tokensOf(usage)
  const [sent = 0, written, thoughts = 0] = ['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount'].map(
    (key) => numberAt(usage, key)
  )
  const isApart =
    thoughts > 0 && written !== undefined && sent + written + thoughts === numberAt(usage, 'totalTokenCount')
  return isApart ? { ...tokens, output: written + thoughts } : tokens
}

/** docs/formats/qwen-code.md#a-printed-run-imitates-claudes */
function printedTokens(usage: JsonObject): Tokens {
  const { input, cacheRead, output } = tokensOf(usage)
  // Of a message that others of the same request follow.
  if (input === 0 && output === 0) return {}
  return { input: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0)), cacheRead, output }
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  const printed = stringAt(record, 'session_id')
  if (printed !== undefined) {
    return {
      sessionId: printed,
      ...stated({
        cwd: stringAt(record, 'cwd'),
        version: stringAt(record, 'qwen_code_version'),
        model: stringAt(record, 'model') ?? stringAt(objectAt(record, 'message') ?? {}, 'model')
      })
    }
  }
  const sessionId = stringAt(record, 'sessionId')
  if (sessionId === undefined) return null
  const payload = objectAt(record, 'systemPayload') ?? {}
  const isTitle = record['subtype'] === 'custom_title'
  return {
    sessionId,
    ...stated({
      cwd: stringAt(record, 'cwd'),
      branch: stringAt(record, 'gitBranch'),
      version: stringAt(record, 'version'),
      model: stringAt(record, 'model'),
      title: isTitle ? stringAt(payload, 'customTitle') : undefined
    }),
    ...(isTitle && payload['titleSource'] === 'manual' && { isNamed: true as const })
  }
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type !== 'tool.completed') {
    const model = stringAt(record, 'model') ?? stringAt(objectAt(record, 'message') ?? {}, 'model')
    return { model, usage: objectAt(record, 'usageMetadata') }
  }
  const shown = objectAt(objectAt(record, 'toolCallResult') ?? {}, 'resultDisplay') ?? {}
  const diff = stringAt(shown, 'fileDiff')
  return {
    diffs:
      diff === undefined
        ? undefined
        : recordedDiff(stringAt(shown, 'fileName') ?? '', diff, shown['originalContent'] === null)
  }
}
