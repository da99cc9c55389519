import type { CostAnswer } from '../requests/cost.ts'
import { CostSum } from '../requests/cost-sum.ts'
import { itemsOfStep, sortList, sortNumbers, type Steps } from '../steps.ts'

/** A call to be counted. */
export interface CountedCall {
  readonly row: number
  readonly failed: boolean
  /** Undefined: unknown. */
  readonly durationMs: number | undefined
  /** The log states the length. */
  readonly isStated: boolean
  /** Calls below it took this part of it. */
  readonly belowMs: number
  /** Of the line with its result. */
  readonly bytes: number
  /** Its part of its request's output; null: not stated. */
  readonly tokens: { readonly tokens: number; readonly atLeast: boolean } | null
  /** What its request cost, and the number of the request's calls; null: the log tells of no request. */
  readonly paid: { readonly answer: CostAnswer; readonly calls: number } | null
}

/** The numbers of a group. Null: not known for any call. */
export interface CallNumbers {
  readonly calls: number
  readonly failed: number
  readonly unknownLengths: number
  readonly statedLengths: number
  readonly totalMs: number | null
  readonly selfMs: number | null
  readonly longestMs: number | null
  readonly longestRow: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly bytesOut: number
  readonly tokensOut: number | null
  readonly tokensAtLeast: boolean
  readonly cost: CostAnswer
}

export interface CallGroupNumbers extends CallNumbers {
  readonly name: string | null
}

export type GroupOrder = 'name' | Exclude<keyof CallNumbers, 'tokensAtLeast'>

/** Groups whose numbers are made between two yields. */
const groupsOfStep = 500
/** Limit of groups; calls of further ones are in one. */
const maxGroups = 100_000
export const furtherGroups = 'further groups'

/** The length of a call without that of the calls below it. Times are whole ms, so these may be a fraction longer. */
export function selfTime(durationMs: number | undefined, belowMs: number): number | null {
  return durationMs === undefined ? null : Math.max(0, durationMs - belowMs)
}

class Sum {
  #calls = 0
  #failed = 0
  #stated = 0
  #total = 0
  #self = 0
  #longestRow: number | null = null
  #bytes = 0
  #tokens: number | null = null
  #withoutTokens = 0
  #atLeast = false
  readonly #cost = new CostSum()
  readonly #lengths: number[] = []
  #longest = -1

  add({ row, failed, durationMs, isStated, belowMs, bytes, tokens, paid }: CountedCall): void {
    this.#calls++
    if (failed) this.#failed++
    this.#bytes += bytes
    if (tokens === null) this.#withoutTokens++
    else {
      this.#tokens = (this.#tokens ?? 0) + tokens.tokens
      this.#atLeast ||= tokens.atLeast
    }
    if (paid === null) this.#cost.addUnknown()
    else this.#cost.add(paid.answer, paid.calls)
    if (durationMs === undefined) return
    if (isStated) this.#stated++
    this.#lengths.push(durationMs)
    this.#total += durationMs
    this.#self += selfTime(durationMs, belowMs) ?? 0
    if (durationMs <= this.#longest) return
    this.#longest = durationMs
    this.#longestRow = row
  }

  *numbers(): Steps<CallNumbers> {
    const lengths = Float64Array.from(this.#lengths)
    if (lengths.length < 2 * itemsOfStep) lengths.sort()
    else yield* sortNumbers(lengths)
    const known = (ms: number): number | null => (lengths.length === 0 ? null : ms)
    return {
      calls: this.#calls,
      failed: this.#failed,
      unknownLengths: this.#calls - lengths.length,
      statedLengths: this.#stated,
      totalMs: known(this.#total),
      selfMs: known(this.#self),
      longestMs: known(this.#longest),
      longestRow: this.#longestRow,
      p50Ms: nearestRank(lengths, 0.5),
      p95Ms: nearestRank(lengths, 0.95),
      bytesOut: this.#bytes,
      tokensOut: this.#tokens,
      tokensAtLeast: this.#tokens !== null && (this.#atLeast || this.#withoutTokens > 0),
      cost: this.#cost.answer
    }
  }
}

/** The smallest value that is at least as large as this share of all. `sorted`: ascending. */
export function nearestRank(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

/** Adds up calls by group. A call with several names counts in each group, and once in `all`. */
export class CallTable {
  readonly #groups = new Map<string | null, Sum>()
  readonly #all = new Sum()

  add(call: CountedCall, names: readonly (string | null)[]): void {
    this.#all.add(call)
    for (const name of names) this.#sumOf(name).add(call)
  }

  *all(): Steps<CallNumbers> {
    return yield* this.#all.numbers()
  }

  /** How many groups there are. */
  get size(): number {
    return this.#groups.size
  }

  /** The groups by a number; null is last in both orders. Ties by name. */
  *sorted(by: GroupOrder, descending: boolean): Steps<CallGroupNumbers[]> {
    const groups: CallGroupNumbers[] = []
    for (const [name, sum] of this.#groups) {
      groups.push({ name, ...(yield* sum.numbers()) })
      if (groups.length % groupsOfStep === 0) yield
    }
    yield* sortList(groups, orderOf(by, descending))
    return groups
  }

  #sumOf(name: string | null): Sum {
    const key = this.#groups.has(name) || this.#groups.size < maxGroups - 1 ? name : furtherGroups
    const sum = this.#groups.get(key) ?? new Sum()
    this.#groups.set(key, sum)
    return sum
  }
}

function orderOf(by: GroupOrder, descending: boolean): (a: CallGroupNumbers, b: CallGroupNumbers) => number {
  const byName = (a: CallGroupNumbers, b: CallGroupNumbers): number => {
    if (a.name === null || b.name === null) return Number(a.name === null) - Number(b.name === null)
    return compareNames(a.name, b.name)
  }
  const sign = descending ? -1 : 1
  return (a, b) => {
    if (by === 'name') return a.name === null || b.name === null ? byName(a, b) : sign * byName(a, b)
    const [x, y] = by === 'cost' ? [a.cost.cost?.usd ?? null, b.cost.cost?.usd ?? null] : [a[by], b[by]]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b)
    return sign * (x - y) || byName(a, b)
  }
}

/** Numbers, as of turns, by value and first. */
function compareNames(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    if (Number.isFinite(x) !== Number.isFinite(y)) return Number.isFinite(x) ? -1 : 1
  } else if (x !== y) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}
