import type { GroupTotals } from '#core/library/session-totals.ts'
import { totalWords } from '#core/library/totals-words.ts'
import { formatPlural } from '../../ui/format.ts'

export const measures = {
  activeMs: 'Time',
  inputTokens: 'Tokens in',
  outputTokens: 'Tokens out',
  cost: 'Cost'
} as const
export type Measure = keyof typeof measures

/** More bars are too narrow. */
const maxDays = 90
const height = 64

/** A bar for each day. The table by day has the same numbers. `days`: the latest first. */
export function DaysChart({ days, measure }: { days: readonly GroupTotals[]; measure: Measure }) {
  const bars = calendar(days)
  const valueOf = (day: GroupTotals | null): number | null =>
    day === null ? null : measure === 'cost' ? day.cost.usd : day[measure].value
  const most = Math.max(0, ...bars.map(({ totals }) => valueOf(totals) ?? 0))
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return null
  const name = `${measures[measure]} by day, ${first.day} to ${last.day}`
  return (
    <figure className="days-chart">
      <svg
        role="img"
        aria-label={`${name}. Group by day for the numbers.`}
        viewBox={`0 0 ${bars.length} ${height}`}
        preserveAspectRatio="none"
      >
        {bars.map(({ day, totals }, at) => {
          if (totals === null) return null
          const value = valueOf(totals)
          const { text, because, of } = totalWords(totals, measure)
          const size = value === null || most === 0 ? 0 : Math.max(1, ((height - 2) * value) / most)
          return (
            <g key={day} className={value === null ? 'day-unknown' : 'day-known'}>
              <title>
                {[`${day}: ${text ?? 'unknown'}.`, of === '' ? '' : `Of ${of}.`, because]
                  .filter((part) => part !== '')
                  .join(' ')}
              </title>
              <rect x={at} width={1} y={0} height={height} className="day-ground" />
              <rect
                x={at + 0.15}
                width={0.7}
                y={value === null ? height - 3 : height - size}
                height={value === null ? 3 : size}
              />
            </g>
          )
        })}
      </svg>
      <figcaption className="t3 caption hstack">
        <span className="num">{first.day}</span>
        <span className="grow" />
        <span>
          {days.length > bars.filter(({ totals }) => totals !== null).length
            ? `The latest ${formatPlural(maxDays, 'day')}`
            : ''}
        </span>
        <span className="grow" />
        <span className="num">{last.day}</span>
      </figcaption>
    </figure>
  )
}

interface Bar {
  readonly day: string
  /** Null: no session. */
  readonly totals: GroupTotals | null
}

/** All days from the first to the last with sessions, at most the latest 90. */
function calendar(days: readonly GroupTotals[]): readonly Bar[] {
  const [latest] = days
  const earliest = days.at(-1)
  if (latest === undefined || earliest === undefined) return []
  const byDay = new Map(days.map((totals) => [totals.key, totals]))
  const bars: Bar[] = []
  const [year = 0, month = 1, date = 1] = latest.key.split('-').map(Number)
  for (let back = 0; back < maxDays; back++) {
    // Noon, as a day may have 23 or 25 hours.
    const at = new Date(year, month - 1, date - back, 12)
    const two = (part: number): string => String(part).padStart(2, '0')
    const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
    if (day < earliest.key) break
    bars.unshift({ day, totals: byDay.get(day) ?? null })
  }
  return bars
}
