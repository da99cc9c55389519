import type { LogState, LogStore } from './log-store.ts'

/** A link that opens the log at an event: the selected one, or the last before it. Null: there is none. */
export function eventLink({ status, playhead }: Pick<LogState, 'status' | 'playhead'>): string | null {
  if (playhead < 0) return null
  return `playhead://open?path=${encodeURIComponent(status.path)}&seq=${playhead}`
}

/** Copies the link of where the playhead is, and says in the log whether that worked. */
export async function copyEventLink(log: LogStore): Promise<void> {
  const link = eventLink(log.getState())
  if (link === null) return say(log, 'No event is selected.')
  try {
    await navigator.clipboard.writeText(link)
    say(log, 'Link copied.')
  } catch {
    say(log, 'The link could not be copied.')
  }
}

function say(log: LogStore, text: string): void {
  log.setState({ stepNote: { text, searching: false } })
}
