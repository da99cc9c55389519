import { formatLarge, formatPlural } from '../../ui/format.ts'
import { Icon, type IconName } from '../../ui/icons.tsx'

interface LogCountsProps {
  /** Unknown for a log that is not open. */
  readonly failedCalls?: number
  readonly malformed: number
  readonly violation: number
  /** Whether the counts may still grow. */
  readonly growing?: boolean
}

/** The numbers of failed calls, malformed lines and violations, each with an icon; nothing for 0. */
export function LogCounts({ failedCalls = 0, malformed, violation, growing = false }: LogCountsProps) {
  const counts: readonly CountProps[] = [
    { icon: 'error', tone: 'k-error', count: failedCalls, label: formatPlural(failedCalls, 'failed call') },
    { icon: 'malformed', tone: 's-malformed', count: malformed, label: `${formatLarge(malformed)} malformed` },
    { icon: 'violation', tone: 's-violation', count: violation, label: formatPlural(violation, 'violation') }
  ]
  return counts.map((each) => each.count > 0 && <Count key={each.icon} {...each} growing={growing} />)
}

interface CountProps {
  readonly icon: IconName
  readonly tone: string
  readonly count: number
  readonly label: string
}

function Count({ icon, tone, count, label, growing }: CountProps & { growing: boolean }) {
  return (
    <span className={`log-count ${tone}`} title={label}>
      <Icon name={icon} size={12} label={label} />
      <span className="num" aria-hidden="true">
        {formatLarge(count)}
        {growing && '…'}
      </span>
    </span>
  )
}
