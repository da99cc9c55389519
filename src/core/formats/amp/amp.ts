import * as z from 'zod'
import type { EventBody, TurnCompleted } from '../../events/agent-event.ts'
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
import { pathOfUri } from '../../paths/log-path.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { type BlockResult, sayBlocks } from '../content-blocks.ts'
import { jsonText } from '../json-depth.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { SessionFacts } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import type { RecordFacts } from '../record-facts.ts'
import { sayPrintedLine } from '../printed-run.ts'
import { requiredIssues } from '../required.ts'
import { amp as agent } from './agent.ts'
import { ampStore } from './store.ts'
import { ampValues } from './values.ts'

const thread = /^T-[0-9a-f]{8}-[0-9a-f]{4}-/

/** The threads of Amp, and what `amp -x --stream-json` prints: docs/formats/amp.md. */
export const amp: LogFormat<PlainDecoded> = {
  id: 'amp',
  title: 'Amp thread',
  agentType: 'amp',
  imitates: ['claude-stream-json'],
  detectors: [
    { strength: 'conclusive', holds: (r) => thread.test(stringAt(r, 'session_id') ?? '') },
    { strength: 'conclusive', holds: (r) => thread.test(stringAt(r, 'id') ?? '') && typeof r['created'] === 'number' },
    { strength: 'typical', holds: (r) => typeof r['messageId'] === 'number' && Array.isArray(r['content']) }
  ],
  textDetectors: [{ strength: 'conclusive', holds: (text) => /"(?:session_)?id"\s*:\s*"T-[0-9a-f]{8}-/.test(text) }],
  nested: ['message', 'messages'],
  decode,
  values: ampValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: ampStore,
  session: { facts: sessionFacts, ends: 'unsaid' },
  facts
}

const anObject = z.object({})
const messageSchema = z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) })

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), steps: [] }
  if ('type' in value) {
    // docs/formats/amp.md#a-printed-run-imitates-claudes
    sayPrintedLine(out, value, { tokensOf })
    return out.decoded({ time: momentOf(value['timestamp']), sessionId: stringAt(value, 'session_id') })
  }
  const sessionId = stringAt(value, 'id')
  if ('role' in value) message(out, value, '$')
  else if (sessionId !== undefined && 'created' in value) {
    out.emit({ type: 'session.started', ...stated({ cwd: folderOf(value) }) })
    for (const [index, one] of (arrayAt(value, 'messages') ?? []).entries()) {
      if (isJsonObject(one)) message(out, one, `$.messages[${index}]`)
    }
  } else if (!Object.keys(value).some((key) => members.has(key))) out.unknownRecord(value)
  return out.decoded({ time: momentOf(value['created']) ?? timeOf(value), sessionId })
}

/** Members of a thread beside its head and its messages. */
const members = new Set([
  'v',
  'id',
  'title',
  'env',
  'meta',
  'agentMode',
  'nextMessageId',
  'usageLedger',
  '~debug',
  'messages',
  'creatorUserID',
  'draft',
  'events'
])

/** docs/formats/amp.md#a-thread-is-a-document */
function message(out: PlainBuilder, value: JsonObject, path: string): void {
  out.require(messageSchema, value, path)
  out.time = timeOf(value)
  const role = stringAt(value, 'role')
  sayBlocks(out, value['content'], { role, path: `${path}.content`, resultOf })
  const usage = objectAt(value, 'usage')
  const model = usage && stringAt(usage, 'model')
  const number = numberAt(value, 'messageId')
  if (usage !== undefined) out.tokens(number === undefined ? out.newId() : `message-${number}`, model, tokensOf(usage))
  const state = objectAt(value, 'state') ?? {}
  const ended = state['type'] === 'cancelled' ? 'cancelled' : state['stopReason'] === 'end_turn' ? 'done' : undefined
  if (ended !== undefined) end(out, ended, model)
  out.time = undefined
}

function end(out: PlainBuilder, finishReason: TurnCompleted['finishReason'], model: string | undefined): void {
  out.emit({ type: 'turn.completed', finishReason, ...(model !== undefined && { model }) })
}

function timeOf(value: JsonObject): number | undefined {
  return momentOf(objectAt(value, 'meta')?.['sentAt']) ?? momentOf(objectAt(value, 'usage')?.['timestamp'])
}

function folderOf(value: JsonObject): string | undefined {
  const [tree] = arrayAt(objectAt(objectAt(value, 'env') ?? {}, 'initial') ?? {}, 'trees') ?? []
  const uri = isJsonObject(tree) ? stringAt(tree, 'uri') : undefined
  return uri === undefined ? undefined : pathOfUri(uri)
}

/** A result in a thread has the run of its tool. */
function resultOf(block: JsonObject): BlockResult {
  const run = objectAt(block, 'run')
  const id = stringAt(block, 'toolUseID') ?? stringAt(block, 'tool_use_id')
  if (run === undefined) return { id, failed: block['is_error'] === true, text: contentText(block['content']) }
  const status = stringAt(run, 'status') ?? ''
  const error = objectAt(run, 'error')
  const failed = status === 'error' || status === 'cancelled' || status === 'rejected-by-user'
  if (failed) return { id, failed, text: stringAt(error ?? {}, 'message') ?? stringAt(run, 'reason') ?? status }
  const { result } = run
  const text = isJsonObject(result)
    ? (stringAt(result, 'output') ?? stringAt(result, 'content') ?? stringAt(result, 'diff') ?? jsonText(result))
    : contentText(result)
  return { id, failed, text }
}

function sessionFacts(record: JsonObject): SessionFacts | null {
  if (isFiniteNumber(record['created'])) {
    return stated({ sessionId: stringAt(record, 'id'), title: stringAt(record, 'title'), cwd: folderOf(record) })
  }
  return stated({
    title: 'role' in record ? undefined : stringAt(record, 'title'),
    cwd: folderOf(record) ?? (record['type'] === 'system' ? stringAt(record, 'cwd') : undefined),
    sessionId: stringAt(record, 'session_id'),
    model: stringAt(objectAt(record, 'usage') ?? {}, 'model')
  })
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  const said = objectAt(record, 'message') ?? record
  const usage = objectAt(said, 'usage')
  if (event.type !== 'tool.completed')
    return { model: stringAt(usage ?? {}, 'model') ?? stringAt(said, 'model'), usage }
  const block = (arrayAt(record, 'content') ?? []).find(
    (one): one is JsonObject => isJsonObject(one) && one['toolUseID'] === event.toolId
  )
  const code = objectAt(objectAt(block ?? {}, 'run') ?? {}, 'result')?.['exitCode']
  return { exitCode: isFiniteNumber(code) ? code : undefined }
}
