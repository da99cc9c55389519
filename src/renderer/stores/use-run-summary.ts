import { useEffect, useSyncExternalStore } from 'react'
import type { RunFindings, RunSummary } from '#contract/methods.ts'
import type { LiveAnswer } from './live-answer.ts'
import { useLog, useLogParts } from './log-store.ts'

/** The summary of the log as far as it is counted; loaded while it is shown. */
export function useRunSummary(): LiveAnswer<RunSummary> {
  return useLiveAnswer(useLogParts().summary)
}

/** The findings of the log as far as it was looked at; loaded while they are shown. */
export function useRunFindings(): LiveAnswer<RunFindings> {
  return useLiveAnswer(useLogParts().findings)
}

function useLiveAnswer<T>(answer: LiveAnswer<T>): LiveAnswer<T> {
  const rows = useLog((log) => log.status.rows)
  const replacements = useLog((log) => log.replacements)
  useSyncExternalStore(answer.changes.subscribe, answer.changes.getVersion)
  useEffect(() => answer.watch(), [answer])
  useEffect(() => answer.onGrown(), [answer, rows, replacements])
  return answer
}
