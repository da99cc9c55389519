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
import { sayBlocks } from '../content-blocks.ts'
import { jsonText } from '../json-depth.ts'
import { checklistItems, statedItems } from '../listed-items.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import type { RecordFacts } from '../record-facts.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { droid as agent } from './agent.ts'
import { droidStore } from './store.ts'
import { lengthAt } from '../stated-amounts.ts'
import { droidValues } from './values.ts'

const session: SessionFormat = {
  facts: sessionFacts,
  isInjected,
  titleMarkers: ['"session_start"'],
  ends: 'unsaid'
}

function isInjected(text: string): boolean {
  return text.startsWith('<system-reminder>')
}

/** The sessions of Factory Droid, and what `droid exec` prints: docs/formats/factory-droid.md. */
export const droid: LogFormat<PlainDecoded> = {
  id: 'factory-droid',
  title: 'Factory Droid session',
  agentType: 'factory-droid',
  imitates: ['claude-stream-json'],
  detectors: [
    { strength: 'conclusive', holds: (r) => r['type'] === 'session_start' && has(r, 'id', 'title') },
    { strength: 'conclusive', holds: (r) => r['type'] === 'completion' && has(r, 'finalText') },
    { strength: 'conclusive', holds: (r) => r['type'] === 'message' && has(r, 'role', 'text') },
    {
      strength: 'conclusive',
      holds: (r) => r['type'] === 'tool_call' && has(r, 'toolName') && isJsonObject(r['parameters'])
    },
    {
      strength: 'conclusive',
      holds: (r) => r['type'] === 'tool_result' && 'value' in r && (has(r, 'toolCallId') || has(r, 'messageId'))
    },
    {
      strength: 'conclusive',
      holds: (r) =>
        r['type'] === 'system' &&
        r['subtype'] === 'init' &&
        typeof r['timestamp'] === 'number' &&
        Array.isArray(r['tools'])
    },
    { strength: 'shared', holds: isTreeMessage }
  ],
  nested: ['content'],
  decode,
  values: droidValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: droidStore,
  session,
  facts
}

function has(r: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => stringAt(r, key) !== undefined)
}

/** Also written by pi. */
function isTreeMessage(r: JsonObject): boolean {
  return r['type'] === 'message' && 'parentId' in r && has(r, 'id') && has(objectAt(r, 'message') ?? {}, 'role')
}

const schemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries({
    session_start: z.object({ id: z.string() }),
    tool_call: z.object({ toolName: z.string(), parameters: z.object({}) }),
    completion: z.object({ finalText: z.string() })
  })
)
const saved = z.object({
  message: z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) })
})
const printed = z.object({ role: z.string(), text: z.string() })

/** Types that say nothing of their own. */
const silent = new Set(['session_end', 'compaction_state', 'settings'])

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(typedRecord, value), steps: [] }
  const type = stringAt(value, 'type')
  const isSaved = type === 'message' && 'message' in value
  out.require(isSaved ? saved : type === 'message' ? printed : (schemas.get(type ?? '') ?? typedRecord), value, '$')
  read(out, type, value)
  const sessionId = type === 'session_start' ? stringAt(value, 'id') : stringAt(value, 'session_id')
  return out.decoded({ time: momentOf(value['timestamp']), sessionId })
}

function read(out: PlainBuilder, type: string | undefined, record: JsonObject): void {
  switch (type) {
    case 'session_start':
    case 'system':
      return out.emit({
        type: 'session.started',
        ...stated({
          model: stringAt(record, 'model'),
          cwd: stringAt(record, 'cwd'),
          version: versionOf(record['version'])
        })
      })
    case 'message':
      if (isJsonObject(record['message'])) {
        const { role, content } = record['message']
        const reading = { role: typeof role === 'string' ? role : undefined, path: '$.message.content', isInjected }
        return sayBlocks(out, content, reading)
      }
      return out.say(record['role'] === 'user' ? 'user-message' : 'assistant-message', stringAt(record, 'text'))
    case 'reasoning':
      return out.say('reasoning', stringAt(record, 'text'))
    case 'tool_call': {
      const id = stringAt(record, 'toolCallId') ?? stringAt(record, 'id') ?? out.newId()
      return out.call(id, stringAt(record, 'toolName') ?? 'unknown', record['parameters'], '$.parameters')
    }
    case 'tool_result': {
      const id = stringAt(record, 'toolCallId') ?? stringAt(record, 'id') ?? out.newId()
      return out.result(id, record['isError'] === true, valueText(record['value'] ?? record['error']))
    }
    case 'completion': {
      // Mostly the last text again.
      out.say('result', stringAt(record, 'finalText'), true)
      const took = stated({ durationMs: lengthAt(record, 'durationMs') })
      return out.emit({ type: 'turn.completed', finishReason: 'done', ...took })
    }
    case 'todo_state': {
      const items = statedList(record['todos'])
      return items === undefined ? undefined : out.standing(items)
    }
    case 'error':
      out.emit({ type: 'error', error: stringAt(record, 'message') ?? stringAt(record, 'error') ?? 'unknown error' })
      return out.emit({ type: 'turn.completed', finishReason: 'error' })
    case undefined:
      return
    default:
      if (!silent.has(type)) out.unknownRecord(record)
  }
}

/** A list or its lines, or the input that had them. */
function statedList(todos: JsonValue | undefined): readonly TodoItem[] | undefined {
  const list = isJsonObject(todos) ? todos['todos'] : todos
  const items = statedItems(list, 'content') ?? checklistItems(list) ?? []
  return items.length > 0 || list === '' || (Array.isArray(list) && list.length === 0) ? items : undefined
}

/** Version 2 was the format's, not the program's. */
function versionOf(version: JsonValue | undefined): string | undefined {
  return typeof version === 'string' ? version : undefined
}

function valueText(value: JsonValue | undefined): string {
  if (!isJsonObject(value)) return contentText(value)
  const streams = ['stdout', 'stderr'].map((key) => stringAt(value, key) ?? '').filter((text) => text !== '')
  return streams.length > 0 ? streams.join('\n') : jsonText(value)
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  switch (record['type']) {
    case 'session_start':
      return stated({
        sessionId: stringAt(record, 'id'),
        title: stringAt(record, 'sessionTitle') ?? stringAt(record, 'title'),
        cwd: stringAt(record, 'cwd'),
        version: versionOf(record['version'])
      })
    case 'system':
      return stated({
        sessionId: stringAt(record, 'session_id'),
        cwd: stringAt(record, 'cwd'),
        model: stringAt(record, 'model')
      })
    default:
      return null
  }
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  if (event.type !== 'tool.completed') return { model: stringAt(record, 'model') }
  const code = objectAt(record, 'value')?.['exitCode']
  return { exitCode: isFiniteNumber(code) ? code : undefined }
}
