import type { AppState } from './app-state.ts'
import type { LogStore } from './log-store.ts'

/** Copies a link to the event at the playhead among the rows that are shown, and notes in the log whether that succeeded. */
export async function copyEventLink(log: LogStore, linkTo: AppState['linkTo']): Promise<void> {
  const { status, seq, filter } = log.getState()
  if (linkTo === null || seq < 0) return say(log, 'No event is selected.')
  const query = filter.error === null ? filter.text.trim() : ''
  try {
    await navigator.clipboard.writeText(linkTo(status.path, seq, query))
    say(log, 'Link copied.')
  } catch {
    say(log, 'The link could not be copied.')
  }
}

function say(log: LogStore, text: string): void {
  log.setState({ stepNote: { text, searching: false } })
}
