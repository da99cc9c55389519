import type { ModelRequest } from './request-list.ts'
import { groupOf, type TokenGroup, TokenGroups } from './token-groups.ts'
import { type TokenCategory, tokenCategories } from './tokens.ts'

/** Tokens of several requests. Null: not stated. */
export interface TokenTotals {
  /** Number of requests; null if the log states only tokens of turns. */
  readonly requests: number | null
  readonly input: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  /** A lower bound if there are `understatedRequests`. */
  readonly output: number | null
  /** Part of the output. */
  readonly reasoning: number | null
  /** Requests, or turns without requests, whose output is understated or missing. */
  readonly understatedRequests: number
  /** Estimated output, with a quarter of the characters of understated requests. Null if none is understated. */
  readonly outputByText: number | null
  /** The same tokens by price; of the whole run, without requests that are in the stated cost of the run. */
  readonly spent: readonly TokenGroup[]
}

/** The tokens of a run by track and model: the only source of token totals in Playhead. */
export interface Usage extends TokenTotals {
  /** In order of appearance; null is the main agent. */
  readonly byTrack: readonly (TokenTotals & { readonly trackId: string | null })[]
  /** In order of appearance; null: model not named. */
  readonly byModel: readonly (TokenTotals & { readonly model: string | null })[]
}

/** Characters of a token, approximately. */
const charactersOfToken = 4

/** Null if the log states no tokens. */
export function usageOf(requests: Iterable<ModelRequest>): Usage | null {
  const all = new Sum()
  const tracks = new Map<string | null, Sum>()
  const models = new Map<string | null, Sum>()
  for (const request of requests) {
    const group = groupOf(request, request.outputIs !== 'stated' && !request.settled)
    all.add(request, request.inRunCost ? null : group)
    sumOf(tracks, request.trackId).add(request, group)
    sumOf(models, request.model).add(request, group)
  }
  if (all.isEmpty) return null
  return {
    ...all.totals,
    byTrack: [...tracks].map(([trackId, sum]) => ({ trackId, ...sum.totals })),
    byModel: [...models].map(([model, sum]) => ({ model, ...sum.totals }))
  }
}

function sumOf<K>(sums: Map<K, Sum>, key: K): Sum {
  let sum = sums.get(key)
  if (sum === undefined) sums.set(key, (sum = new Sum()))
  return sum
}

class Sum {
  readonly #tokens: { [C in TokenCategory]?: number } = {}
  #requests = 0
  #turns = 0
  #lacking = 0
  #byText = 0
  #hasText = true
  readonly #spent = new TokenGroups()

  /** `group`: of the request; null: another sum has its cost. */
  add({ of, tokens, outputIs, settled, written }: ModelRequest, group: TokenGroup | null): void {
    if (group !== null) this.#spent.add(group)
    for (const category of tokenCategories) {
      const value = tokens[category]
      if (value !== undefined) this.#tokens[category] = (this.#tokens[category] ?? 0) + value
    }
    const isLess = outputIs === 'understated' && !settled
    this.#byText += isLess ? Math.round(written / charactersOfToken) : (tokens.output ?? 0)
    this.#hasText &&= of === 'rest' || outputIs !== 'unknown' || settled
    if (of === 'request') this.#requests++
    if (of === 'turn') this.#turns++
    if (of !== 'rest' && outputIs !== 'stated' && !settled) this.#lacking++
  }

  get isEmpty(): boolean {
    return this.#requests + this.#turns === 0
  }

  get totals(): TokenTotals {
    const { input = null, cacheRead = null, cacheWrite = null, output = null, reasoning = null } = this.#tokens
    return {
      requests: this.#turns > 0 ? null : this.#requests,
      input,
      cacheRead,
      cacheWrite,
      output,
      reasoning,
      understatedRequests: this.#lacking,
      outputByText: this.#lacking > 0 && this.#hasText ? this.#byText : null,
      spent: this.#spent.all
    }
  }
}
