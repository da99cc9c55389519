import type { RunSummary } from '#contract/methods.ts'
import type { LiveAnswer } from './live-answer.ts'
import { useLogParts } from './log-store.ts'
import { useLiveAnswer } from './use-live-answer.ts'

/** The summary of the log as far as it is counted; loaded while it is shown. */
export function useRunSummary(): LiveAnswer<RunSummary> {
  return useLiveAnswer(useLogParts().summary)
}
