import type { LibraryHit } from '#contract/library.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { AppState } from '../../stores/app-state.ts'
import type { LibraryState } from '../../stores/library-state.ts'

/** More logs than anybody would look at, and than a machine has room for. */
export const mostOpened = 20

/** Opens what is selected: a session, a hit in it, or all sessions that were chosen. What can be opened in the list opens there. */
export async function openHere(app: AppState, library: LibraryState): Promise<void> {
  const { cursor, chosen } = library
  if (chosen.size > 1) return await openAll(app, [...chosen.values()])
  if (cursor === null || library.openInList() || cursor.card === null) return
  const { hit, card } = cursor
  await (hit === null ? app.openLog(card.path) : openHit(app, library, hit))
}

/** Opens the log of a hit at its event, with the same search in it. */
export async function openHit(app: AppState, { choice, search }: LibraryState, hit: LibraryHit): Promise<void> {
  const { regex, caseSensitive } = choice
  const find = search === null ? null : { text: search.words, regex, caseSensitive }
  await app.openAt({ path: hit.path, seq: hit.seq, line: hit.line, find })
}

/** The first one is shown at the end. */
export async function openAll(app: AppState, cards: readonly SessionCard[]): Promise<void> {
  for (const { path } of cards.slice(0, mostOpened).toReversed()) await app.openLog(path)
}
