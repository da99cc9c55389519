import type { RunIndex } from '../index/run-index.ts'
import { fillRanges, isInRanges, isOfAtLeast, type NumberRanges, quantityRanges } from './number-match.ts'
import type { QueryTest } from './query.ts'
import type { MatchesText } from './value-match.ts'
import { firstFrom, no, type RowTerm, yes } from './row-term.ts'

/** Requests that are evaluated together: long arrays cost more than the loops over them. */
const requestsAtOnce = 1 << 10

/** The rows of requests by a count of tokens. An understated output counts as at least the stated number. */
export function ofTokens(index: RunIndex, key: 'in' | 'ctx' | 'out' | 'tokens', test: QueryTest): RowTerm {
  const { requests } = index
  const ranges = quantityRanges(test, 'count')
  const needsOutput = (key === 'out' || key === 'tokens') && !isOfAtLeast(test)
  const counts = new Float64Array(requestsAtOnce)
  const outputs = new Float64Array(requestsAtOnce)
  const understated = new Uint8Array(requestsAtOnce)
  return ofRequests(index, (from, into) => {
    const { length } = into
    const numbers = counts.subarray(0, length)
    if (key === 'in') requests.tokensOf('input', from, numbers)
    else if (key === 'out') requests.tokensOf('output', from, numbers)
    else requests.sent(from, numbers)
    if (key === 'tokens') {
      requests.tokensOf('output', from, outputs.subarray(0, length))
      for (let i = 0; i < length; i++) numbers[i] = (numbers[i] ?? NaN) + (outputs[i] ?? NaN)
    }
    fillRanges(ranges, numbers, into, no, yes)
    if (!needsOutput) return
    requests.understated(from, understated.subarray(0, length))
    for (let i = 0; i < length; i++) if (understated[i] === 1) into[i] = no
  })
}

export function ofModels(index: RunIndex, matches: MatchesText): RowTerm {
  const { requests } = index
  const isMeant = Uint8Array.from(['', ...requests.modelNames], (name, i) => (i > 0 && matches(name) ? yes : no))
  return ofRequests(index, (from, into) => {
    requests.modelsOf(from, into)
    for (let i = 0; i < into.length; i++) into[i] = isMeant[into[i] ?? 0] ?? no
  })
}

/** The rows of requests by the US dollars that the log states for them. */
export function ofRequestCosts(index: RunIndex, dollars: NumberRanges): RowTerm {
  const costs = new Float64Array(requestsAtOnce)
  return ofRequests(index, (from, into) => {
    fillRanges(dollars, index.requests.costsOf(from, costs.subarray(0, into.length)), into, no, yes)
  })
}

/** The turn ends by what they add to the cost, in US dollars. */
export function ofTurnCosts({ turnCosts }: RunIndex, dollars: NumberRanges): RowTerm {
  return {
    fill({ from }, into) {
      into.fill(no)
      const { rows, values } = turnCosts.between(from, from + into.length)
      for (const [i, row] of rows.entries()) if (isInRanges(dollars, values[i] ?? NaN)) into[row - from] = yes
    }
  }
}

/** The rows of all requests. */
export function ofAnyRequest(index: RunIndex): RowTerm {
  return ofRequests(index, (_, into) => into.fill(yes))
}

/**
 * The rows of the requests that match: of their lines, and of their track. `fillRequests` writes `yes` or `no` for each request from number
 * `from` on.
 */
function ofRequests(
  { rows, requests }: RunIndex,
  fillRequests: (from: number, into: Uint8Array<ArrayBuffer>) => void
): RowTerm {
  const holds = new Uint8Array(requests.length)
  const numbers = new Map(rows.tracks.map(({ trackId }, number) => [trackId, number]))
  const rowTracks = requests.trackIds.map((id) => numbers.get(id) ?? -1)
  const firsts = new Uint32Array(requestsAtOnce)
  const lasts = new Uint32Array(requestsAtOnce)
  const tracks = new Uint16Array(requestsAtOnce)
  // Their rows overlap. The last row of all requests so far ascends, so it tells where those that reach a block begin.
  const reach: number[] = []
  let furthest = -1
  for (let from = 0; from < holds.length; from += requestsAtOnce) {
    const part = holds.subarray(from, from + requestsAtOnce)
    fillRequests(from, part)
    requests.lastRowsOf(from, lasts.subarray(0, part.length))
    for (let i = 0; i < part.length; i++) if (part[i] === yes) furthest = Math.max(furthest, lasts[i] ?? 0)
    reach.push(furthest)
  }
  return {
    fill({ from, tracks: tracksOfRows }, into) {
      into.fill(no)
      const end = from + into.length
      for (let base = firstFrom(reach, from) * requestsAtOnce; base < holds.length; base += requestsAtOnce) {
        const count = Math.min(requestsAtOnce, holds.length - base)
        requests.firstRowsOf(base, firsts.subarray(0, count))
        requests.lastRowsOf(base, lasts.subarray(0, count))
        requests.tracksOf(base, tracks.subarray(0, count))
        for (let i = 0; i < count; i++) {
          const first = firsts[i] ?? end
          if (first >= end) return
          if (holds[base + i] !== yes) continue
          const wanted = rowTracks[tracks[i] ?? 0] ?? -1
          const to = Math.min(end - 1, lasts[i] ?? 0) - from
          for (let at = Math.max(0, first - from); at <= to; at++) if (tracksOfRows[at] === wanted) into[at] = yes
        }
      }
    }
  }
}
