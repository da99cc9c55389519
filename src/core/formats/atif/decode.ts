import * as z from 'zod'
import { durationSources, type SessionStarted, type Text } from '../../events/agent-event.ts'
import type { TodoItem } from '../../events/todo.ts'
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
import { tokensOf, type Tokens } from '../../requests/tokens.ts'
import { namedAgent, todoItems } from '../agents.ts'
import { instantOf } from '../instant.ts'
import { type IssueDraft, mostIssues } from '../issue.ts'
import { isTooDeep, jsonText, tooDeepIssue } from '../json-depth.ts'
import { type Decoded, type EventDraft, type LinePosition, lineId } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { usdAt } from '../stated-amounts.ts'
import {
  nowhere,
  objectsIn,
  type OwnFacts,
  ownFacts,
  ownId,
  type OwnPlace,
  ownPlace,
  sessionStarted,
  todoList,
  turnEnd
} from './own-export.ts'

/** What a record says on its own; null: nothing that is read. Every `body` is an index into `drafts`, -1 for none. */
export interface AtifDecoded extends Decoded {
  readonly part: Part | null
}

/** A trajectory, or a part of one: a document is cut into its members and its steps (`document-splitter.ts`). */
export interface Part {
  readonly head: Head | null
  readonly steps: readonly Step[]
  readonly subagents: readonly Part[]
  readonly final: Final | null
  /** It continues in another document. */
  readonly continued: number
}

export interface Head {
  readonly sessionId: string | undefined
  readonly trajectoryId: string | undefined
  readonly agentType: string | undefined
  readonly model: string | undefined
  /** Playhead wrote it, with every event: docs/formats/atif.md#playheads-own-exports-keep-every-event. */
  readonly isOwn: boolean
  /** The ids of its calls are those of no other trajectory. */
  readonly hasUniqueIds: boolean
  /** The start of the session. */
  readonly started: Act | null
}

export interface Step {
  readonly id: number | undefined
  readonly time: number | undefined
  /** It was in an earlier trajectory, which this one continues. */
  readonly isCopy: boolean
  readonly acts: readonly Act[]
  readonly model: string | undefined
  readonly tokens: Tokens
  readonly costUsd: number | undefined
  readonly own: OwnFacts
}

/** An event of a step. */
export interface Act extends OwnPlace {
  readonly body: number
  readonly call?: Call
  readonly result?: Result
}

export interface Call {
  readonly id: string
  readonly toolName: string
  /** The list it writes; then `body` is that of the list. */
  readonly items: readonly TodoItem[] | null
}

export interface Result {
  /** Undefined: it is of no call, and its event is a text. */
  readonly callId: string | undefined
  /** The tool, where the call itself has no event. */
  readonly toolName: string | undefined
  readonly failed: boolean
  /** Trajectories of subagents that worked for the call. */
  readonly subagents: readonly string[]
}

/** What the end states of the whole trajectory. */
export interface Final {
  readonly tokens: Tokens
  readonly usage: JsonObject
  readonly costUsd: number | undefined
}

export const sources = ['system', 'user', 'agent'] as const

const headSchema = z.object({ schema_version: z.string(), agent: z.object({ name: z.string() }) })
const stepSchema = z.object({
  step_id: z.number(),
  source: z.string(),
  tool_calls: z.array(z.object({ tool_call_id: z.string(), function_name: z.string() })).nullish(),
  observation: z.object({ results: z.array(z.unknown()) }).nullish()
})
const anObject = z.object({})

/** Maximum depth of nested trajectories of subagents. */
const mostLevels = 8

export function decode(value: JsonValue, at: LinePosition): AtifDecoded {
  const reader = new PartReader(at)
  if (!isJsonObject(value)) return { drafts: [], issues: requiredIssues(anObject, value), part: null }
  const part = reader.part(value)
  const time = part?.steps.find((step) => step.time !== undefined)?.time
  return { drafts: reader.drafts, issues: reader.issues, time, part }
}

/** Members of a document beside its head and its steps. */
const otherMembers = new Set(['notes', 'extra', 'final_metrics', 'continued_trajectory_ref', 'session_id'])
const headMembers = ['schema_version', 'agent', 'steps', 'subagent_trajectories']

class PartReader {
  readonly drafts: EventDraft[] = []
  readonly issues: IssueDraft[] = []
  readonly #line: number
  #calls = 0

  constructor({ line }: LinePosition) {
    this.#line = line
  }

  part(value: JsonObject): Part | null {
    if ('step_id' in value || 'source' in value) {
      return { head: null, steps: [this.#step(value, '$')], subagents: [], final: null, continued: -1 }
    }
    if (headMembers.some((key) => key in value)) return this.#trajectory(value, '$', 0)
    if (!Object.keys(value).some((key) => otherMembers.has(key))) {
      this.#report({ code: 'UnknownType', path: '$', message: 'unknown kind of record' })
    }
    return { head: null, steps: [], subagents: [], final: finalOf(value), continued: this.#continued(value) }
  }

  #trajectory(value: JsonObject, path: string, level: number): Part {
    this.#require(headSchema, value, path)
    const agent = objectAt(value, 'agent') ?? {}
    const model = stringAt(agent, 'model_name')
    const stating = stringAt(agent, 'version')
    // The format wants a version, also where none is known.
    const version = stating === 'unknown' ? undefined : stating
    const tools = (arrayAt(agent, 'tool_definitions') ?? []).flatMap(toolName)
    const extra = objectAt(value, 'extra') ?? {}
    const cwd = stringAt(extra, 'cwd')
    const own = extra['session_started']
    const head: Head = {
      sessionId: stringAt(value, 'session_id'),
      trajectoryId: stringAt(value, 'trajectory_id'),
      agentType: namedAgent(stringAt(agent, 'name')),
      model,
      isOwn: own !== undefined,
      hasUniqueIds: extra['call_ids'] === 'unique',
      started: level > 0 || own === false ? null : this.#started(own, stated({ model, cwd, tools, version }))
    }
    const steps = objectsIn(value, 'steps').map(([step, index]) => this.#step(step, `${path}.steps[${index}]`))
    const below = level < mostLevels ? objectsIn(value, 'subagent_trajectories') : []
    const subagents = below.map(([one, index]) =>
      this.#trajectory(one, `${path}.subagent_trajectories[${index}]`, level + 1)
    )
    return { head, steps, subagents, final: finalOf(value), continued: this.#continued(value) }
  }

  #started(own: JsonValue | undefined, { tools, ...facts }: Omit<SessionStarted, 'type'>): Act {
    if (isJsonObject(own)) return { body: this.#draft(sessionStarted(own)), ...ownPlace(own, 'timestamp') }
    const some = tools?.length === 0 ? undefined : tools
    const body = this.#draft({ type: 'session.started', ...stated({ ...facts, tools: some }) })
    return { body, ...nowhere }
  }

  #continued(value: JsonObject): number {
    const next = stringAt(value, 'continued_trajectory_ref')
    if (next === undefined || next === '') return -1
    return this.#draft({ type: 'text', text: `Continued in ${next}`, role: 'system', category: 'status' })
  }

  #step(step: JsonObject, path: string): Step {
    this.#require(stepSchema, step, path)
    const source = stringAt(step, 'source')
    if (source !== undefined && !sources.some((known) => known === source)) {
      this.#report({ code: 'UnknownType', path: `${path}.source`, message: 'unknown source of a step' })
    }
    const extra = objectAt(step, 'extra') ?? {}
    const time = instantOf(step['timestamp'])
    const acts: Act[] = []
    const reasoning = stringAt(step, 'reasoning_content') ?? ''
    if (reasoning !== '' || isFiniteNumber(extra['reasoning_seq'])) {
      const id = ownId(extra, 'reasoning_event_id', 'reasoning_seq')
      const body = this.#draft({ type: 'text', text: reasoning, role: 'assistant', category: 'reasoning', ...id })
      acts.push({ body, ...ownPlace(extra, '', 'reasoning_seq'), time })
    }
    const message = this.#message(this.#content(step['message'], `${path}.message`), source, extra)
    if (message !== null) {
      const saidAt = 'message_at' in extra ? instantOf(extra['message_at']) : time
      const id = ownId(extra, 'message_event_id', 'message_seq')
      acts.push({ body: this.#draft({ ...message, ...id }), ...ownPlace(extra, '', 'message_seq'), time: saidAt })
    }
    acts.push(...objectsIn(step, 'tool_calls').map(([call, index]) => this.#call(call, `${path}.tool_calls[${index}]`)))
    const observation = objectAt(step, 'observation') ?? {}
    acts.push(
      ...objectsIn(observation, 'results').map(([result, index]) =>
        this.#result(result, `${path}.observation.results[${index}]`)
      )
    )
    for (const [value, draft] of [
      ...objectsIn(extra, 'todo_lists').map(([list]) => [list, todoList(list)] as const),
      ...objectsIn(extra, 'turns').map(([turn]) => [turn, turnEnd(turn)] as const),
      ...[objectAt(extra, 'session')].flatMap((session) =>
        session === undefined ? [] : [[session, sessionStarted(session)] as const]
      )
    ]) {
      if (draft !== null) acts.push({ body: this.#draft(draft), ...ownPlace(value, 'timestamp') })
    }
    const { step_id: id } = step
    const metrics = objectAt(step, 'metrics') ?? {}
    return {
      id: isFiniteNumber(id) ? id : undefined,
      time,
      isCopy: step['is_copied_context'] === true,
      acts: inOrder(acts),
      model: stringAt(step, 'model_name'),
      tokens: promptTokens(metrics, ''),
      costUsd: usdAt(metrics, 'cost_usd'),
      own: ownFacts(step, extra)
    }
  }

  /** What a step says, if anything. */
  #message(text: string, source: string | undefined, extra: JsonObject): EventDraft | null {
    const error = objectAt(extra, 'error')
    if (error !== undefined) {
      return {
        type: 'error',
        error: text,
        ...stated({ code: stringAt(error, 'code'), stack: stringAt(error, 'stack') })
      }
    }
    if (text === '' && !isFiniteNumber(extra['message_seq'])) return null
    if (objectAt(extra, 'session') !== undefined) return null
    const role: Text['role'] = source === 'agent' ? 'assistant' : source === 'user' ? 'user' : 'system'
    const usual = { assistant: 'assistant-message', user: 'user-message', system: 'status' }[role]
    const category = extra['category'] === null ? undefined : (stringAt(extra, 'category') ?? usual)
    return { type: 'text', text, ...stated({ role: extra['role'] === null ? undefined : role, category }) }
  }

  #call(call: JsonObject, path: string): Act {
    const id = stringAt(call, 'tool_call_id') ?? lineId(this.#line, this.#calls++)
    const toolName = stringAt(call, 'function_name') ?? 'unknown'
    const input = objectAt(call, 'arguments') ?? {}
    const extra = objectAt(call, 'extra') ?? {}
    const eventId = ownId(extra)
    // Our own exports state each list apart.
    const items = eventId.eventId === undefined ? todoItems(toolName, input) : null
    const place = ownPlace(extra, 'timestamp')
    const made = { id, toolName, items }
    if (items !== null) return { body: this.#draft({ type: 'todo_list', todoId: id, items }), ...place, call: made }
    const isDeep = isTooDeep(input)
    if (isDeep) this.#report(tooDeepIssue(`${path}.arguments`))
    const body = this.#draft({ type: 'tool.started', toolName, toolId: id, input: isDeep ? {} : input, ...eventId })
    return { body, ...place, call: made }
  }

  #result(result: JsonObject, path: string): Act {
    const extra = objectAt(result, 'extra') ?? {}
    const callId = stringAt(result, 'source_call_id') ?? stringAt(extra, 'tool_call_id')
    const output = this.#content(result['content'], `${path}.content`)
    const failed = extra['is_error'] === true
    const place = ownPlace(extra, 'completed_at')
    const subagents = objectsIn(result, 'subagent_trajectory_ref').flatMap(([ref]) => {
      const id = stringAt(ref, 'trajectory_id') ?? stringAt(ref, 'session_id') ?? stringAt(ref, 'trajectory_path')
      return id === undefined ? [] : [id]
    })
    const said = { callId, toolName: stringAt(extra, 'tool_name'), failed, subagents }
    if (callId === undefined) {
      const text: EventDraft = { type: 'text', text: output, role: 'system', category: 'status' }
      return { body: output === '' ? -1 : this.#draft(text), ...place, result: said }
    }
    const { duration_ms: took, duration_from: from } = extra
    const durationFrom = durationSources.find((known) => known === from) ?? 'stated'
    const length = isFiniteNumber(took) && took >= 0 ? { durationMs: took, durationFrom } : {}
    const body = this.#draft({
      ...{ type: 'tool.completed', toolId: callId },
      // A result without content says nothing, not an empty text.
      ...(failed ? { error: output } : result['content'] == null ? {} : { output }),
      ...length,
      ...ownId(extra)
    })
    return { body, ...place, result: said }
  }

  /** The text of a message or a result. Its media are in other files: docs/formats/atif.md#media-are-named. */
  #content(content: JsonValue | undefined, path: string): string {
    if (content === undefined || content === null) return ''
    if (typeof content === 'string') return content
    if (!Array.isArray(content)) return jsonText(content)
    const texts = (content as readonly JsonValue[]).map((part, index) => {
      if (typeof part === 'string') return part
      const { type, text } = isJsonObject(part) ? part : {}
      if (typeof text === 'string') return text
      const source = isJsonObject(part) ? (objectAt(part, 'source') ?? {}) : {}
      if (type === 'image' || type === 'audio') {
        return `[${type}: ${stringAt(source, 'path') ?? stringAt(source, 'media_type') ?? 'no path'}]`
      }
      this.#report({ code: 'UnknownBlock', path: `${path}[${index}]`, message: 'unknown part of a content' })
      return ''
    })
    return texts.filter((text) => text !== '').join('\n')
  }

  #draft(draft: EventDraft): number {
    return this.drafts.push(draft) - 1
  }

  #require(schema: z.ZodType, value: JsonObject, path: string): void {
    for (const issue of requiredIssues(schema, value)) {
      this.#report({ ...issue, path: `${path}${(issue.path ?? '$').slice(1)}` })
    }
  }

  #report(issue: IssueDraft): void {
    if (this.issues.length < mostIssues) this.issues.push(issue)
  }
}

/** By their numbers, if all have one. */
function inOrder(acts: Act[]): Act[] {
  const numbers = new Map(acts.map((act) => [act, act.seq ?? NaN]))
  if (acts.some((act) => act.seq === undefined)) return acts
  return acts.sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0))
}

function toolName(definition: JsonValue): readonly string[] {
  if (!isJsonObject(definition)) return []
  const name = stringAt(objectAt(definition, 'function') ?? definition, 'name')
  return name === undefined ? [] : [name]
}

/** Some count the cache apart from the prompt; then it is mostly the larger one: docs/formats/atif.md#a-step-states-its-tokens. */
function promptTokens(counts: JsonObject, prefix: string): Tokens {
  const { [`${prefix}prompt_tokens`]: sent, [`${prefix}cached_tokens`]: cached } = counts
  const { [`${prefix}completion_tokens`]: written } = counts
  const isApart = isFiniteNumber(sent) && isFiniteNumber(cached) && cached > sent
  const { cacheRead, ...tokens } = tokensOf({
    ...(sent !== undefined && { prompt_tokens: isApart ? sent + cached : sent }),
    ...(written !== undefined && { completion_tokens: written }),
    ...(cached !== undefined && { cached_tokens: cached })
  })
  return cacheRead === undefined ? tokens : { ...tokens, cacheRead }
}

function finalOf(value: JsonObject): Final | null {
  const metrics = objectAt(value, 'final_metrics')
  if (metrics === undefined) return null
  const usage = Object.fromEntries(
    ['prompt_tokens', 'completion_tokens', 'cached_tokens'].flatMap((name) => {
      const count = metrics[`total_${name}`]
      return isFiniteNumber(count) ? [[name, count] as const] : []
    })
  )
  return {
    tokens: promptTokens(metrics, 'total_'),
    usage,
    costUsd: usdAt(metrics, 'total_cost_usd')
  }
}
