import type { SharedLog } from '#contract/methods.ts'
import { formatCount, formatFullTime, formatPlural } from '../../ui/format.ts'

/** The kinds named; the rest is counted. */
const maxKinds = 4

/** "3 secrets were redacted: 2 × GitHub token, 1 × private key." */
export function redactedText({ redacted }: SharedLog): string {
  if (redacted === null) return 'Nothing was redacted: this page may hold passwords and keys.'
  if (redacted.length === 0) return 'No secret was found that had to be redacted.'
  const total = redacted.reduce((sum, { count }) => sum + count, 0)
  const kinds = redacted.slice(0, maxKinds).map(({ kind, count }) => `${formatCount(count)} × ${kind}`)
  const others = redacted.length - maxKinds
  if (others > 0) kinds.push(formatPlural(others, 'other kind'))
  return `${formatPlural(total, 'secret was', 'secrets were')} redacted: ${kinds.join(', ')}.`
}

/** "Shared copy of 2026-11-14 09:40:12 UTC+1: it holds the whole run and needs no network." */
export function sharedText({ exportedAt }: SharedLog): string {
  return `Shared copy of ${formatFullTime(exportedAt)}: it holds the whole run and needs no network.`
}
