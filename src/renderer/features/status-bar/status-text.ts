import type { LogStatus } from '#contract/methods.ts'
import { readPart, runSize } from '../../stores/run-size.ts'
import { formatBytes, formatCount, formatLarge, formatPercent, formatPlural } from '../../ui/format.ts'

/** How fast a log is being read: bytes per second, null until there is enough to say. */
export type ReadingRate = number | null

/** "reading 61 % · 3.2 M rows · 210 MB/s · 2 s left", "Indexed · not live", or that reading stopped. */
export function progressText(log: LogStatus, rate: ReadingRate): string {
  if (log.phase === 'failed') return 'Reading stopped'
  if (log.phase === 'done') return 'Indexed · not live'
  const size = runSize(log)
  const parts = [`reading ${formatPercent(readPart(size))}`, `${formatLarge(log.rows)} rows`]
  if (rate !== null && rate > 0) {
    parts.push(`${formatBytes(rate)}/s`, `${Math.max(1, Math.ceil((size.bytes - size.bytesRead) / rate))} s left`)
  }
  return parts.join(' · ')
}

/** What the log holds: "3 files" where there are others than itself, "2,560 lines", "2,893 rows", "2,318 events", "9.4 MB". Counts that still grow end in "…". */
export function contentTexts(log: LogStatus): string[] {
  const more = log.phase === 'reading' ? '…' : ''
  const { files, lines, bytes } = runSize(log)
  return [
    ...(files > 1 ? [formatPlural(files, 'file')] : []),
    formatPlural(lines, 'line') + more,
    formatPlural(log.rows, 'row') + more,
    formatPlural(log.events, 'event') + more,
    formatBytes(bytes)
  ]
}

/** "2 malformed", "3 violations", "7 notices": only those there are, the worst first. */
export function issueTexts(log: LogStatus): { severity: keyof LogStatus['issues']; text: string }[] {
  const { malformed, violation, notice } = log.issues
  return [
    { severity: 'malformed' as const, count: malformed, text: `${formatCount(malformed)} malformed` },
    { severity: 'violation' as const, count: violation, text: formatPlural(violation, 'violation') },
    { severity: 'notice' as const, count: notice, text: formatPlural(notice, 'notice') }
  ].filter(({ count }) => count > 0)
}

/** The whole bar in one sentence, for those who hear it. */
export function statusSentence(log: LogStatus, rate: ReadingRate): string {
  return [...contentTexts(log), ...issueTexts(log).map(({ text }) => text), progressText(log, rate)].join(' · ')
}
