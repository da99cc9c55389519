import '../../ui/row-list.css'
import './session-list.css'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { SessionSort } from '../../stores/library-choice.ts'
import { keyOfLine, type LibraryLine, lineHeights } from '../../stores/library-lines.ts'
import type { LibraryCursor, LibraryValues, ListPlace } from '../../stores/library-state.ts'
import { useApp, useAppStore } from '../../stores/app-store.ts'
import { viewOf, withoutRestrictions } from '../../stores/library-choice.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { GroupHead } from './group-head.tsx'
import { FoundHeading, HitLine, MoreLine } from './hit-line.tsx'
import { onLibraryKey } from './library-keys.ts'
import { openHere } from './open-session.ts'
import { CardBars, SessionCard } from './session-card.tsx'

/** Lines rendered beyond both edges, for frames in which scrolling is ahead of rendering. */
const overscan = 5
/** The height of the heading above the list, in px. */
const headHeight = 24

interface Drawn {
  readonly first: number
  readonly last: number
}

/** The sessions of a restriction or the results of a search, virtualized: group heads, cards and matches. */
export function SessionList() {
  const app = useAppStore()
  const store = useApp((state) => state.library)
  const library = useLibrary('lines', 'cards', 'place', 'chosen', 'choice', 'overview', 'search')
  const cursor = useLibrary((state) => state.cursor)
  const { lines, place, overview, search } = library
  const grid = useRef<HTMLDivElement>(null)
  const [scrolled, setScrolled] = useState({ place, offset: place.offset, height: 0 })
  // A newly set place is rendered at once: visible lines must not leave the page for a moment.
  const view = scrolled.place === place ? scrolled : { ...scrolled, offset: place.offset }
  const now = useMinute()

  useLayoutEffect(() => {
    const element = grid.current
    if (element === null) return
    const read = () => {
      const next = placeOf(element, store.getState().place)
      setScrolled(next)
      store.getState().scroll.see(next.offset, next.height)
    }
    const resized = new ResizeObserver(read)
    resized.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [store])

  // A place set from outside is rendered at once, also after the way back from a log.
  useLayoutEffect(() => {
    const element = grid.current
    if (element === null) return
    element.scrollTop = place.offset
    const next = placeOf(element, place)
    setScrolled(next)
    store.getState().scroll.see(next.offset, next.height)
  }, [place, store])

  const drawn = drawnOf(lines, view)
  const at = Array.from({ length: Math.max(0, drawn.last - drawn.first) }, (_, index) => drawn.first + index)
  const onMouse = (event: MouseEvent) => {
    const line = lineOf(event.target)
    if (line === null) return
    const shown = store.getState().lines.get(line)
    if (event.type === 'dblclick') {
      if (shown !== undefined && 'card' in shown ? shown.kind !== 'more' : shown?.kind === 'card')
        void openHere(app.getState(), store.getState())
      return
    }
    if (shown?.kind === 'group' || shown?.kind === 'more') return store.getState().selection.showMore(shown)
    store.getState().selection.select(line, { add: event.ctrlKey || event.metaKey, range: event.shiftKey })
  }
  const isHere = cursor !== null && cursor.line >= drawn.first && cursor.line < drawn.last

  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Sessions"
      aria-rowcount={lines.count + 1}
      aria-colcount={7}
      aria-multiselectable="true"
      aria-busy={overview === null}
      {...(isHere && { 'aria-activedescendant': `session-row-${cursor.line + 2}` })}
      tabIndex={0}
      className="session-list row-list fill"
      onClick={onMouse}
      onDoubleClick={onMouse}
      onMouseDown={(event) => {
        // A double click opens; it must not select words.
        if (event.detail > 1 || event.shiftKey) event.preventDefault()
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (onLibraryKey(event.nativeEvent, app.getState(), store.getState())) event.preventDefault()
      }}
    >
      <ColumnHeads />
      {search === null && <HeadInView offset={view.offset} now={now} />}
      <div className="session-lines" style={{ height: lines.height }}>
        {at.map((line) => (
          <Line key={keyOf(library, line)} library={library} cursor={cursor} line={line} now={now} />
        ))}
      </div>
      <NothingListed />
    </div>
  )
}

type ListValues = Pick<LibraryValues, 'lines' | 'cards' | 'chosen' | 'choice' | 'search'>

interface LineProps {
  readonly library: ListValues
  readonly cursor: LibraryCursor | null
  readonly line: number
  readonly now: number
}

function Line({ library, cursor, line, now }: LineProps) {
  const { lines, cards, chosen, choice, search } = library
  const shown = lines.get(line)
  if (shown === undefined) return null
  const top = lines.topOf(line)
  const index = line + 2
  const here = cursor?.line === line && keyOfLine(shown, (at) => cards.get(at)?.id) === cursor.key
  const isSelected = (id: string) => (chosen.size > 0 ? chosen.has(id) : here)
  switch (shown.kind) {
    case 'group':
      return (
        <GroupHead
          group={shown.group}
          by={choice.group}
          open={shown.open}
          index={index}
          top={top}
          here={here}
          now={now}
        />
      )
    case 'card': {
      const card = cards.get(shown.index)
      if (card === undefined) return <CardBars index={index} top={top} />
      const props = { card, index, top, here, now, selected: isSelected(card.id) }
      return <SessionCard {...props} withHits={false} />
    }
    case 'bar':
      return <CardBars index={index} top={top} />
    case 'heading':
      return <FoundHeading of={shown.of} index={index} top={top} total={search?.named?.total ?? 0} />
    case 'found': {
      const props = { card: shown.card, index, top, here, now, selected: isSelected(shown.card.id) }
      return <SessionCard {...props} withHits />
    }
    case 'hit':
      return <HitLine {...{ hit: shown.hit, card: shown.card, index, top, here }} />
    case 'more':
      return <MoreLine {...{ count: shown.count, ofSession: shown.card !== null, index, top, here }} />
  }
}

/** The head of the group at the top of the visible lines, once it has scrolled away. */
function HeadInView({ offset, now }: { offset: number; now: number }) {
  const { lines, choice } = useLibrary('lines', 'choice')
  const head = lines.headOf(lines.lineAt(offset))
  const shown: LibraryLine | undefined = lines.get(head)
  if (shown?.kind !== 'group' || lines.topOf(head) >= offset) return null
  // The next head pushes it up.
  let below = head + 1
  const lowest = lines.lineAt(offset + lineHeights.group)
  while (below <= lowest && lines.get(below)?.kind !== 'group') below++
  const push = below <= lowest ? Math.min(0, lines.topOf(below) - offset - lineHeights.group) : 0
  return (
    <div className="head-in-view" aria-hidden="true" data-line={head}>
      <GroupHead group={shown.group} by={choice.group} open index={-1} top={push} here={false} now={now} line={head} />
    </div>
  )
}

const columns: readonly { readonly sort: SessionSort; readonly name: string; readonly className: string }[] = [
  { sort: 'title', name: 'Session', className: 'left' },
  { sort: 'todos', name: 'Todos', className: 'left' },
  { sort: 'calls', name: 'Calls', className: '' },
  { sort: 'findings', name: 'Findings', className: 'card-findings' },
  { sort: 'length', name: 'Duration', className: '' },
  { sort: 'tokens', name: 'Tokens', className: 'card-tokens' },
  { sort: 'cost', name: 'Cost', className: 'card-cost' },
  { sort: 'last', name: 'Updated', className: '' }
]

function ColumnHeads() {
  const { choice, sortBy } = useLibrary('choice', 'sortBy')
  const sorts = useLibrary((state) => state.search === null)
  return (
    <div role="row" aria-rowindex={1} className="cards-head list-head t3 caption">
      <span role="columnheader">
        <span className="unseen">State</span>
      </span>
      {columns.map(({ sort, name, className }) => {
        const isSorted = sorts && choice.sort === sort
        const direction = choice.descending ? 'descending' : 'ascending'
        return (
          <span key={sort} role="columnheader" className={className} {...(isSorted && { 'aria-sort': direction })}>
            <button type="button" disabled={!sorts} onClick={() => sortBy(sort)}>
              {name}
              {isSorted && <Icon name={direction} size={12} />}
            </button>
          </span>
        )
      })}
    </div>
  )
}

function NothingListed() {
  const { lines, overview, search, query, status } = useLibrary('lines', 'overview', 'search', 'query', 'status')
  const ask = useLibrary((library) => library.ask)
  if (overview === null || lines.count > 0) return null
  const searching =
    search !== null && search.error === null && (search.named === null || search.found?.searching !== false)
  if (search !== null && searching && search.searchesTexts) return <Note>Searching…</Note>
  const isRestricted = viewOf(query) !== 'all'
  const isRead = status === null || status.phase === 'idle' || status.phase === 'counts'
  return (
    <Note>
      {search === null ? 'No matching sessions' : 'No matches'}
      {isRead ? '.' : ' so far.'}{' '}
      {isRestricted && (
        <button type="button" className="link" onClick={() => ask(withoutRestrictions(query))}>
          {search === null ? 'Show' : 'Search'} all {formatPlural(overview.facets.all, 'session')}
        </button>
      )}
    </Note>
  )
}

function Note({ children }: { children: React.ReactNode }) {
  return (
    <div role="row" className="session-note t2">
      <span role="gridcell">{children}</span>
    </div>
  )
}

function placeOf(element: HTMLElement, place: ListPlace) {
  return { place, offset: element.scrollTop, height: Math.max(0, element.clientHeight - headHeight) }
}

function drawnOf(lines: LibraryValues['lines'], { offset, height }: { offset: number; height: number }): Drawn {
  if (lines.count === 0 || height === 0) return { first: 0, last: 0 }
  return {
    first: Math.max(0, lines.lineAt(offset) - overscan),
    last: Math.min(lines.count, lines.lineAt(offset + height) + overscan + 1)
  }
}

/** The key is the session's, so an element stays with its session when lines move. */
function keyOf({ lines, cards }: ListValues, line: number): string {
  const shown = lines.get(line)
  return keyOfLine(shown, (at) => cards.get(at)?.id) ?? `${shown?.kind ?? ''} ${line}`
}

function lineOf(target: EventTarget): number | null {
  if (!(target instanceof Element) || target.closest('.cards-head') !== null) return null
  const inView = target.closest<HTMLElement>('.head-in-view')
  if (inView !== null) return Number(inView.dataset['line'])
  const row = target.closest('[aria-rowindex]')
  return row === null ? null : Number(row.getAttribute('aria-rowindex')) - 2
}

/** The current time, per minute. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
