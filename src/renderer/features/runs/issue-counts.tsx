import { formatLarge, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'

/** How many malformed lines and violations, each with its mark; nothing where there are none. `growing`: still counted. */
export function IssueCounts({
  malformed,
  violation,
  growing = false
}: {
  malformed: number
  violation: number
  growing?: boolean
}) {
  return (
    <>
      <Count severity="malformed" count={malformed} growing={growing} said={`${formatLarge(malformed)} malformed`} />
      <Count severity="violation" count={violation} growing={growing} said={formatPlural(violation, 'violation')} />
    </>
  )
}

function Count({
  severity,
  count,
  growing,
  said
}: {
  severity: 'malformed' | 'violation'
  count: number
  growing: boolean
  said: string
}) {
  if (count === 0) return null
  return (
    <span className={`issue-count s-${severity}`} title={said}>
      <Icon name={severity} size={12} label={said} />
      <span className="num" aria-hidden="true">
        {formatLarge(count)}
        {growing && '…'}
      </span>
    </span>
  )
}
