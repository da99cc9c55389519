import * as z from 'zod'
import type { EventBody, TurnCompleted } from '../../events/agent-event.ts'
import {
  arrayAt,
  isFiniteNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stated,
  stringAt
} from '../../json.ts'
import { type Tokens, tokensOf } from '../../requests/tokens.ts'
import { jsonText } from '../json-depth.ts'
import { statedItems } from '../listed-items.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { recordedDiff, type RecordFacts } from '../record-facts.ts'
import { requiredIssues } from '../required.ts'
import { statedDuration } from '../stated-amounts.ts'
import { opencode as agent } from './agent.ts'
import { opencodeStore } from './store.ts'
import { isSession, modelOf, opencodeSession } from './session.ts'
import { opencodeValues } from './values.ts'
import { usdAt } from '../stated-amounts.ts'

/** What opencode exports and prints: docs/formats/opencode.md. */
export const opencode: LogFormat<PlainDecoded> = {
  id: 'opencode',
  title: 'opencode session',
  agentType: 'opencode',
  detectors: [
    { strength: 'conclusive', holds: (r) => stringAt(r, 'sessionID') !== undefined && isLine(r) },
    { strength: 'conclusive', holds: (r) => isSession(objectAt(r, 'info') ?? {}) || isMessage(r) },
    { strength: 'conclusive', holds: (r) => isSession(r) && stringAt(r, 'version') !== undefined }
  ],
  textDetectors: [{ strength: 'conclusive', holds: (text) => /"info"\s*:\s*\{\s*"id"\s*:\s*"ses_/.test(text) }],
  nested: ['info', 'messages', 'part', 'parts'],
  decode,
  values: opencodeValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: opencodeStore,
  session: opencodeSession,
  facts
}

function isLine(r: JsonObject): boolean {
  return stringAt(r, 'type') !== undefined && (isJsonObject(r['part']) || isJsonObject(r['error']))
}

function isMessage(r: JsonObject): boolean {
  const info = objectAt(r, 'info') ?? {}
  return Array.isArray(r['parts']) && stringAt(info, 'role') !== undefined && stringAt(info, 'sessionID') !== undefined
}

const anObject = z.object({})
const sessionSchema = z.object({ info: z.object({ id: z.string() }) })
const messageSchema = z.object({
  info: z.object({ id: z.string(), role: z.string(), sessionID: z.string() }),
  parts: z.array(z.object({ type: z.string() }))
})
const lineSchema = z.object({ type: z.string(), sessionID: z.string() })
const partSchema = z.object({ type: z.string() })
const toolSchema = z.object({ callID: z.string(), tool: z.string(), state: z.object({ status: z.string() }) })

const lineTypes = new Set(['step_start', 'step_finish', 'tool_use', 'text', 'reasoning', 'error'])

/** Whose part it is, and where it stands in its record. */
interface Place {
  readonly role: string
  readonly model: string | undefined
  readonly path: string
}

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new Reader(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), steps: [] }
  const info = objectAt(value, 'info')
  const time = momentOf(value['timestamp']) ?? createdAt(info ?? value)
  const sessionId = stringAt(value, 'sessionID') ?? stringAt(info ?? {}, 'sessionID')
  if ('part' in value || 'error' in value || 'sessionID' in value) out.line(value)
  else if ('parts' in value) out.message(value, '$')
  else if ('info' in value || isSession(value)) {
    out.session('info' in value ? value : { info: value })
    for (const [index, message] of (arrayAt(value, 'messages') ?? []).entries()) {
      if (isJsonObject(message)) out.message(message, `$.messages[${index}]`)
    }
  } else out.unknownRecord(value)
  return out.decoded({ time, sessionId: sessionId ?? stringAt(info ?? value, 'id') })
}

function createdAt(info: JsonObject): number | undefined {
  return momentOf(objectAt(info, 'time')?.['created'])
}

class Reader extends PlainBuilder {
  session(value: JsonObject): void {
    this.require(sessionSchema, value, '$')
    const info = objectAt(value, 'info') ?? {}
    const started = stated({
      model: modelOf(info),
      cwd: stringAt(info, 'directory'),
      version: stringAt(info, 'version')
    })
    this.emit({ type: 'session.started', ...started })
  }

  /** `{info, parts}`. */
  message(value: JsonObject, path: string): void {
    this.require(messageSchema, value, path)
    const info = objectAt(value, 'info') ?? {}
    const role = stringAt(info, 'role') ?? ''
    const model = modelOf(info)
    const parts = arrayAt(value, 'parts') ?? []
    const begins = createdAt(info)
    for (const [index, part] of parts.entries()) {
      this.time = begins
      if (isJsonObject(part)) this.part(part, { role, model, path: `${path}.parts[${index}]` })
    }
    this.time = momentOf(objectAt(info, 'time')?.['completed']) ?? begins
    const tokens = objectAt(info, 'tokens')
    const counted = parts.some((part) => isJsonObject(part) && part['type'] === 'step-finish')
    const id = stringAt(info, 'id')
    if (tokens !== undefined && !counted && id !== undefined)
      this.tokens(id, model, countsOf(tokens), usdAt(info, 'cost'))
    const error = objectAt(info, 'error')
    if (error !== undefined) this.failure(error, model)
    else if (isEnd(stringAt(info, 'finish'))) this.end('done', model)
    this.time = undefined
  }

  /** A line of `run --format json`: docs/formats/opencode.md#a-line-has-one-part. */
  line(value: JsonObject): void {
    this.require(lineSchema, value, '$')
    const type = stringAt(value, 'type')
    if (type !== undefined && !lineTypes.has(type)) return this.unknownRecord(value)
    const part = objectAt(value, 'part')
    const error = objectAt(value, 'error')
    if (part !== undefined) {
      this.require(partSchema, part, '$.part')
      this.part(part, { role: 'assistant', model: undefined, path: '$.part' })
      if (part['type'] === 'step-finish' && isEnd(stringAt(part, 'reason'))) this.end('done', undefined)
    } else if (error !== undefined) this.failure(error, undefined)
  }

  private part(part: JsonObject, { role, model, path }: Place): void {
    const began = momentOf(objectAt(part, 'time')?.['start'])
    if (began !== undefined) this.time = began
    switch (part['type']) {
      case 'text':
        if (role !== 'user') return this.say('assistant-message', stringAt(part, 'text'))
        return this.say(part['synthetic'] === true ? 'status' : 'user-message', stringAt(part, 'text'))
      case 'reasoning':
        return this.say('reasoning', stringAt(part, 'text'))
      case 'tool':
        return this.tool(part, path)
      case 'step-finish':
        return this.tokens(
          stringAt(part, 'id') ?? this.newId(),
          model,
          countsOf(objectAt(part, 'tokens') ?? {}),
          usdAt(part, 'cost')
        )
      case 'compaction':
        return this.note({ about: 'compaction', trackId: undefined, before: undefined })
      default:
        if (!silent.has(stringAt(part, 'type') ?? '')) this.unknownPart(`${path}.type`, 'unknown part of a message')
    }
  }

  /** docs/formats/opencode.md#a-tool-part-has-call-and-result */
  private tool(part: JsonObject, path: string): void {
    this.require(toolSchema, part, path)
    const state = objectAt(part, 'state') ?? {}
    const id = stringAt(part, 'callID') || this.newId()
    const from = objectAt(state, 'time')?.['start']
    const to = objectAt(state, 'time')?.['end']
    this.time = momentOf(from) ?? this.time
    this.call(id, stringAt(part, 'tool') ?? 'unknown', state['input'], `${path}.state.input`)
    const failed = state['status'] === 'error'
    if (!failed && state['status'] !== 'completed') return
    this.time = momentOf(to) ?? this.time
    const took = isFiniteNumber(from) && isFiniteNumber(to) ? statedDuration(to - from) : undefined
    const isList = /^todo(?:write|read)$/.test(stringAt(part, 'tool') ?? '')
    const list = isList ? statedItems(objectAt(state, 'metadata')?.['todos'], 'content') : undefined
    this.result(id, failed, contentText(state[failed ? 'error' : 'output']), took, list)
  }

  private failure(error: JsonObject, model: string | undefined): void {
    const code = stringAt(error, 'name')
    if (code === 'MessageAbortedError') return this.end('cancelled', model)
    const message = stringAt(objectAt(error, 'data') ?? {}, 'message') ?? stringAt(error, 'message') ?? jsonText(error)
    this.emit({ type: 'error', error: message, ...(code !== undefined && { code }) })
    this.end('error', model)
  }

  private end(finishReason: TurnCompleted['finishReason'], model: string | undefined): void {
    this.emit({ type: 'turn.completed', finishReason, ...(model !== undefined && { model }) })
  }
}

/** docs/formats/opencode.md#reasoning-is-apart-from-the-output */
function countsOf(usage: JsonObject): Tokens {
  const tokens = tokensOf(usage)
  const { input = 0, cacheRead = 0, cacheWrite = 0, output, reasoning = 0 } = tokens
  const isApart = input + cacheRead + cacheWrite + (output ?? 0) - reasoning !== usage['total']
  return output === undefined || reasoning === 0 || isApart ? tokens : { ...tokens, output: output - reasoning }
}

/** A message or a step that ends so is the last one of its turn. */
function isEnd(reason: string | undefined): boolean {
  return reason !== undefined && !['tool-calls', 'unknown'].includes(reason)
}

/** Parts that say nothing of their own. */
const silent = new Set(['step-start', 'snapshot', 'patch', 'file', 'agent', 'subtask', 'retry'])

/** Facts of the part that an event is of. */
function facts(record: JsonObject, event: EventBody): RecordFacts {
  const info = objectAt(record, 'info') ?? {}
  const part = objectAt(record, 'part')
  const parts = part === undefined ? (arrayAt(record, 'parts') ?? []) : [part]
  if (event.type !== 'tool.completed') return { model: modelOf(info), usage: objectAt(info, 'tokens') }
  const own = parts.find((one): one is JsonObject => isJsonObject(one) && one['callID'] === event.toolId)
  const state = objectAt(own ?? {}, 'state') ?? {}
  const metadata = objectAt(state, 'metadata') ?? {}
  const exitCode = metadata['exit'] ?? metadata['exitCode']
  const diff = stringAt(metadata, 'diff')
  const path = stringAt(objectAt(state, 'input') ?? {}, 'filePath') ?? ''
  return {
    exitCode: isFiniteNumber(exitCode) ? exitCode : undefined,
    diffs: diff === undefined ? undefined : recordedDiff(path, diff)
  }
}
