import * as z from 'zod'
import type { ModelRequest } from './request-list.ts'
import { sentOf } from './tokens.ts'

/** Sizes of a request, in tokens sent, above which some model costs more. Prices may only name these. */
export const longRequests = [100_000, 128_000, 200_000, 256_000, 272_000] as const

const Sum = z.number().min(0)

/** Tokens that have the same price: of one model, and of requests of one size. */
export const TokenGroup = z.object({
  /** Null: not named. */
  model: z.string().nullable(),
  /** Each request sent more tokens than this, one of `longRequests` or 0, and not more than the next one. */
  over: z.int().min(0),
  /** What the log states is a sum of several requests, each of them of at most this size. */
  isSum: z.boolean(),
  input: Sum,
  cacheRead: Sum,
  cacheWrite: Sum,
  /** Of the cache writes: those for an hour, and those of which the log does not tell for how long. */
  cacheWriteHour: Sum,
  cacheWriteUnclear: Sum,
  output: Sum,
  requests: z.int().min(0),
  /** Requests whose input or output is understated or not stated. */
  lacking: z.int().min(0)
})
export type TokenGroup = z.infer<typeof TokenGroup>

type Summed = { -readonly [K in keyof TokenGroup]: TokenGroup[K] }

/** The tokens of one request. `isLacking`: its output is understated or not stated, in the sum that is made. */
export function groupOf({ of, model, tokens, settled }: ModelRequest, isLacking: boolean): TokenGroup {
  const sent = sentOf(tokens)
  const { input = 0, cacheRead = 0, cacheWrite = 0, cacheWriteHour, output = 0 } = tokens
  return {
    model,
    // What a turn end states beyond its requests may belong to a request of any size.
    over: sent === undefined && of === 'rest' ? (longRequests.at(-1) ?? 0) : sizeOf(sent ?? 0),
    isSum: of !== 'request',
    input,
    cacheRead,
    cacheWrite,
    cacheWriteHour: cacheWriteHour === undefined ? 0 : Math.min(cacheWriteHour, cacheWrite),
    cacheWriteUnclear: cacheWriteHour === undefined ? cacheWrite : 0,
    output,
    requests: 1,
    lacking: of !== 'rest' && ((sent === undefined && !settled) || isLacking) ? 1 : 0
  }
}

/** Groups requests by price. A copy of a request is not in a `RequestList`, so nothing is counted twice. */
export class TokenGroups {
  readonly #byModel = new Map<string | null, Summed[]>()

  add(one: TokenGroup): void {
    let groups = this.#byModel.get(one.model)
    if (groups === undefined) this.#byModel.set(one.model, (groups = []))
    const group = groups.find(({ over, isSum }) => over === one.over && isSum === one.isSum)
    if (group === undefined) groups.push({ ...one })
    else addGroup(group, one)
  }

  /** In order of appearance. */
  get all(): readonly TokenGroup[] {
    return [...this.#byModel.values()].flat().map((group) => ({ ...group }))
  }
}

function addGroup(sum: Summed, group: TokenGroup): void {
  for (const name of sums) sum[name] += group[name]
}

const nothing = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  cacheWriteUnclear: 0,
  output: 0,
  requests: 0,
  lacking: 0
}
const sums = Object.keys(nothing) as (keyof typeof nothing)[]

/** The groups of at most `most` models, and one of all further ones, whose model is not named. */
export function fewGroups(groups: readonly TokenGroup[], most: number): TokenGroup[] {
  const models = new Set<string | null>()
  const kept: TokenGroup[] = []
  let further: Summed | null = null
  for (const group of groups) {
    if (models.has(group.model) || models.size < most) {
      models.add(group.model)
      kept.push(group)
      continue
    }
    further ??= { ...nothing, model: null, over: group.over, isSum: true }
    further.over = Math.max(further.over, group.over)
    addGroup(further, group)
  }
  return further === null ? kept : [...kept, further]
}

function sizeOf(sent: number): number {
  return longRequests.findLast((size) => sent > size) ?? 0
}
