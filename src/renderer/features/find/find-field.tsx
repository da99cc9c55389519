import './find-field.css'
import { type KeyboardEvent, useRef } from 'react'
import { type FindState } from '../../stores/log-find.ts'
import { useLog } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'

/**
 * Searches every line of the log as one types. Enter goes to the next hit and Escape nowhere; both lead out to the
 * timeline, where n and N go on. Escape there ends the search.
 */
export function FindField() {
  const find = useLog((log) => log.find)
  const reading = useLog((log) => log.status.phase === 'reading')
  const setFind = useLog((log) => log.setFind)
  const nextHit = useLog((log) => log.nextHit)
  const input = useRef<HTMLInputElement>(null)
  const searched = find.text !== ''

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') nextHit(event.shiftKey ? -1 : 1)
    else if (event.key !== 'Escape') return
    event.preventDefault()
    input.current?.closest('.app')?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }

  return (
    <div className="find-field field" role="search">
      <Icon name="search" tone="t3" />
      <input
        ref={input}
        type="search"
        aria-label="Find"
        placeholder="Find in log"
        title={find.error?.message ?? 'Find  /'}
        maxLength={1000}
        spellCheck={false}
        autoComplete="off"
        aria-keyshortcuts="/"
        value={find.text}
        onChange={(event) => setFind({ text: event.target.value })}
        onKeyDown={onKeyDown}
      />
      {searched ? (
        <>
          <span className="num caption t2 find-count" aria-live="polite">
            {countText(find, reading)}
          </span>
          <button
            type="button"
            className="btn small case"
            aria-label="Match case"
            aria-pressed={find.caseSensitive}
            title="Match case"
            onClick={() => setFind({ caseSensitive: !find.caseSensitive })}
          >
            Aa
          </button>
          <IconButton
            small
            icon="up"
            label="Previous hit"
            keys="N"
            disabled={!find.hits.length}
            onClick={() => nextHit(-1)}
          />
          <IconButton
            small
            icon="down"
            label="Next hit"
            keys="n"
            disabled={!find.hits.length}
            onClick={() => nextHit(1)}
          />
        </>
      ) : (
        <kbd aria-hidden="true">/</kbd>
      )}
    </div>
  )
}

/** "17 of 128", "128 hits", "no hits"; "…" while there may be more. */
function countText({ hits, active, searching, error }: FindState, reading: boolean): string {
  if (error !== null) return 'failed'
  const more = searching || reading ? '…' : ''
  if (hits.length === 0) return searching ? '…' : `no hits${more}`
  return active < 0
    ? formatPlural(hits.length, 'hit') + more
    : `${formatCount(active + 1)} of ${formatCount(hits.length)}${more}`
}
