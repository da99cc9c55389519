import * as z from 'zod'
import type { ModelRequest } from './request-list.ts'
import { requestTiers } from './request-note.ts'
import { sentOf } from './tokens.ts'

/** Sizes of a request, in tokens sent, above which some model costs more. Prices may only name these. */
export const longRequests = [100_000, 128_000, 200_000, 256_000, 272_000] as const

/** Sums of whole numbers do not depend on their order. */
export const picodollarsOfDollar = 1e12

const Sum = z.number().min(0)

/** Tokens that have the same price: of one model, and of requests of one size. Or requests whose cost the log states. */
export const TokenGroup = z.object({
  /** Null: not named. */
  model: z.string().nullable(),
  /** Each request sent more tokens than this, one of `longRequests` or 0, and not more than the next one. */
  over: z.int().min(0),
  /** What the log states is a sum of several requests, each of them of at most this size. */
  isSum: z.boolean(),
  /** Null: the log names none. */
  tier: z.enum(requestTiers).nullable(),
  /** What the log states that they cost, in 10⁻¹² dollars; null: their tokens have a price. */
  stated: Sum.nullable(),
  input: Sum,
  cacheRead: Sum,
  cacheWrite: Sum,
  /** Of the cache writes: those for an hour, and those of which the log does not tell for how long. */
  cacheWriteHour: Sum,
  cacheWriteUnclear: Sum,
  output: Sum,
  requests: z.int().min(0),
  /** Requests whose input or output is understated or not stated. */
  lacking: z.int().min(0),
  /** Requests with a `cacheWriteUnclear`. */
  unclear: z.int().min(0)
})
export type TokenGroup = z.infer<typeof TokenGroup>

type Summed = { -readonly [K in keyof TokenGroup]: TokenGroup[K] }

/** The tokens of one request. `isLacking`: its output is understated or not stated, in the sum that is made. */
export function groupOf({ of, model, tokens, tier, costUsd, settled }: ModelRequest, isLacking: boolean): TokenGroup {
  const sent = sentOf(tokens)
  const { input = 0, cacheRead = 0, cacheWrite = 0, cacheWriteHour, output = 0 } = tokens
  const counts = { input, cacheRead, cacheWrite, output, requests: 1 }
  if (costUsd !== null) {
    const none = { cacheWriteHour: 0, cacheWriteUnclear: 0, lacking: 0, unclear: 0 }
    return {
      model,
      over: 0,
      isSum: false,
      tier: null,
      stated: Math.round(costUsd * picodollarsOfDollar),
      ...counts,
      ...none
    }
  }
  const cacheWriteUnclear = cacheWriteHour === undefined ? cacheWrite : 0
  return {
    model,
    // What a turn end states beyond its requests may belong to a request of any size.
    over: sent === undefined && of === 'rest' ? (longRequests.at(-1) ?? 0) : sizeOf(sent ?? 0),
    isSum: of !== 'request',
    tier,
    stated: null,
    ...counts,
    cacheWriteHour: cacheWriteHour === undefined ? 0 : Math.min(cacheWriteHour, cacheWrite),
    cacheWriteUnclear,
    lacking: of !== 'rest' && ((sent === undefined && !settled) || isLacking) ? 1 : 0,
    unclear: cacheWriteUnclear > 0 ? 1 : 0
  }
}

/** Groups requests by price. A copy of a request is not in a `RequestList`, so nothing is counted twice. */
export class TokenGroups {
  readonly #byModel = new Map<string | null, Summed[]>()

  add(one: TokenGroup): void {
    let groups = this.#byModel.get(one.model)
    if (groups === undefined) this.#byModel.set(one.model, (groups = []))
    const group = groups.find((each) => isSamePrice(each, one))
    if (group === undefined) groups.push({ ...one })
    else addGroup(group, one)
  }

  /** In order of appearance. */
  get all(): readonly TokenGroup[] {
    return [...this.#byModel.values()].flat().map((group) => ({ ...group }))
  }
}

function isSamePrice(a: TokenGroup, b: TokenGroup): boolean {
  return a.over === b.over && a.isSum === b.isSum && a.tier === b.tier && (a.stated === null) === (b.stated === null)
}

function addGroup(sum: Summed, group: TokenGroup): void {
  for (const name of sums) sum[name] += group[name]
  if (group.stated !== null) sum.stated = (sum.stated ?? 0) + group.stated
}

const sums = [
  'input',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'cacheWriteUnclear',
  'output',
  'requests',
  'lacking',
  'unclear'
] as const satisfies (keyof TokenGroup)[]

/** The groups of at most `most` models, and those of all further ones, whose model is not named. */
export function fewGroups(groups: readonly TokenGroup[], most: number): readonly TokenGroup[] {
  const models = new Set<string | null>()
  const kept = new TokenGroups()
  for (const group of groups) {
    if (models.size < most) models.add(group.model)
    if (models.has(group.model)) kept.add(group)
    // Without a model they have no price, so what else tells prices apart does not matter.
    else kept.add({ ...group, model: null, over: 0, isSum: true, tier: null })
  }
  return kept.all
}

function sizeOf(sent: number): number {
  return longRequests.findLast((size) => sent > size) ?? 0
}
