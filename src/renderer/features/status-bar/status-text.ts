import type { LogStatus } from '#contract/methods.ts'
import { readPart, runSize } from '../../stores/run-size.ts'
import { formatBytes, formatCount, formatLarge, formatPercent, formatPlural } from '../../ui/format.ts'

/** Bytes per second at which a log is read; null until it is known. */
export type ReadingRate = number | null

/** "reading 61 % · 3.2 M rows · 210 MB/s · 2 s left", "Indexed", or an error. Until `loaded`, keys to the end wait. */
export function progressText(log: LogStatus, rate: ReadingRate, loaded: boolean): string {
  if (log.phase === 'failed') return 'Reading stopped'
  if (log.fileState === 'gone') return 'File not found'
  if (log.fileState === 'unreadable') return 'File unreadable'
  if (log.phase === 'done') return loaded ? 'Indexed' : 'Loading rows…'
  const size = runSize(log)
  const parts = [`reading ${formatPercent(readPart(size))}`, `${formatLarge(log.rows)} rows`]
  if (rate !== null && rate > 0) {
    parts.push(`${formatBytes(rate)}/s`, `${Math.max(1, Math.ceil((size.bytes - size.bytesRead) / rate))} s left`)
  }
  return parts.join(' · ')
}

/** The page's own state for the shown log. */
export interface ShownLog {
  /** As for `progressText`. */
  readonly loaded: boolean
  /** Whether the end is followed. */
  readonly following: boolean
}

/** "Live · grew 2 s ago", with `growth` in ms; "Indexed · following"; else the text of `progressText`. */
export function liveText(
  log: LogStatus,
  rate: ReadingRate,
  growth: number | null,
  { loaded, following }: ShownLog
): string {
  const text = progressText(log, rate, loaded)
  if (log.phase !== 'done' || log.fileState !== 'there' || !loaded) return text
  if (growth !== null) return `Live · grew ${growth < 1000 ? 'just now' : `${Math.floor(growth / 1000)} s ago`}`
  return following ? `${text} · following` : text
}

/** "132 bytes of an unfinished line"; "" for none. If no program writes to the log, its last line is shown as it is. */
export function waitingText({ phase, fileState, grownAt, waitingBytes }: LogStatus): string {
  if (waitingBytes === 0 || grownAt === null || phase === 'reading' || fileState !== 'there') return ''
  const size = waitingBytes < 10_000 ? formatPlural(waitingBytes, 'byte') : formatBytes(waitingBytes)
  return `${size} of an unfinished line`
}

/** "3 files" if there are several, "2,560 lines", "2,893 rows", "9.4 MB". Counts that still grow end in "…". */
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

/** "2 malformed", "3 violations", "7 notices", without zeros, the worst first. */
export function issueTexts(log: LogStatus): { severity: keyof LogStatus['issues']; text: string }[] {
  const { malformed, violation, notice } = log.issues
  return [
    { severity: 'malformed' as const, count: malformed, text: `${formatCount(malformed)} malformed` },
    { severity: 'violation' as const, count: violation, text: formatPlural(violation, 'violation') },
    { severity: 'notice' as const, count: notice, text: formatPlural(notice, 'notice') }
  ].filter(({ count }) => count > 0)
}

/** "22 failed calls"; "" for none. */
export function failedText({ failedCalls }: LogStatus): string {
  return failedCalls === 0 ? '' : formatPlural(failedCalls, 'failed call')
}

/** The bar as a sentence for screen readers, without the time since the last growth, which changes all the time. */
export function statusSentence(log: LogStatus, rate: ReadingRate, isLive: boolean, loaded: boolean): string {
  const issues = issueTexts(log).map(({ text }) => text)
  const live = isLive && log.phase === 'done' ? ['live'] : []
  return [...contentTexts(log), waitingText(log), failedText(log), ...issues, progressText(log, rate, loaded), ...live]
    .filter((text) => text !== '')
    .join(' · ')
}
