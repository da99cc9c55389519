import type { LogStatus } from '#contract/methods.ts'
import { formatCount } from '../../ui/format.ts'

/** Null if none is known to be missing. */
export function missingText({ named, perhaps }: LogStatus['missing'], isSent: boolean): string | null {
  const what = named === 1 ? 'subagent log is' : 'subagent logs are'
  const next = isSent ? `Choose the session’s folder to show ${named === 1 ? 'it' : 'them'}.` : ''
  // Logs that were not uploaded have been searched: calls that may have started a subagent do not count.
  if (named === 0) return perhaps && isSent ? `Subagent logs may be missing. ${next}` : null
  if (!isSent) return `${formatCount(named)} ${what} missing: not in the folder of this log.`
  return `${perhaps ? 'At least ' : ''}${formatCount(named)} ${what} missing. ${next}`
}
