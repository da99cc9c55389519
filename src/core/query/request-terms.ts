import type { RunIndex } from '../index/run-index.ts'
import type { ModelRequest } from '../requests/request-list.ts'
import { sentOf } from '../requests/tokens.ts'
import { isOfAtLeast, quantityMatch } from './number-match.ts'
import type { QueryTest } from './query.ts'
import type { MatchesText } from './value-match.ts'
import { firstFrom, no, type RowTerm, yes } from './row-term.ts'

/** All tokens of a request; unknown where a part of them is. */
export function allTokensOf({ tokens }: ModelRequest): number | undefined {
  const sent = sentOf(tokens)
  return sent === undefined || tokens.output === undefined ? undefined : sent + tokens.output
}

const counts = {
  in: ({ tokens }: ModelRequest) => tokens.input,
  ctx: ({ tokens }: ModelRequest) => sentOf(tokens),
  out: ({ tokens }: ModelRequest) => tokens.output,
  tokens: allTokensOf
}

/** The rows of requests by a count of tokens. An output that the log understates is at least what is stated. */
export function ofTokens(index: RunIndex, key: keyof typeof counts, test: QueryTest): RowTerm {
  const matches = quantityMatch(test, 'count')
  const needsOutput = (key === 'out' || key === 'tokens') && !isOfAtLeast(test)
  return ofRequests(
    index,
    (request) => !(needsOutput && request.outputIs === 'understated') && matches(counts[key](request) ?? NaN)
  )
}

export function ofModels(index: RunIndex, matches: MatchesText): RowTerm {
  return ofRequests(index, ({ model }) => model !== null && matches(model))
}

/** The rows of the requests that match: of their lines, and of their track. */
export function ofRequests({ rows, requests }: RunIndex, matches: (request: ModelRequest) => boolean): RowTerm {
  const numbers = new Map(rows.tracks.map(({ trackId }, number) => [trackId, number]))
  const spans = [...requests].flatMap((request) => {
    const { rowFirst, rowLast, trackId } = request
    return matches(request) ? [{ rowFirst, rowLast, track: numbers.get(trackId) ?? -1 }] : []
  })
  // Spans overlap. The last row of all spans so far ascends, so it tells where those that reach a block begin.
  let last = -1
  const reach = spans.map(({ rowLast }) => (last = Math.max(last, rowLast)))
  return {
    fill({ from, tracks }, into) {
      into.fill(no)
      const end = from + into.length
      for (let i = firstFrom(reach, from); i < spans.length; i++) {
        const span = spans[i]
        if (span === undefined || span.rowFirst >= end) break
        for (let row = Math.max(from, span.rowFirst); row <= span.rowLast && row < end; row++) {
          if (tracks[row - from] === span.track) into[row - from] = yes
        }
      }
    }
  }
}
