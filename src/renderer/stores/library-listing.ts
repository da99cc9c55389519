import type { LibraryStatus } from '#contract/library.ts'
import type { FoundSession, LibrarySearch } from './library-find.ts'
import { GroupedLines, type LibraryLine, type LibraryLines, ListedLines } from './library-lines.ts'
import type { LibraryOverview, LibraryValues } from './library-state.ts'
import type { SessionCard } from '#core/library/session-card.ts'

const maxBars = 8

/** The current lines of the list: sessions in groups, or search results. */
export function linesOf({ overview, closed, choice, search, status }: LibraryValues): LibraryLines {
  if (search !== null) return new ListedLines(linesOfSearch(search))
  const options = { heads: choice.sort === 'last', bars: barsOf(status, overview) }
  return new GroupedLines(overview?.groups ?? [], closed, options)
}

/** Placeholders for sessions that are not read yet. */
function barsOf(status: LibraryStatus | null, overview: LibraryOverview | null): number {
  if (status === null || overview === null) return maxBars
  if (status.phase === 'looking') return status.lookedAt === null ? maxBars : 0
  return status.phase === 'cards' ? Math.max(0, Math.min(maxBars, status.all - status.done)) : 0
}

/** Search results: sessions with a matching name and their matches, then sessions with a matching text. */
function linesOfSearch({ named, sessions, searchesTexts }: LibrarySearch): LibraryLine[] {
  const lines: LibraryLine[] = []
  const hitsOf = new Map(sessions.map((session) => [session.card.id, session]))
  const add = (card: SessionCard, session: FoundSession | undefined) => {
    lines.push({ kind: 'found', card, hits: session?.hits ?? 0 })
    if (session === undefined) return
    session.shown.forEach((hit, at) => lines.push({ kind: 'hit', card, hit, at }))
    const more = session.hits - session.shown.length
    if (more > 0) lines.push({ kind: 'more', card, count: more })
  }
  if (named !== null && named.total > 0) {
    lines.push({ kind: 'heading', of: 'names' })
    for (const card of named.cards) add(card, hitsOf.get(card.id))
    if (named.total > named.cards.length)
      lines.push({ kind: 'more', card: null, count: named.total - named.cards.length })
  }
  const listed = new Set(named?.cards.map(({ id }) => id))
  const others = sessions.filter(({ card }) => !listed.has(card.id))
  if (searchesTexts && others.length > 0) {
    lines.push({ kind: 'heading', of: 'texts' })
    for (const session of others) add(session.card, session)
  }
  return lines
}
