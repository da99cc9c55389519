import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest } from '#core/requests/request-list.ts'
import { repository } from '../command-line.ts'

/**
 * What requests cost, worked out once more: each request alone, in plain numbers, as the least and the most it can have cost. It shares
 * nothing with the product but the price file.
 */
export interface CostRange {
  readonly least: number
  /** Infinity: not known. */
  readonly most: number
  /** A cost is stated, or a request with tokens has a price. */
  readonly isKnown: boolean
}

interface Rates {
  readonly input: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly cacheWriteHour?: number | null
  readonly output: number
}
interface Priced extends Rates {
  readonly names: readonly string[]
  readonly long?: Rates & { readonly over: number }
  readonly fast?: Rates
}

const file = JSON.parse(readFileSync(join(repository, 'resources/prices.json'), 'utf8')) as {
  readonly sources: readonly { readonly models: readonly Priced[]; readonly unpriced?: readonly string[] }[]
}
const unpriced = file.sources.flatMap((source) => source.unpriced ?? [])
const byName = new Map(
  file.sources.flatMap(({ models }) => models.flatMap((model) => model.names.map((name) => [name, model] as const)))
)

const regions = ['us.', 'eu.', 'jp.', 'apac.', 'au.', 'global.', 'ca.', 'us-gov.']

/** By the rules of docs/costs.md. */
export function priceOf(model: string): Priced | null {
  if (model.includes('application-inference-profile/')) return null
  const undated = (name: string): string => name.replace(/(@default|[@-]20\d\d-?\d\d-?\d\d)(?=\[|$)/, '')
  const whole = model.toLowerCase()
  const last = whole.split(':').includes('bedrock') ? (whole.split('/').at(-1) ?? '') : whole
  const bare = last.replace(/^(bedrock|openrouter|vertex_ai|azure|copilot)\//, '')
  const plain = undated(bare.replace(/(-v\d)?(:\d)?(?=\[|$)/, ''))
  const region = regions.find((name) => plain.startsWith(name)) ?? ''
  const model_ = plain.slice(region.length)
  const isBedrock = /^(anthropic|openai)\./.test(model_)
  const names = isBedrock
    ? [whole, plain, model_.slice(model_.indexOf('.') + 1)]
    : [
        whole,
        undated(whole),
        bare,
        undated(bare.replace(/:beta$/, '')),
        undated(bare.replace(/:beta$/, '')).replace(/^[^/]*\//, '')
      ]
  const hyphens = names.map((name) => (name.startsWith('claude-') ? name.replace(/(\d)\.(\d)/g, '$1-$2') : name))
  for (const name of [...names, ...hyphens]) {
    if (unpriced.includes(name)) return null
    const found = byName.get(name)
    if (found !== undefined) return found
  }
  return null
}

export function ownCost(requests: Iterable<ModelRequest>, runCostUsd: number | null): CostRange {
  let [least, most, isKnown] = [runCostUsd ?? 0, runCostUsd ?? 0, runCostUsd !== null]
  for (const request of requests) {
    if (request.inRunCost) continue
    if (request.costUsd !== null) {
      least += request.costUsd
      most += request.costUsd
      isKnown = true
      continue
    }
    const [low, high] = rangeOf(request)
    least += low
    most += high
    const { input = 0, cacheRead = 0, cacheWrite = 0, output = 0 } = request.tokens
    isKnown ||= input + cacheRead + cacheWrite + output > 0 && request.model !== null && priceOf(request.model) !== null
  }
  return { least, most, isKnown }
}

function rangeOf({ of, model, tokens, tier, outputIs, settled }: ModelRequest): readonly [number, number] {
  const { input, cacheRead, cacheWrite, cacheWriteHour, output } = tokens
  const sent = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
  const isSentKnown = input !== undefined || cacheRead !== undefined || cacheWrite !== undefined
  const isLacking = of !== 'rest' && !settled && (!isSentKnown || outputIs !== 'stated')
  if (sent + (output ?? 0) === 0) return [0, isLacking ? Infinity : 0]
  const price = model === null ? null : priceOf(model)
  if (price === null) return [0, Infinity]

  const hours = Math.min(cacheWriteHour ?? 0, cacheWrite ?? 0)
  const untold = cacheWriteHour === undefined ? (cacheWrite ?? 0) : 0
  const minutes = (cacheWrite ?? 0) - hours - untold
  const paid = (rates: Rates): readonly [number, number] => {
    const hour = rates.cacheWriteHour === undefined ? rates.cacheWrite : (rates.cacheWriteHour ?? undefined)
    const parts: readonly (readonly [tokens: number, low: number | undefined, high: number | undefined])[] = [
      [input ?? 0, rates.input, rates.input],
      [cacheRead ?? 0, rates.cacheRead, rates.cacheRead],
      [minutes, rates.cacheWrite, rates.cacheWrite],
      [hours, hour ?? rates.cacheWrite, hour],
      [untold, Math.min(rates.cacheWrite ?? Infinity, hour ?? Infinity), hour],
      [output ?? 0, rates.output, rates.output]
    ]
    let [low, high] = [0, 0]
    for (const [count, from, to] of parts) {
      if (count === 0) continue
      low += (count * (from === undefined || from === Infinity ? 0 : from)) / 1e6
      high += to === undefined ? Infinity : (count * to) / 1e6
    }
    return [low, high]
  }
  const isFast = tier === 'fast' && price.fast !== undefined
  const short = paid(isFast && price.fast !== undefined ? price.fast : price)
  // What is stated of several requests, and beyond them, may be of one of any size.
  const isLong = price.long !== undefined && (sent > price.long.over || (of === 'rest' && !isSentKnown))
  const long = price.long === undefined ? short : paid(price.long)
  const isOpen = isLong && (of !== 'request' || isFast)
  const [low, high] = isOpen
    ? [Math.min(short[0], long[0]), Math.max(short[1], long[1]) + Number.MIN_VALUE]
    : isLong
      ? long
      : short
  const isDearer = (tier === 'fast' && !isFast) || tier === 'priority'
  return [low, isLacking || isDearer || isOpen ? Infinity : high]
}
