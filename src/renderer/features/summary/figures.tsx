import { countText } from '#core/measure-text.ts'
import type { ToolCalls } from '#core/index/call-counts.ts'
import type { CostAnswer } from '#core/requests/cost.ts'
import { costWords } from '#core/requests/cost-words.ts'
import { sentOf } from '#core/requests/tokens.ts'
import type { TokenTotals } from '#core/requests/usage.ts'
import { formatCount, formatShortDuration } from '../../ui/format.ts'
import { costSource, Sourced } from '../../ui/provenance.tsx'

/** A count that links to the counted rows; 0 has no link. `of`: what is counted, "calls of Bash". */
export function CountLink({ count, of, bad = false, onShow }: CountLinkProps) {
  if (count === 0) return <span className="t3">0</span>
  return (
    <button
      type="button"
      className={bad ? 'link num s-malformed' : 'link num'}
      title={`Show ${of}`}
      aria-label={`${formatCount(count)}: show ${of}`}
      onClick={onShow}
    >
      {formatCount(count)}
    </button>
  )
}

interface CountLinkProps {
  readonly count: number
  readonly of: string
  readonly bad?: boolean
  readonly onShow: () => void
}

/** The total duration of calls: "1m 26s", "≥ 12.3 s" if the log does not state all of them. */
export function CallsDuration({ calls }: { calls: Pick<ToolCalls, 'total' | 'durationMs' | 'unknownDurations'> }) {
  const { total, durationMs, unknownDurations } = calls
  if (durationMs === null) return <Unknown why="The log states no duration for these calls." />
  if (unknownDurations === 0) {
    return (
      <Sourced source="derived" why="Lengths that the log states, or the times between its records." signed>
        {formatShortDuration(durationMs)}
      </Sourced>
    )
  }
  const why = `Of ${formatCount(total - unknownDurations)} of ${formatCount(total)} calls. The log states no duration for the others.`
  return (
    <Sourced source="understated" why={why}>
      {formatShortDuration(durationMs)}
    </Sourced>
  )
}

/** Input tokens, cache included; null if the log does not state them. */
export function sentTokens(totals: TokenTotals | null): number | null {
  const { input, cacheRead, cacheWrite } = totals ?? {}
  const stated = { input: input ?? undefined, cacheRead: cacheRead ?? undefined, cacheWrite: cacheWrite ?? undefined }
  return sentOf(stated) ?? null
}

export function SentTokens({ totals }: { totals: TokenTotals | null }) {
  const sent = sentTokens(totals)
  return sent === null ? <Unknown why="The log does not state these tokens." /> : <>{countText(sent)}</>
}

/** Output tokens: "≥ 345" if the log understates them. */
export function ReceivedTokens({ totals }: { totals: TokenTotals | null }) {
  if (totals === null || totals.output === null) return <Unknown why="The log does not state these tokens." />
  if (totals.understatedRequests === 0) return <>{countText(totals.output)}</>
  return (
    <Sourced source="understated" why="The log states too little output for some requests.">
      {countText(totals.output)}
    </Sourced>
  )
}

/** "$0.34" if the log states it, "≈ $0.34" from its tokens, "≥ $0.34" for a part of it; each with its origin. */
export function CostText({ answer }: { answer: CostAnswer }) {
  const { text, because } = costWords(answer)
  if (text === null || answer.cost === null) return <Unknown why={because} />
  return (
    <span className="num">
      <Sourced source={costSource(answer.cost)} why={because} signed>
        {text}
      </Sourced>
    </span>
  )
}

/** Shown for a number that the log does not state, with the reason. */
export function Unknown({ why }: { why: string }) {
  return (
    <span className="t3" title={why}>
      –<span className="unseen"> unknown. {why}</span>
    </span>
  )
}
