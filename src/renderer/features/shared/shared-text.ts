import type { SharedLog } from '#contract/methods.ts'
import { formatClock, formatCount, formatDay, formatPlural } from '../../ui/format.ts'

/** Further kinds are counted. */
const maxKinds = 4

/** "3 secrets were redacted: 2 × GitHub token, 1 × private key." */
export function redactedText({ redacted }: SharedLog): string {
  if (redacted === null) return 'Nothing was redacted. This copy may contain passwords and keys.'
  if (redacted.length === 0) return 'No secrets were found.'
  const total = redacted.reduce((sum, { count }) => sum + count, 0)
  const kinds = redacted.slice(0, maxKinds).map(({ kind, count }) => {
    return redacted.length === 1 ? kind : `${formatCount(count)} × ${kind}`
  })
  const others = redacted.length - maxKinds
  if (others > 0) kinds.push(formatPlural(others, 'other kind'))
  return `${formatPlural(total, 'secret was', 'secrets were')} redacted: ${kinds.join(', ')}.`
}

/** "Shared copy, exported 2026-11-14 09:40." */
export function sharedText({ exportedAt, part }: SharedLog): string {
  const of = part === undefined ? '' : ` of ${formatCount(part.events)} of ${formatPlural(part.of, 'event')}`
  return `Shared copy${of}, exported ${formatDay(exportedAt)} ${formatClock(exportedAt).slice(0, 5)}.`
}
