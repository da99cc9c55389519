import type { KeyboardEvent } from 'react'
import { useLibrary } from '../../stores/use-library.ts'
import { IconButton } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'

/** Searches all sessions while a person types. Escape stops the search, then clears it; the list scrolls back. */
export function LibrarySearch() {
  const { choice, search } = useLibrary('choice', 'search')
  const { choose, endSearch, find, selection } = useLibrary('choose', 'endSearch', 'find', 'selection')
  const found = search?.found?.searching === true ? search.found : null

  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && found !== null) find.stop()
    else if (key === 'Escape' && choice.text !== '') endSearch()
    else if (key === 'Enter' || key === 'ArrowDown' || key === 'Escape') {
      if (key !== 'Escape') selection.move(1)
      document.querySelector<HTMLElement>('.session-list')?.focus({ preventScroll: true })
    } else return false
    return true
  }

  return (
    <SearchField
      label="Search all sessions"
      placeholder="Search all sessions, or filter: project: branch: since:"
      query={choice}
      onChange={choose}
      onKey={onKey}
      error={search?.error ?? null}
      progress={found === null ? null : found.bytes === 0 ? 0 : found.bytesSearched / found.bytes}
      buttons={<IconButton small icon="close" label="Clear the search" keys="Escape" onClick={endSearch} />}
    />
  )
}
