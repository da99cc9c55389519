import '../find/find-field.css'
import { type KeyboardEvent, useId } from 'react'
import { useLibrary } from '../../stores/use-library.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { FindToggle } from '../find/find-toggle.tsx'

/**
 * Searches titles, places and texts of all sessions as one types, and takes restrictions such as `project:` among the words. Enter and the arrow
 * keys lead to what was found. Escape stops a search that is under way, then forgets it, and the list is where it was.
 */
export function LibrarySearch() {
  const choice = useLibrary((state) => state.choice)
  const choose = useLibrary((state) => state.choose)
  const search = useLibrary((state) => state.search)
  const stopSearch = useLibrary((state) => state.stopSearch)
  const endSearch = useLibrary((state) => state.endSearch)
  const move = useLibrary((state) => state.move)
  const errorId = useId()
  const error = search?.error ?? null
  const searching = search?.found?.searching === true
  const toggleCase = () => choose({ caseSensitive: !choice.caseSensitive })
  const toggleRegex = () => choose({ regex: !choice.regex })
  const part = search?.found == null || search.found.bytes === 0 ? 0 : search.found.bytesSearched / search.found.bytes

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.code === 'KeyC') toggleCase()
    else if (event.altKey && event.code === 'KeyR') toggleRegex()
    else if (event.key === 'Escape' && searching) stopSearch()
    else if (event.key === 'Escape' && choice.text !== '') endSearch()
    else if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'Escape') {
      if (event.key !== 'Escape') move(1)
      document.querySelector<HTMLElement>('.session-list')?.focus({ preventScroll: true })
    } else return
    event.preventDefault()
  }

  return (
    <div className="find" role="search">
      <div className={error === null ? 'find-field field' : 'find-field field bad'}>
        <Icon name="search" tone="t3" />
        <input
          type="search"
          aria-label="Search all sessions"
          placeholder="Search all sessions, or filter: project: branch: since:"
          title="Search all sessions  /"
          className={choice.regex ? 'mono' : ''}
          maxLength={1000}
          spellCheck={false}
          autoComplete="off"
          aria-keyshortcuts="/"
          aria-invalid={error?.invalid === true}
          {...(error !== null && { 'aria-describedby': errorId })}
          value={choice.text}
          onChange={(event) => choose({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
        <FindToggle label="Match case" keys="Alt C" text="Aa" pressed={choice.caseSensitive} onClick={toggleCase} />
        <FindToggle label="Regular expression" keys="Alt R" text=".*" pressed={choice.regex} onClick={toggleRegex} />
        {choice.text === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <IconButton small icon="close" label="Clear the search" keys="Esc" onClick={endSearch} />
        )}
        {searching && <i className="find-progress" style={{ transform: `scaleX(${part})` }} />}
      </div>
      {error !== null && (
        <p
          id={errorId}
          role="alert"
          className={error.invalid ? 'find-error field-error of-text' : 'find-error field-error'}
        >
          <Icon name="error" size={14} />
          <span>{error.message}</span>
        </p>
      )}
    </div>
  )
}
