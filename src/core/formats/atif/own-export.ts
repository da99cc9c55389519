import { isValidTodoItem } from '../../events/todo.ts'
import { rowMarks } from '../../index/row-mark.ts'
import { arrayAt, isJsonObject, type JsonObject, numberAt, objectAt, stated, stringAt } from '../../json.ts'
import { type RequestKind, requestKinds, type RequestTier, requestTiers } from '../../requests/request-note.ts'
import { isTokenCount, type Tokens } from '../../requests/tokens.ts'
import { namedAgent } from '../agents.ts'
import { instantOf } from '../instant.ts'
import type { EventDraft, RowMark } from '../log-format.ts'
import { usdAt } from '../stated-amounts.ts'

/**
 * What Playhead's own exports state in `extra`, as the format has no word for it: docs/formats/atif.md#playheads-own-exports-keep-every-event.
 * `AtifStep` writes it.
 */

/** Of an event. Without a number, another program wrote the file. */
export interface OwnPlace {
  readonly seq: number | undefined
  readonly time: number | undefined
  /** Where they are not those of the trajectory. */
  readonly sessionId: string | undefined
  readonly agentType: string | undefined
}

/** Of a step. */
export interface OwnFacts {
  /** What the step states of a request. */
  readonly request: OwnRequest | null
  readonly mark: RowMark | null
  readonly compactions: readonly { readonly before: number | undefined; readonly after: number | undefined }[]
}

export interface OwnRequest {
  readonly of: RequestKind
  /** Among those of the trajectory; undefined: of a turn. */
  readonly number: number | undefined
  readonly model: string | undefined
  readonly tokens: Tokens
  readonly costUsd?: number | undefined
  readonly written?: number | undefined
  readonly settled?: boolean | undefined
  readonly window?: number | undefined
  readonly firstTokenMs?: number | undefined
  readonly tier?: RequestTier | undefined
  readonly inRunCost?: boolean | undefined
}

export const nowhere: OwnPlace = { seq: undefined, time: undefined, sessionId: undefined, agentType: undefined }

/** `seq`, `time`: the members with the number and the time. */
export function ownPlace(extra: JsonObject, time: string, seq = 'seq'): OwnPlace {
  return {
    seq: numberAt(extra, seq),
    time: instantOf(extra[time]),
    sessionId: stringAt(extra, 'session_id'),
    agentType: namedAgent(stringAt(extra, 'agent'))
  }
}

/** The id that an event had where it was exported. */
export function ownId(extra: JsonObject, id = 'event_id', seq = 'seq'): Pick<EventDraft, 'eventId'> {
  const eventId = numberAt(extra, seq) === undefined ? undefined : stringAt(extra, id)
  return eventId === undefined ? {} : { eventId }
}

export function ownFacts(step: JsonObject, extra: JsonObject): OwnFacts {
  const compactions = objectsIn(extra, 'compactions').map(([one]) => ({
    before: numberAt(one, 'tokens_before'),
    after: numberAt(one, 'tokens_after')
  }))
  const mark = rowMarks.find((known) => known !== null && known === extra['mark']) ?? null
  return { request: ownRequest(step, numberAt(extra, 'request')), mark, compactions }
}

function ownRequest(step: JsonObject, number: number | undefined): OwnRequest | null {
  const metrics = objectAt(step, 'metrics') ?? {}
  const extra = objectAt(metrics, 'extra') ?? {}
  const of = requestKinds.find((kind) => kind === extra['scope'])
  const model = stringAt(step, 'model_name')
  if (of === undefined) return number === undefined ? null : { of: 'request', number, model, tokens: {} }
  const sent = countAt(metrics, 'prompt_tokens')
  const [cacheRead, cacheWrite] = [countAt(metrics, 'cached_tokens'), countAt(extra, 'cache_write_tokens')]
  const isUnknown = sent === undefined || extra['input_tokens'] === null
  return {
    of,
    number: of === 'request' ? number : undefined,
    model: of === 'request' ? model : stringAt(extra, 'model'),
    tokens: {
      input: isUnknown ? undefined : Math.max(0, sent - (cacheRead ?? 0) - (cacheWrite ?? 0)),
      cacheRead,
      cacheWrite,
      cacheWriteHour: countAt(extra, 'cache_write_hour_tokens'),
      output: countAt(metrics, 'completion_tokens'),
      reasoning: countAt(extra, 'reasoning_tokens')
    },
    costUsd: usdAt(metrics, 'cost_usd'),
    written: countAt(extra, 'written_characters'),
    settled: extra['settled'] === true,
    window: countAt(extra, 'context_window'),
    firstTokenMs: numberAt(extra, 'first_token_ms'),
    tier: requestTiers.find((tier) => tier === extra['service_tier']),
    inRunCost: extra['in_run_cost'] === true
  }
}

function countAt(object: JsonObject, key: string): number | undefined {
  const count = object[key]
  return isTokenCount(count) ? count : undefined
}

export function todoList(list: JsonObject): EventDraft {
  const items = objectsIn(list, 'items').flatMap(([item]) => (isValidTodoItem(item) ? [item] : []))
  return { type: 'todo_list', todoId: stringAt(list, 'todo_id') ?? '', items, ...ownId(list) }
}

const finishReasons = ['done', 'error', 'cancelled', 'timeout'] as const

export function turnEnd(turn: JsonObject): EventDraft | null {
  const finish = finishReasons.find((known) => known === turn['finish_reason'])
  if (finish === undefined) return null
  return {
    ...{ type: 'turn.completed', finishReason: finish },
    ...stated({
      model: stringAt(turn, 'model'),
      usage: objectAt(turn, 'usage'),
      costUsd: usdAt(turn, 'cost_usd'),
      durationMs: numberAt(turn, 'duration_ms')
    }),
    ...ownId(turn)
  }
}

export function sessionStarted(session: JsonObject): EventDraft {
  const tools = arrayAt(session, 'tools')?.filter((tool) => typeof tool === 'string')
  return {
    type: 'session.started',
    ...stated({ model: stringAt(session, 'model'), cwd: stringAt(session, 'cwd') }),
    ...stated({ tools, version: stringAt(session, 'version') }),
    ...ownId(session)
  }
}

/** The objects of a list, with their places in it. */
export function objectsIn(holder: JsonObject, key: string): readonly (readonly [JsonObject, number])[] {
  return (arrayAt(holder, key) ?? []).flatMap((value, index) => (isJsonObject(value) ? [[value, index] as const] : []))
}
