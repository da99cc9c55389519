import { useEffect, useSyncExternalStore } from 'react'
import type { LiveSummary } from './live-summary.ts'
import { useLog, useLogParts } from './log-store.ts'

/** The summary of the log as far as it is counted; loaded while it is shown. */
export function useRunSummary(): LiveSummary {
  const { summary } = useLogParts()
  const rows = useLog((log) => log.status.rows)
  const replacements = useLog((log) => log.replacements)
  useSyncExternalStore(summary.changes.subscribe, summary.changes.getVersion)
  useEffect(() => summary.watch(), [summary])
  useEffect(() => summary.onGrown(), [summary, rows, replacements])
  return summary
}
