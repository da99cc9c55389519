import type { LibraryHit } from '#contract/library.ts'
import { foundTextOf } from '#core/query/query-choices.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import type { AppState } from '../../stores/app-state.ts'
import type { LibraryState } from '../../stores/library-store.ts'

/** The maximum number of logs opened at once. */
export const maxOpened = 20

/** Opens the selection: a session, a match, or all chosen sessions. Other lines are collapsed or expanded. */
export async function openHere(app: AppState, library: LibraryState): Promise<void> {
  const { cursor, chosen } = library
  if (chosen.size > 1) return await openAll(app, [...chosen.values()])
  if (cursor === null || library.selection.openInList() || cursor.card === null) return
  await openCard(app, cursor.card, cursor.hit)
}

/** Opens the log of a session; of a match at its event, with the same search. */
export async function openCard(app: AppState, card: SessionCard, hit: LibraryHit | null): Promise<void> {
  if (hit === null) return await app.openLog(card.path)
  const [text] = app.library.getState().search?.texts ?? []
  const find = text === undefined ? null : foundTextOf(text)
  await app.openAt({ path: hit.path, seq: hit.seq, line: hit.line, find })
}

/** Shows the first one at the end. */
export async function openAll(app: AppState, cards: readonly SessionCard[]): Promise<void> {
  for (const { path } of cards.slice(0, maxOpened).toReversed()) await app.openLog(path)
}
