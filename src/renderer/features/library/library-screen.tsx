import './library-screen.css'
import { useEffect } from 'react'
import { isCharacterKey } from '../../ui/shown-keys.ts'
import { isField } from '../../keyboard.ts'
import { useApp, useAppStore } from '../../stores/app-store.ts'
import { type LibraryView, viewOf } from '../../stores/library-choice.ts'
import { isLibraryEmpty, useLibrary } from '../../stores/use-library.ts'
import { Banner } from '../../ui/banner.tsx'
import { keepFocus } from '../../ui/button.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { QueryErrorText } from '../query/query-error.tsx'
import { LostRuns } from '../live-runs/lost-runs.tsx'
import { usePastedFiles } from '../start/use-pasted-files.ts'
import { onLibraryKey } from './library-keys.ts'
import { queryErrorId } from './library-search.tsx'
import { NoSessions } from './no-sessions.tsx'
import { ScanBar } from './scan-bar.tsx'
import { SessionList } from './session-list.tsx'

/** All sessions on this machine: the start screen of a host with a library. */
export function LibraryScreen() {
  const setShown = useLibrary((state) => state.setShown)
  const connected = useApp((app) => app.connection === 'open')
  const isEmpty = useLibrary(isLibraryEmpty)
  usePastedFiles()
  useLibraryKeys()
  useEffect(() => {
    if (!connected) return
    setShown(true)
    return () => setShown(false)
  }, [setShown, connected])
  if (isEmpty) return <NoSessions />
  return (
    <>
      <HeadBar />
      <Faults />
      <LostRuns />
      <div className="session-list-place vstack fill">
        <SessionList />
        <Newer />
      </div>
      {/* Below the list, so that no row moves when it appears. */}
      <ScanBar />
    </>
  )
}

const viewTitles: Readonly<Record<LibraryView, string>> = {
  all: 'All sessions',
  live: 'Live',
  failed: 'Failed',
  todos: 'Open todos',
  forked: 'Forked'
}

/** What is listed and how it is grouped, or the state of a search. */
function HeadBar() {
  const { choice, choose, query, search } = useLibrary('choice', 'choose', 'query', 'search')
  const view = viewOf(query)
  const total = useLibrary(({ overview }) => overview?.total)
  const growing = useLibrary(({ status }) => status?.phase === 'looking' || status?.phase === 'cards')
  const isGrouped = choice.sort === 'last'
  const count = total === undefined ? '' : `${formatCount(total)}${growing ? '…' : ''}`
  return (
    <header className="panel-head hstack rigid">
      <h2 className="rigid">{search !== null ? 'Results' : view === null ? 'Sessions' : viewTitles[view]}</h2>
      {search === null ? <span className="num t2">{count}</span> : <SearchCount />}
      <span className="grow" />
      {search === null && (
        <div className="segments rigid" role="group" aria-label="Group sessions">
          {(['day', 'project'] as const).map((group) => (
            <button
              key={group}
              type="button"
              aria-pressed={isGrouped && choice.group === group}
              {...(!isGrouped && { title: 'Also sorts by last update' })}
              onMouseDown={keepFocus}
              onClick={() => choose({ group, sort: 'last', descending: true })}
            >
              {group === 'day' ? 'By day' : 'By project'}
            </button>
          ))}
        </div>
      )}
    </header>
  )
}

function SearchCount() {
  const search = useLibrary((state) => state.search)
  if (search === null) return null
  const { found, named, searchesTexts } = search
  const searching = searchesTexts && search.error === null && found?.searching !== false
  const names =
    named === null || named.total === 0 ? '' : formatPlural(named.total, 'matching title', 'matching titles')
  const hits =
    found === null
      ? ''
      : `${found.hits === 0 ? 'no matches' : `${formatPlural(found.hits, 'match', 'matches')} in ${formatPlural(found.sessionsWithHits, 'session')}`}`
  const far =
    found !== null && searching
      ? `, ${formatCount(found.sessionsSearched)} of ${formatCount(found.sessions)} searched`
      : ''
  const cut = found?.isCut === true ? ', stopped' : ''
  const text = searching && found === null ? 'Searching…' : hits + far + cut
  return (
    <>
      <span className="num t2 cut">{[text, names].filter((each) => each !== '').join(' · ')}</span>
      {/* Screen readers announce the result, not counts that change ten times a second. */}
      <span role="status" className="unseen">
        {searching ? '' : [hits, names].filter((each) => each !== '').join(', ')}
      </span>
    </>
  )
}

/** What is wrong with the query, and errors of the search. */
function Faults() {
  const { fault, choice, queryError } = useLibrary('fault', 'choice', 'queryError')
  const searchError = useLibrary(({ search }) => search?.error ?? null)
  const { dismissFault, lookAgain } = useLibrary('dismissFault', 'lookAgain')
  const problem = useLibrary(({ status }) => status?.problem ?? null)
  const scan = (
    <button type="button" className="btn small edged" onClick={() => void lookAgain()}>
      Scan again
    </button>
  )
  const texts = [...new Set([fault, problem, searchError].filter((text) => text !== null))]
  return (
    <>
      {queryError !== null && <QueryErrorText id={queryErrorId} text={choice.text} error={queryError} />}
      {texts.map((text) => (
        <Banner
          key={text}
          severity={text === fault ? 'malformed' : 'violation'}
          role="alert"
          actions={text === fault && scan}
          {...(text === fault && { onDismiss: dismissFault })}
        >
          {text}
        </Banner>
      ))}
    </>
  )
}

/** New sessions above the visible part of the list, which does not move. */
function Newer() {
  const { newer, scroll } = useLibrary('newer', 'scroll')
  const search = useLibrary((state) => state.search !== null)
  if (newer === 0 || search) return null
  return (
    <button type="button" className="btn edged newer" onMouseDown={keepFocus} onClick={() => scroll.to(0)}>
      <Icon name="up" size={14} />
      {formatPlural(newer, 'new session')}
    </button>
  )
}

/** The keys of the list work wherever the focus is, except in a field, a control that uses them, or a dialog. */
function useLibraryKeys(): void {
  const app = useAppStore()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || app.getState().dialog !== 'none' || isField(event)) return
      const { target } = event
      const inList = target instanceof Element && target.closest('.session-list') !== null
      if (isCharacterKey(event.key) && !inList && !app.getState().layout.getState().singleKeys) return
      // Enter presses a button; a splitter uses the arrow keys.
      const isControl =
        target instanceof Element && target.closest('button, a, summary, [role="separator"], [role="dialog"]') !== null
      if (isControl && !(event.key === 'Escape' || (event.key.startsWith('Arrow') && target.closest('nav') === null)))
        return
      if (onLibraryKey(event, app.getState(), app.getState().library.getState())) {
        event.preventDefault()
        document.querySelector<HTMLElement>('.session-list')?.focus({ preventScroll: true })
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [app])
}
