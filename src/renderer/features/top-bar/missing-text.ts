import type { LogStatus } from '#contract/methods.ts'
import { formatCount } from '../../ui/format.ts'

/** Null: nothing is known to be missing. A log may hold copies of what its subagents recorded (`agent_progress`): these have tracks without files. */
export function missingText(
  { missing: { named, perhaps }, tracks, files }: Pick<LogStatus, 'missing' | 'tracks' | 'files'>,
  isSent: boolean
): string | null {
  const what = named === 1 ? 'subagent log is' : 'subagent logs are'
  const next = isSent ? `Choose the session’s folder to show ${named === 1 ? 'it' : 'them'}.` : ''
  // Logs that were not uploaded have been searched: calls that may have started a subagent do not count.
  if (named === 0) return perhaps && isSent ? `Subagent logs may be missing. ${next}` : null
  const held = tracks.length - 1 > files.length ? ' What this log itself holds of subagents is shown.' : ''
  if (!isSent) return `${formatCount(named)} ${what} missing: not in the folder of this log.${held}`
  return `${perhaps ? 'At least ' : ''}${formatCount(named)} ${what} missing.${held} ${next}`
}
