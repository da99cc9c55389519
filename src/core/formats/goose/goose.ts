import * as z from 'zod'
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
import { isTokenCount, type Tokens } from '../../requests/tokens.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { requiredIssues } from '../required.ts'
import { goose as agent } from './agent.ts'
import { gooseStore } from './store.ts'
import { usdAt } from '../stated-amounts.ts'
import { gooseValues } from './values.ts'

/** The rows of Goose's database: docs/formats/goose.md. */
export const goose: LogFormat<PlainDecoded> = {
  id: 'goose',
  title: 'Goose session',
  agentType: 'goose',
  detectors: [
    { strength: 'conclusive', holds: (r) => r['table'] === 'messages' && 'content_json' in rowOf(r) },
    {
      strength: 'conclusive',
      holds: (r) => r['table'] === 'sessions' && stringAt(rowOf(r), 'working_dir') !== undefined
    }
  ],
  textDetectors: [
    { strength: 'conclusive', holds: (text) => /^\{"table":"messages","row":\{.{0,400}"content_json":/s.test(text) }
  ],
  decode,
  values: gooseValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: gooseStore,
  session: { facts: sessionFacts, titleMarkers: ['"working_dir"'], ends: 'unsaid' }
}

function rowOf(record: JsonObject): JsonObject {
  return objectAt(record, 'row') ?? {}
}

function modelOf(row: JsonObject): string | undefined {
  return stringAt(objectAt(row, 'model_config_json') ?? {}, 'model_name')
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  const row = rowOf(record)
  if (record['table'] !== 'sessions') return null
  const isNamed = row['user_set_name'] === 1
  const facts = stated({
    sessionId: stringAt(row, 'id'),
    title: (stringAt(row, 'name') || stringAt(row, 'description')) ?? undefined,
    cwd: stringAt(row, 'working_dir'),
    parentSession: stringAt(row, 'parent_session_id') || undefined,
    model: modelOf(row)
  })
  return isNamed ? { ...facts, isNamed } : facts
}

const tableSchema = z.object({ table: z.string(), row: z.object({}) })
const sessionSchema = z.object({ row: z.object({ id: z.string(), working_dir: z.string() }) })
const messageSchema = z.object({
  row: z.object({ role: z.string(), session_id: z.string(), content_json: z.array(z.object({ type: z.string() })) })
})
const requestSchema = z.object({ id: z.string(), toolCall: z.object({ status: z.string() }) })
const responseSchema = z.object({ id: z.string(), toolResult: z.object({ status: z.string() }) })

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new Reader(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(tableSchema, value), steps: [] }
  out.require(tableSchema, value, '$')
  const row = rowOf(value)
  switch (value['table']) {
    case 'messages':
      out.message(value, row)
      break
    case 'sessions':
      out.require(sessionSchema, value, '$')
      out.emit({ type: 'session.started', ...stated({ model: modelOf(row), cwd: stringAt(row, 'working_dir') }) })
      return out.decoded({ time: momentIn(row['created_at']), sessionId: stringAt(row, 'id') })
    case 'usage_ledger':
      out.usage(row)
      break
    default:
      out.unknownRecord(value)
  }
  return out.decoded({ time: momentIn(row['created_timestamp']), sessionId: stringAt(row, 'session_id') })
}

/** A time of SQLite, which has no zone, is UTC. */
function momentIn(value: JsonValue | undefined): number | undefined {
  const isPlain = typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value)
  return momentOf(isPlain ? `${value.replace(' ', 'T')}Z` : value)
}

class Reader extends PlainBuilder {
  message(value: JsonObject, row: JsonObject): void {
    this.require(messageSchema, value, '$')
    const isHidden = objectAt(row, 'metadata_json')?.['userVisible'] === false
    const role = stringAt(row, 'role') ?? ''
    for (const [index, part] of (arrayAt(row, 'content_json') ?? []).entries()) {
      if (isJsonObject(part)) this.part(part, { role, isHidden, path: `$.row.content_json[${index}]` })
    }
  }

  /** docs/formats/goose.md#what-a-request-took */
  usage(row: JsonObject): void {
    const counts = countsOf(row)
    const key = numberAt(row, 'id') ?? this.newId()
    const costUsd = usdAt(row, 'cost')
    if (Object.keys(counts).length === 0 && costUsd === undefined) return
    this.note({
      about: 'request',
      key: `usage-${key}`,
      trackId: undefined,
      model: stringAt(row, 'model'),
      tokens: counts,
      costUsd
    })
  }

  private part(part: JsonObject, { role, isHidden, path }: { role: string; isHidden: boolean; path: string }): void {
    switch (part['type']) {
      case 'text':
        if (role !== 'user') return this.say('assistant-message', stringAt(part, 'text'))
        return this.say(isHidden ? 'status' : 'user-message', stringAt(part, 'text'))
      case 'thinking':
      case 'reasoning':
        return this.say('reasoning', stringAt(part, 'thinking') ?? stringAt(part, 'text'))
      case 'toolRequest':
      case 'frontendToolRequest':
        return this.request(part, path)
      case 'toolResponse':
        return this.response(part, path)
      case 'systemNotification':
        return this.say('status', stringAt(part, 'msg'))
      case 'conversationCompacted':
        this.note({ about: 'compaction', trackId: undefined, before: undefined })
        return this.say('status', stringAt(part, 'msg'))
      case 'image':
      case 'redactedThinking':
      case 'toolConfirmationRequest':
      case 'actionRequired':
      case 'summarizationRequested':
      case 'contextLengthExceeded':
        return
      default:
        this.unknownPart(`${path}.type`, 'unknown part of a message')
    }
  }

  /** docs/formats/goose.md#a-call-and-its-result */
  private request(part: JsonObject, path: string): void {
    this.require(requestSchema, part, path)
    const id = stringAt(part, 'id') || this.newId()
    const call = objectAt(part, 'toolCall') ?? {}
    const value = objectAt(call, 'value') ?? {}
    this.call(id, stringAt(value, 'name') ?? 'unknown', value['arguments'], `${path}.toolCall.value.arguments`)
    // The model named no tool that there is: no result follows.
    if (call['status'] === 'error') this.result(id, true, contentText(call['error']))
  }

  private response(part: JsonObject, path: string): void {
    this.require(responseSchema, part, path)
    const result = objectAt(part, 'toolResult') ?? {}
    const value = result['value']
    const failed = result['status'] === 'error' || (isJsonObject(value) && value['isError'] === true)
    const said =
      result['status'] === 'error'
        ? result['error']
        : isJsonObject(value) && 'content' in value
          ? value['content']
          : value
    this.result(stringAt(part, 'id') || this.newId(), failed, contentText(said))
  }
}

/** Input includes what was cached. */
function countsOf(row: JsonObject): Tokens {
  const count = (name: string): number | undefined => {
    const value = numberAt(row, name)
    return isTokenCount(value) ? Math.round(value) : undefined
  }
  const [input, cacheRead, cacheWrite] = ['input_tokens', 'cache_read_tokens', 'cache_write_tokens'].map(count)
  const fresh = input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0))
  return stated({ input: fresh, cacheRead, cacheWrite, output: count('output_tokens') })
}
