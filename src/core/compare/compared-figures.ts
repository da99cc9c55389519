import { costText, countText, durationText, groupedText } from '../measure-text.ts'

/** What is shown of a session beside another one. Unknown is null. */
export interface ComparedTotals {
  readonly model: string | null
  readonly wallMs: number | null
  readonly activeMs: number | null
  readonly turns: number
  readonly calls: number
  readonly failedCalls: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** The log understates the output. */
  readonly outputAtLeast: boolean
  readonly costUsd: number | null
  readonly todosDone: number | null
  readonly todosTotal: number | null
  readonly filesChanged: number
}

/** A figure of a session. */
export interface ComparedFigure {
  readonly name: string
  readonly text: (totals: ComparedTotals) => string
  /** B against A: "+6", "−1m 52s", "=", "unknown"; empty without anything to count in one of them. */
  readonly change: (a: ComparedTotals, b: ComparedTotals) => string
}

function figure(
  name: string,
  value: (totals: ComparedTotals) => number | null,
  text: (value: number, totals: ComparedTotals) => string,
  { none = 'unknown', size = text }: { none?: string; size?: (value: number, totals: ComparedTotals) => string } = {}
): ComparedFigure {
  return {
    name,
    text(totals) {
      const known = value(totals)
      return known === null ? none : text(known, totals)
    },
    change(a, b) {
      const [one, other] = [value(a), value(b)]
      if (one === null || other === null) return none === 'unknown' ? none : ''
      if (name === 'tokens out' && (a.outputAtLeast || b.outputAtLeast)) return 'unknown'
      const change = other - one
      return change === 0 ? '=' : `${change > 0 ? '+' : '−'}${size(Math.abs(change), b)}`
    }
  }
}

/** In the order in which they are shown. */
export const comparedFigures: readonly ComparedFigure[] = [
  figure('time', ({ wallMs }) => wallMs, durationText),
  figure('active time', ({ activeMs }) => activeMs, durationText),
  figure('turns', ({ turns }) => turns, groupedText),
  figure('calls', ({ calls }) => calls, groupedText),
  figure('failed calls', ({ failedCalls }) => failedCalls, groupedText),
  figure('tokens in', ({ inputTokens }) => inputTokens, countText),
  figure(
    'tokens out',
    ({ outputTokens }) => outputTokens,
    (value, { outputAtLeast }) => `${outputAtLeast ? 'at least ' : ''}${countText(value)}`,
    { size: countText }
  ),
  figure('cost', ({ costUsd }) => costUsd, costText),
  figure(
    'todos done',
    ({ todosDone }) => todosDone,
    (value, { todosTotal }) => `${value} of ${todosTotal ?? value}`,
    { none: 'no list', size: groupedText }
  ),
  figure('files changed', ({ filesChanged }) => filesChanged, groupedText)
]
