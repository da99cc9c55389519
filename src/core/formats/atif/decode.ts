import * as z from 'zod'
import type { TodoItem } from '../../events/todo.ts'
import {
  arrayAt,
  isFiniteNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt
} from '../../json.ts'
import { tokensOf, type Tokens } from '../../requests/tokens.ts'
import { namedAgent, todoItems } from '../agents.ts'
import { instantOf } from '../instant.ts'
import type { IssueDraft } from '../issue.ts'
import { isTooDeep, jsonText, tooDeepIssue } from '../json-depth.ts'
import { type Decoded, type EventDraft, type LinePosition, lineId } from '../log-format.ts'
import { requiredIssues } from '../required.ts'
import { usdAt } from '../stated-amounts.ts'

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
  readonly started: number
}

export interface Step {
  readonly id: number | undefined
  readonly time: number | undefined
  /** It was in an earlier trajectory, which this one continues. */
  readonly isCopy: boolean
  /** Texts, in order. */
  readonly texts: readonly number[]
  readonly calls: readonly Call[]
  readonly results: readonly Result[]
  readonly model: string | undefined
  readonly tokens: Tokens
  readonly costUsd: number | undefined
}

export interface Call {
  readonly id: string
  readonly toolName: string
  readonly body: number
  /** The list it writes; then `body` is that of the list. */
  readonly items: readonly TodoItem[] | null
}

export interface Result {
  /** Undefined: it is of no call, and `body` is a text. */
  readonly callId: string | undefined
  readonly body: number
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

/** A record may hold a whole run. */
const mostIssues = 100
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
    const version = stringAt(agent, 'version')
    const tools = (arrayAt(agent, 'tool_definitions') ?? []).flatMap(toolName)
    const cwd = stringAt(objectAt(value, 'extra') ?? {}, 'cwd')
    const head: Head = {
      sessionId: stringAt(value, 'session_id'),
      trajectoryId: stringAt(value, 'trajectory_id'),
      agentType: namedAgent(stringAt(agent, 'name')),
      model,
      started:
        level > 0
          ? -1
          : this.#draft({
              type: 'session.started',
              ...(model !== undefined && { model }),
              ...(cwd !== undefined && { cwd }),
              ...(tools.length > 0 && { tools }),
              ...(version !== undefined && { version })
            })
    }
    const steps = objectsIn(value, 'steps').map(([step, index]) => this.#step(step, `${path}.steps[${index}]`))
    const below = level < mostLevels ? objectsIn(value, 'subagent_trajectories') : []
    const subagents = below.map(([one, index]) =>
      this.#trajectory(one, `${path}.subagent_trajectories[${index}]`, level + 1)
    )
    return { head, steps, subagents, final: finalOf(value), continued: this.#continued(value) }
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
    const texts: number[] = []
    const say = (text: string, role: 'assistant' | 'system' | 'user', category: string): void => {
      if (text !== '') texts.push(this.#draft({ type: 'text', text, role, category }))
    }
    say(stringAt(step, 'reasoning_content') ?? '', 'assistant', 'reasoning')
    const message = this.#content(step['message'], `${path}.message`)
    if (source === 'agent') say(message, 'assistant', 'assistant-message')
    else if (source === 'user') say(message, 'user', 'user-message')
    else say(message, 'system', 'status')
    const calls = objectsIn(step, 'tool_calls').map(([call, index]) => this.#call(call, `${path}.tool_calls[${index}]`))
    const observation = objectAt(step, 'observation') ?? {}
    const results = objectsIn(observation, 'results').map(([result, index]) =>
      this.#result(result, `${path}.observation.results[${index}]`)
    )
    const { step_id: id } = step
    const metrics = objectAt(step, 'metrics') ?? {}
    return {
      id: isFiniteNumber(id) ? id : undefined,
      time: instantOf(step['timestamp']),
      isCopy: step['is_copied_context'] === true,
      ...{ texts, calls, results },
      model: stringAt(step, 'model_name'),
      tokens: promptTokens(metrics, ''),
      costUsd: usdAt(metrics, 'cost_usd')
    }
  }

  #call(call: JsonObject, path: string): Call {
    const id = stringAt(call, 'tool_call_id') ?? lineId(this.#line, this.#calls++)
    const toolName = stringAt(call, 'function_name') ?? 'unknown'
    const input = objectAt(call, 'arguments') ?? {}
    const items = todoItems(toolName, input)
    if (items !== null) return { id, toolName, items, body: this.#draft({ type: 'todo_list', todoId: id, items }) }
    const isDeep = isTooDeep(input)
    if (isDeep) this.#report(tooDeepIssue(`${path}.arguments`))
    return {
      id,
      toolName,
      items,
      body: this.#draft({ type: 'tool.started', toolName, toolId: id, input: isDeep ? {} : input })
    }
  }

  #result(result: JsonObject, path: string): Result {
    const callId = stringAt(result, 'source_call_id')
    const output = this.#content(result['content'], `${path}.content`)
    const failed = objectAt(result, 'extra')?.['is_error'] === true
    const subagents = objectsIn(result, 'subagent_trajectory_ref').flatMap(([ref]) => {
      const id = stringAt(ref, 'trajectory_id') ?? stringAt(ref, 'session_id') ?? stringAt(ref, 'trajectory_path')
      return id === undefined ? [] : [id]
    })
    if (callId !== undefined) {
      const said = failed ? { error: output } : { output }
      return { callId, failed, subagents, body: this.#draft({ type: 'tool.completed', toolId: callId, ...said }) }
    }
    const body = output === '' ? -1 : this.#draft({ type: 'text', text: output, role: 'system', category: 'status' })
    return { callId, failed, subagents, body }
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

function objectsIn(holder: JsonObject, key: string): readonly (readonly [JsonObject, number])[] {
  return (arrayAt(holder, key) ?? []).flatMap((value, index) => (isJsonObject(value) ? [[value, index] as const] : []))
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
