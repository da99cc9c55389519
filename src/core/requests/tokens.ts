import type { Agent, UsageNames } from '../formats/agent.ts'
import { agents } from '../formats/agents.ts'
import { isFiniteNumber, type JsonObject, type JsonValue, objectAt } from '../json.ts'

/**
 * Tokens by category. Categories are disjoint, except that reasoning is part of the output, and what is cached for an
 * hour part of the cache writes. A category that is not stated is absent, never 0.
 */
export interface Tokens {
  /** Sent, not cached. */
  readonly input?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
  /** Cached for an hour instead of minutes, which costs more. Absent: the log does not tell for how long. */
  readonly cacheWriteHour?: number | undefined
  /** All output of the model: texts, reasoning and calls. */
  readonly output?: number | undefined
  readonly reasoning?: number | undefined
}

export const tokenCategories = ['input', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'output', 'reasoning'] as const
export type TokenCategory = (typeof tokenCategories)[number]

/** More than any request has; larger values are not token counts. */
export const maxTokens = 4_000_000_000

export function isTokenCount(value: JsonValue | undefined): value is number {
  return isFiniteNumber(value) && value >= 0 && value <= maxTokens
}

/** Names of the chat completions API, which many agents use. */
const common: UsageNames = {
  input: ['prompt_tokens'],
  cacheReadOfInput: ['cached_tokens'],
  output: ['completion_tokens']
}

/** The names of a token count of all agents (`UsageNames`). A name with another meaning for some agent is read with its own places. */
export function usageNames(what: keyof UsageNames): readonly string[] {
  const all = [...Object.values<Agent>(agents).flatMap(({ usage }) => usage ?? []), common]
  return [...new Set(all.flatMap(({ [what]: own = [] }) => own))]
}

/** Where the members of a usage record are. */
export type UsagePlaces = Readonly<Record<keyof UsageNames, readonly (readonly string[])[]>>

/** A member, and one in it: split once, not for each record. */
export function usagePlaces(names: Partial<UsageNames>): UsagePlaces {
  const places = (what: keyof UsageNames): readonly (readonly string[])[] =>
    (names[what] ?? []).map((name) => name.split('.'))
  return {
    input: places('input'),
    cacheRead: places('cacheRead'),
    cacheWrite: places('cacheWrite'),
    cacheWriteHour: places('cacheWriteHour'),
    cacheReadOfInput: places('cacheReadOfInput'),
    cacheWriteOfInput: places('cacheWriteOfInput'),
    toolInput: places('toolInput'),
    output: places('output'),
    reasoning: places('reasoning'),
    thoughts: places('thoughts')
  }
}

const everyones = usagePlaces({
  input: usageNames('input'),
  cacheRead: usageNames('cacheRead'),
  cacheWrite: usageNames('cacheWrite'),
  cacheWriteHour: usageNames('cacheWriteHour'),
  cacheReadOfInput: usageNames('cacheReadOfInput'),
  cacheWriteOfInput: usageNames('cacheWriteOfInput'),
  toolInput: usageNames('toolInput'),
  output: usageNames('output'),
  reasoning: usageNames('reasoning'),
  thoughts: usageNames('thoughts')
})

/** The names of all counts; of one in a member, its own. */
export const countNames: ReadonlySet<string> = new Set(
  Object.values(everyones).flatMap((names) => names.flatMap((name) => name.slice(-1)))
)

function count(usage: JsonObject, places: readonly (readonly string[])[]): number | undefined {
  for (const [name = '', inner] of places) {
    const value = inner === undefined ? usage[name] : objectAt(usage, name)?.[inner]
    if (isTokenCount(value)) return Math.round(value)
  }
  return undefined
}

/** The tokens of a usage record, whichever agent wrote it. `of`: an agent's own names, where they mean something else. */
export function tokensOf(usage: JsonObject, of: UsagePlaces = everyones): Tokens {
  const read = count(usage, of.cacheRead)
  const write = count(usage, of.cacheWrite)
  const readOfInput = read === undefined ? count(usage, of.cacheReadOfInput) : undefined
  const writeOfInput = write === undefined ? count(usage, of.cacheWriteOfInput) : undefined
  const sent = count(usage, of.input)
  const ofTools = count(usage, of.toolInput) ?? 0
  const written = count(usage, of.output)
  const thoughts = count(usage, of.thoughts)
  const reasoning = thoughts ?? count(usage, of.reasoning)
  return stated({
    input: sent === undefined ? undefined : Math.max(0, sent - (readOfInput ?? 0) - (writeOfInput ?? 0)) + ofTools,
    cacheRead: read ?? readOfInput,
    cacheWrite: write ?? writeOfInput,
    cacheWriteHour: count(usage, of.cacheWriteHour),
    output: written === undefined ? undefined : written + (thoughts ?? 0),
    reasoning
  })
}

/** All tokens sent, cached or not; undefined if not stated. */
export function sentOf({ input, cacheRead, cacheWrite }: Tokens): number | undefined {
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
}

/** The sum of the stated categories. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  const sum: Record<string, number | undefined> = {}
  for (const category of tokenCategories) {
    const [first, second] = [a[category], b[category]]
    sum[category] = first === undefined ? second : first + (second ?? 0)
  }
  return stated(sum)
}

function stated(tokens: { readonly [C in TokenCategory]?: number | undefined }): Tokens {
  const known: { [C in TokenCategory]?: number } = {}
  for (const category of tokenCategories) {
    const value = tokens[category]
    if (value !== undefined && value <= maxTokens) known[category] = value
  }
  return known
}
