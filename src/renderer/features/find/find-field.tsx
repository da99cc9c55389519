import './find-field.css'
import { type KeyboardEvent, useId, useRef } from 'react'
import { useLog } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatPercent } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { findCountText } from './find-count.ts'
import { FindToggle } from './find-toggle.tsx'

/**
 * Searches every line of the log as one types. Enter goes to the next hit and Escape nowhere; both lead out to the
 * timeline, where n and N go on. Escape stops a search that is under way first; in the timeline it forgets the hits.
 */
export function FindField() {
  const find = useLog((log) => log.find)
  const reading = useLog((log) => log.status.phase === 'reading')
  const setFind = useLog((log) => log.setFind)
  const stopFind = useLog((log) => log.stopFind)
  const nextHit = useLog((log) => log.nextHit)
  const input = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const searched = find.text !== ''
  const noHits = find.hits.length === 0
  const toggleCase = () => setFind({ caseSensitive: !find.caseSensitive })
  const toggleRegex = () => setFind({ regex: !find.regex })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey && event.code === 'KeyC') toggleCase()
    else if (event.altKey && event.code === 'KeyR') toggleRegex()
    else if (event.key === 'Escape' && find.searching) stopFind()
    else if (event.key === 'Enter' || event.key === 'Escape') {
      if (event.key === 'Enter') nextHit(event.shiftKey ? -1 : 1)
      input.current?.closest('.app')?.querySelector<HTMLElement>('[role="grid"]')?.focus()
    } else return
    event.preventDefault()
  }

  return (
    <div className="find" role="search">
      <div className={find.error === null ? 'find-field field' : 'find-field field bad'}>
        <Icon name="search" tone="t3" />
        <input
          ref={input}
          type="search"
          aria-label="Find"
          placeholder="Find in log"
          title="Find  /"
          className={find.regex ? 'mono' : ''}
          maxLength={1000}
          spellCheck={false}
          autoComplete="off"
          aria-keyshortcuts="/"
          aria-invalid={find.error?.invalid === true}
          {...(find.error !== null && { 'aria-describedby': errorId })}
          value={find.text}
          onChange={(event) => setFind({ text: event.target.value })}
          onKeyDown={onKeyDown}
        />
        {searched && (
          <span
            className="num caption t2 find-count"
            // What changes ten times a second is not read aloud; what came of it is.
            aria-live={find.searching ? 'off' : 'polite'}
            {...(find.stopped && { title: `Stopped at ${formatPercent(find.part)} of the log` })}
          >
            {findCountText(find, reading)}
          </span>
        )}
        <FindToggle label="Match case" keys="Alt C" text="Aa" pressed={find.caseSensitive} onClick={toggleCase} />
        <FindToggle label="Regular expression" keys="Alt R" text=".*" pressed={find.regex} onClick={toggleRegex} />
        {searched ? (
          <>
            <IconButton small icon="up" label="Previous hit" keys="N" disabled={noHits} onClick={() => nextHit(-1)} />
            <IconButton small icon="down" label="Next hit" keys="n" disabled={noHits} onClick={() => nextHit(1)} />
          </>
        ) : (
          <kbd aria-hidden="true">/</kbd>
        )}
        {find.searching && <i className="find-progress" style={{ transform: `scaleX(${find.part})` }} />}
      </div>
      {find.error !== null && (
        <p
          id={errorId}
          role="alert"
          className={find.error.invalid ? 'find-error field-error of-text' : 'find-error field-error'}
        >
          <Icon name="error" size={14} />
          <span>{find.error.message}</span>
        </p>
      )}
    </div>
  )
}
