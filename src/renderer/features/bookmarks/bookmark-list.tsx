import { useState } from 'react'
import type { Bookmark } from '#core/replay/review.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { keyText, useWorkingKeys } from '../../ui/shown-keys.ts'
import { placeName } from '../breakpoints/breakpoint-words.ts'
import { NoteForm } from './note-form.tsx'

/** Bookmarks with their notes, in log order. */
export function BookmarkList() {
  const [shortcut] = useWorkingKeys()('b')
  const { reviewing } = useLogParts()
  const { review, row } = useLog('review', 'row', 'version', 'reviewVersion')
  // Places are found for good once all rows are read.
  useStatus('phase', 'rows')
  const [edited, setEdited] = useState<string | null>(null)
  const isReady = review.phase === 'ready'
  const placed = review.bookmarks
    .map((bookmark) => ({ bookmark, found: reviewing.placeOf(bookmark.place) }))
    .toSorted((one, other) => placeInList(one.found.row) - placeInList(other.found.row))
  return (
    <section className="review" aria-label="Bookmarks">
      <div className="runs-head">
        <h2>Bookmarks</h2>
        <IconButton
          small
          icon="add"
          label="Bookmark this event"
          keys="b"
          disabled={!isReady || row < 0 || reviewing.bookmarkAt(row) !== null}
          onClick={() => reviewing.toggleBookmark(row)}
        />
      </div>
      {placed.length === 0 ? (
        isReady && (
          <p className="review-empty t3">
            No bookmarks.
            {shortcut !== undefined && (
              <>
                {' '}
                Press <kbd>{keyText(shortcut)}</kbd> to add one.
              </>
            )}
          </p>
        )
      ) : (
        <ul>
          {placed.map(({ bookmark, found }) => (
            <li key={bookmark.id}>
              {edited === bookmark.id ? (
                <NoteForm bookmark={bookmark} onDone={() => setEdited(null)} />
              ) : (
                <BookmarkLine bookmark={bookmark} {...found} onEdit={() => setEdited(bookmark.id)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const lost = {
  changed: 'Its line now holds another event.',
  gone: 'Its line is no longer in the log.',
  unread: 'Its line has not been read yet.'
}

function BookmarkLine({
  bookmark,
  row,
  state,
  onEdit
}: {
  bookmark: Bookmark
  row: number
  state: 'there' | 'changed' | 'gone' | 'unread'
  onEdit: () => void
}) {
  const { reviewing, columns, playhead } = useLogParts()
  const selected = useLog((log) => log.row)
  const name = bookmark.note === '' ? placeName(bookmark.place) : bookmark.note
  const seq = row < 0 ? -1 : columns.seqAtOrBefore(row)
  const why = state === 'there' ? null : lost[state]
  return (
    <div className="review-line" data-here={row >= 0 && row === selected} data-off={state !== 'there'}>
      <span className="review-mark rigid t2">
        <Icon name="bookmark" size={14} tone={state === 'there' ? undefined : 't3'} />
      </span>
      <button
        type="button"
        className="review-name cut"
        title={[name, why].filter(Boolean).join('\n')}
        disabled={row < 0}
        onClick={() => playhead.select(row)}
        onDoubleClick={onEdit}
      >
        {bookmark.note === '' ? <span className="t2">{name}</span> : name}
      </button>
      <span className="review-count num t3">
        {state === 'there' && seq >= 0 && formatCount(seq)}
        {state === 'unread' && '…'}
        {(state === 'gone' || state === 'changed') && <span title={why ?? undefined}>line {state}</span>}
      </span>
      <span className="line-actions on-hover">
        <IconButton small icon="edit" label={`Note for ${name}`} onClick={onEdit} />
        <IconButton
          small
          icon="remove"
          label={`Remove ${name}`}
          onClick={() => reviewing.removeBookmark(bookmark.id)}
        />
      </span>
    </div>
  )
}

/** Bookmarks without a row come last. */
function placeInList(row: number): number {
  return row < 0 ? Infinity : row
}
