import * as z from 'zod'
import type { TodoItem } from '../../events/todo.ts'
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
import { statedItems } from '../listed-items.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import type { RecordFacts } from '../record-facts.ts'
import { requiredIssues } from '../required.ts'
import { storedJson } from '../session-database.ts'
import { crush as agent } from './agent.ts'
import { crushStore } from './store.ts'
import { crushValues } from './values.ts'
import { usdAt } from '../stated-amounts.ts'

/** The rows of Crush's database: docs/formats/crush.md. */
export const crush: LogFormat<PlainDecoded> = {
  id: 'crush',
  title: 'Crush session',
  agentType: 'crush',
  detectors: [
    { strength: 'conclusive', holds: (r) => r['table'] === 'messages' && 'parts' in rowOf(r) },
    { strength: 'conclusive', holds: (r) => r['table'] === 'sessions' && isSession(rowOf(r)) }
  ],
  textDetectors: [
    { strength: 'conclusive', holds: (text) => /^\{"table":"messages","row":\{.{0,400}"parts":/s.test(text) }
  ],
  decode,
  values: crushValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: crushStore,
  session: { facts: sessionFacts, titleMarkers: ['"title"'], lacks: ['project'], ends: 'unsaid' },
  facts: (record): RecordFacts => ({ model: stringAt(rowOf(record), 'model') })
}

function rowOf(record: JsonObject): JsonObject {
  return objectAt(record, 'row') ?? {}
}

/** Times are numbers, unlike those of other agents with such a table. */
function isSession(row: JsonObject): boolean {
  return (
    stringAt(row, 'id') !== undefined &&
    stringAt(row, 'title') !== undefined &&
    numberAt(row, 'created_at') !== undefined
  )
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  const row = rowOf(record)
  if (record['table'] === 'messages')
    return stated({ sessionId: stringAt(row, 'session_id'), model: stringAt(row, 'model') || undefined })
  if (record['table'] !== 'sessions') return null
  const parent = stringAt(row, 'parent_session_id')
  return stated({
    sessionId: stringAt(row, 'id'),
    title: stringAt(row, 'title') || undefined,
    parentSession: parent === undefined || parent === '' ? undefined : parent
  })
}

const tableSchema = z.object({ table: z.string(), row: z.object({}) })
const sessionSchema = z.object({ row: z.object({ id: z.string(), created_at: z.number() }) })
const messageSchema = z.object({
  row: z.object({ role: z.string(), session_id: z.string(), parts: z.array(z.object({ type: z.string() })) })
})
const callSchema = z.object({ id: z.string(), name: z.string(), input: z.string() })
const resultSchema = z.object({ tool_call_id: z.string(), content: z.string() })

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new Reader(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(tableSchema, value), steps: [] }
  out.require(tableSchema, value, '$')
  const row = rowOf(value)
  switch (value['table']) {
    case 'messages':
      out.message(value, row)
      return out.decoded({ time: momentOf(row['created_at']), sessionId: stringAt(row, 'session_id') })
    case 'sessions': {
      out.session(value, row)
      const isLast = 'updated_at' in row
      return out.decoded({ time: momentOf(row[isLast ? 'updated_at' : 'created_at']), sessionId: stringAt(row, 'id') })
    }
    default:
      out.unknownRecord(value)
      return out.decoded()
  }
}

/** `{todos}`, as JSON in a text. */
function listIn(metadata: JsonValue | undefined): readonly TodoItem[] | undefined {
  const read = typeof metadata === 'string' ? storedJson(metadata) : null
  return isJsonObject(read) ? statedItems(read['todos'], 'content') : undefined
}

class Reader extends PlainBuilder {
  /** The first row of the session, or the last: docs/formats/crush.md#the-session-stands-at-both-ends. */
  session(value: JsonObject, row: JsonObject): void {
    this.require(sessionSchema, value, '$')
    if (!('updated_at' in row)) return this.emit({ type: 'session.started' })
    const costUsd = usdAt(row, 'cost')
    if (costUsd !== undefined) this.note({ about: 'cost', costUsd })
    const items = statedItems(row['todos'], 'content')
    if (items !== undefined) this.standing(items)
  }

  message(value: JsonObject, row: JsonObject): void {
    this.require(messageSchema, value, '$')
    const role = stringAt(row, 'role') ?? ''
    const model = stringAt(row, 'model') || undefined
    // A summary is what the model reads instead of the messages before it.
    if (row['is_summary_message'] === 1) this.note({ about: 'compaction', trackId: undefined, before: undefined })
    for (const [index, part] of (arrayAt(row, 'parts') ?? []).entries()) {
      if (isJsonObject(part)) this.part(part, { role, model, path: `$.row.parts[${index}]` })
    }
  }

  private part(
    part: JsonObject,
    { role, model, path }: { role: string; model: string | undefined; path: string }
  ): void {
    const data = objectAt(part, 'data') ?? {}
    switch (part['type']) {
      case 'text':
        if (role !== 'user') return this.say(role === 'system' ? 'status' : 'assistant-message', stringAt(data, 'text'))
        return this.say(data['hidden'] === true ? 'status' : 'user-message', stringAt(data, 'text'))
      case 'reasoning':
        return this.say('reasoning', stringAt(data, 'thinking'))
      case 'tool_call':
        this.require(callSchema, data, `${path}.data`)
        return this.call(
          stringAt(data, 'id') || this.newId(),
          stringAt(data, 'name') ?? 'unknown',
          data['input'],
          `${path}.data.input`
        )
      case 'tool_result':
        this.require(resultSchema, data, `${path}.data`)
        return this.result(
          stringAt(data, 'tool_call_id') || this.newId(),
          data['is_error'] === true,
          stringAt(data, 'content') ?? '',
          undefined,
          data['name'] === 'todos' ? listIn(data['metadata']) : undefined
        )
      case 'finish':
        if (role === 'assistant') this.finish(data, model)
        return
      case 'shell_command': {
        const id = this.newId()
        this.call(id, 'bash', { command: stringAt(data, 'command') ?? '' }, `${path}.data.command`)
        return this.result(id, (numberAt(data, 'exit_code') ?? 0) !== 0, stringAt(data, 'output') ?? '')
      }
      case 'image_url':
      case 'binary':
        return
      default:
        this.unknownPart(`${path}.type`, 'unknown part of a message')
    }
  }

  /** docs/formats/crush.md#a-finish-ends-a-turn */
  private finish(data: JsonObject, model: string | undefined): void {
    this.time = momentOf(data['time'])
    const reason = stringAt(data, 'reason') ?? ''
    const failed = ['error', 'content_filter'].includes(reason)
    if (failed) {
      const said = [stringAt(data, 'message'), stringAt(data, 'details')].filter(
        (text) => text !== undefined && text !== ''
      )
      this.emit({ type: 'error', error: said.join(': ') || reason, code: reason })
    }
    const finishReason = failed ? 'error' : reason === 'canceled' ? 'cancelled' : 'done'
    if (reason !== 'tool_use')
      this.emit({ type: 'turn.completed', finishReason, ...(model !== undefined && { model }) })
    this.time = undefined
  }
}
