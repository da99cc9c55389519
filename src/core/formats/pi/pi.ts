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
import { tokensOf, usagePlaces } from '../../requests/tokens.ts'
import type { LinePosition, LogFormat } from '../log-format.ts'
import type { LogStore, SessionFacts, SessionFormat } from '../log-store.ts'
import { PlainFold, plainStateClasses } from '../plain-fold.ts'
import { contentText, malformedPlainLine, momentOf, PlainBuilder, type PlainDecoded } from '../plain-record.ts'
import { recordedDiff, type RecordFacts } from '../record-facts.ts'
import { requiredIssues, typedRecord } from '../required.ts'
import { below, folderIn } from '../store-folders.ts'
import { pi as agent } from './agent.ts'
import { piValues } from './values.ts'
import { usdAt } from '../stated-amounts.ts'

const session: SessionFormat = { facts: sessionFacts, titleMarkers: ['"session_info"'], ends: 'unsaid' }

/** The file of a session is named `<time>_<id>.jsonl`. */
const piStore: LogStore = {
  roots: (system) => [
    below(system, folderIn(system, 'PI_CODING_AGENT_DIR') ?? below(system, system.home, '.pi', 'agent'), 'sessions')
  ],
  depth: 1,
  mayBeLog: (path) => /\.jsonl$/.test(path),
  sessionOf: (path) => /_([^/_]+)\.jsonl$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['pi', '--session', sessionId]
}

const openclawStore: LogStore = {
  roots: (system) => [
    below(system, folderIn(system, 'OPENCLAW_STATE_DIR') ?? below(system, system.home, '.openclaw'), 'agents')
  ],
  // <agent>/sessions/<id>.jsonl
  depth: 2,
  mayBeLog: (path) => /^[^/]+\/sessions\/[^/]+\.jsonl$/.test(path),
  sessionOf: (path) => /([^/]+)\.jsonl$/.exec(path)?.[1] ?? null
}

/** The sessions of pi: docs/formats/pi.md. */
export const pi: LogFormat<PlainDecoded> = {
  id: 'pi',
  title: 'pi session',
  agentType: 'pi',
  detectors: [
    {
      strength: 'conclusive',
      holds: (r) => r['type'] === 'session' && has(r, 'id', 'cwd') && ('version' in r || has(r, 'modelId'))
    },
    { strength: 'conclusive', holds: (r) => r['type'] === 'model_change' && has(r, 'modelId') },
    { strength: 'conclusive', holds: (r) => r['type'] === 'thinking_level_change' && has(r, 'thinkingLevel') },
    { strength: 'conclusive', holds: (r) => r['type'] === 'message' && isPiMessage(objectAt(r, 'message') ?? {}) },
    {
      strength: 'typical',
      holds: (r) => /^custom/.test(stringAt(r, 'type') ?? '') && has(r, 'id', 'customType') && 'parentId' in r
    },
    { strength: 'shared', holds: isTreeMessage }
  ],
  decode,
  values: piValues,
  decodeMalformed: malformedPlainLine,
  createFold: (context) => new PlainFold(context),
  stateClasses: () => plainStateClasses,
  store: piStore,
  session,
  facts
}

/** The sessions of OpenClaw, with records of its own among them: docs/formats/openclaw.md#openclaw-adds-records. */
export const openclaw: LogFormat<PlainDecoded> = {
  ...pi,
  id: 'openclaw',
  title: 'OpenClaw session',
  agentType: 'openclaw',
  imitates: ['pi'],
  detectors: [
    { strength: 'conclusive', holds: (r) => /^custom/.test(stringAt(r, 'type') ?? '') && isOpenclaw(r) },
    { strength: 'shared', holds: isTreeMessage }
  ],
  store: openclawStore
}

function has(r: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => stringAt(r, key) !== undefined)
}

function isPiMessage(message: JsonObject): boolean {
  return message['role'] === 'toolResult' ? has(message, 'toolCallId') : has(message, 'provider', 'stopReason')
}

/** Also written by Factory Droid. */
function isTreeMessage(r: JsonObject): boolean {
  return r['type'] === 'message' && 'parentId' in r && has(r, 'id') && has(objectAt(r, 'message') ?? {}, 'role')
}

function isOpenclaw(r: JsonObject): boolean {
  return /^(?:openclaw|model-snapshot)/.test(stringAt(r, 'customType') ?? '')
}

const schemas: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries({
    session: z.object({ id: z.string(), cwd: z.string() }),
    message: z.object({ message: z.object({ role: z.string() }) }),
    compaction: z.object({ summary: z.string() })
  })
)
const resultSchema = z.object({ message: z.object({ toolCallId: z.string() }) })
/** Types that say nothing of their own. */
const silent = new Set(['model_change', 'thinking_level_change', 'custom', 'label', 'session_info', 'leaf'])

function decode(value: JsonValue, at: LinePosition): PlainDecoded {
  const out = new PlainBuilder(agent, at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(typedRecord, value), steps: [] }
  const type = stringAt(value, 'type')
  out.require(schemas.get(type ?? '') ?? typedRecord, value, '$')
  switch (type) {
    case 'session':
      out.emit({
        type: 'session.started',
        ...stated({ cwd: stringAt(value, 'cwd'), model: stringAt(value, 'modelId') })
      })
      break
    case 'message':
      message(out, objectAt(value, 'message') ?? {}, value)
      break
    case 'compaction':
      out.note({ about: 'compaction', trackId: undefined, before: numberAt(value, 'tokensBefore') })
      out.say('status', stringAt(value, 'summary'))
      break
    case 'branch_summary':
      out.say('status', stringAt(value, 'summary'))
      break
    case 'custom_message':
      out.say('status', contentText(value['content']))
      break
    default:
      if (type !== undefined && !silent.has(type)) out.unknownRecord(value)
  }
  const id = stringAt(value, 'id')
  const node =
    type === 'session' || id === undefined || !('parentId' in value)
      ? undefined
      : { id, parent: stringAt(value, 'parentId') }
  return out.decoded({ time: momentOf(value['timestamp']), sessionId: type === 'session' ? id : undefined, node })
}

function message(out: PlainBuilder, said: JsonObject, record: JsonObject): void {
  switch (said['role']) {
    case 'user':
      return out.say('user-message', contentText(said['content']))
    case 'assistant':
      return answer(out, said, record)
    case 'toolResult':
      out.require(resultSchema, record, '$')
      return out.result(
        stringAt(said, 'toolCallId') || out.newId(),
        said['isError'] === true,
        contentText(said['content'])
      )
    case 'bashExecution': {
      // The person ran it: docs/formats/pi.md#a-person-may-run-commands.
      out.say('user-message', `!${stringAt(said, 'command') ?? ''}`)
      return out.say('status', stringAt(said, 'output'))
    }
    case 'custom':
    case 'branchSummary':
    case 'compactionSummary':
      return out.say('status', contentText(said['content'] ?? said['summary']))
  }
}

function answer(out: PlainBuilder, said: JsonObject, record: JsonObject): void {
  const { content } = said
  if (typeof content === 'string') out.say('assistant-message', content)
  for (const [index, block] of (arrayAt(said, 'content') ?? []).entries()) {
    if (!isJsonObject(block)) continue
    const path = `$.message.content[${index}]`
    if (block['type'] === 'text') out.say('assistant-message', stringAt(block, 'text'))
    else if (block['type'] === 'thinking') out.say('reasoning', stringAt(block, 'thinking'))
    else if (block['type'] === 'toolCall') {
      out.call(
        stringAt(block, 'id') || out.newId(),
        stringAt(block, 'name') ?? 'unknown',
        block['arguments'],
        `${path}.arguments`
      )
    } else if (block['type'] !== 'image') out.unknownPart(`${path}.type`, 'unknown content block')
  }
  const model = stringAt(said, 'model')
  // Relays give all answers one `responseId`.
  const key = stringAt(record, 'id') ?? stringAt(record, 'timestamp') ?? stringAt(said, 'responseId')
  const usage = objectAt(said, 'usage') ?? {}
  // docs/formats/pi.md#an-answer-states-its-cost
  if (key !== undefined) out.tokens(key, model, tokensOf(usage, names), usdAt(objectAt(usage, 'cost'), 'total'))
  const finishReason = ends.get(stringAt(said, 'stopReason') ?? '')
  const error = stringAt(said, 'errorMessage')
  if (error !== undefined && finishReason === 'error') out.emit({ type: 'error', error })
  if (finishReason !== undefined)
    out.emit({ type: 'turn.completed', finishReason, ...(model !== undefined && { model }) })
}

/** Reasoning is part of the output; opencode states it apart under this name. */
const names = usagePlaces({ ...agent.usage, reasoning: ['reasoning'] })

/** docs/formats/pi.md#the-last-answer-ends-a-turn */
const ends: ReadonlyMap<string, TurnCompleted['finishReason']> = new Map(
  Object.entries({
    stop: 'done',
    length: 'done',
    error: 'error',
    aborted: 'cancelled'
  })
)

function sessionFacts(record: JsonObject): SessionFacts | null {
  switch (record['type']) {
    case 'session':
      return stated({
        sessionId: stringAt(record, 'id'),
        cwd: stringAt(record, 'cwd'),
        model: stringAt(record, 'modelId'),
        forkedFrom: sessionIn(stringAt(record, 'parentSession') ?? stringAt(record, 'branchedFrom'))
      })
    case 'session_info':
      return stated({ title: stringAt(record, 'name') })
    case 'model_change':
      return stated({ model: stringAt(record, 'modelId') })
    default:
      return null
  }
}

/** The session in the path of its file. */
function sessionIn(path: string | undefined): string | undefined {
  return path === undefined ? undefined : /_([^/_]+)\.jsonl$/.exec(path)?.[1]
}

function facts(record: JsonObject, event: EventBody): RecordFacts {
  const said = objectAt(record, 'message') ?? {}
  if (event.type !== 'tool.completed') return { model: stringAt(said, 'model'), usage: objectAt(said, 'usage') }
  const details = objectAt(said, 'details') ?? {}
  const diff = stringAt(details, 'diff')
  return {
    exitCode: isFiniteNumber(details['exitCode']) ? details['exitCode'] : undefined,
    diffs: diff === undefined ? undefined : recordedDiff(stringAt(details, 'path') ?? '', diff)
  }
}
