import './bookmark-note.css'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { placeName } from '../breakpoints/breakpoint-words.ts'
import { NoteForm } from './note-form.tsx'

/** The note of the bookmark at `row`. A new bookmark's note stays in edit mode even if another row is selected. */
export function BookmarkNote({ row }: { row: number }) {
  const { reviewing } = useLogParts()
  const { review } = useLog('review', 'reviewVersion', 'version')
  const written = review.bookmarks.find(({ id }) => id === review.editedNote)
  const bookmark = written ?? reviewing.bookmarkAt(row)
  if (bookmark === null) return null
  return (
    <div className="bookmark-note hstack rigid">
      <Icon name="bookmark" size={14} tone="mark-bookmark" />
      {written === undefined ? (
        <>
          <span className={bookmark.note === '' ? 't3 cut' : 'cut'} title={bookmark.note}>
            {bookmark.note === '' ? 'Bookmark without a note' : bookmark.note}
          </span>
          <span className="grow" />
          <IconButton
            small
            icon="edit"
            label={`Edit the note for ${placeName(bookmark.place)}`}
            onClick={() => reviewing.openNote(bookmark.id)}
          />
        </>
      ) : (
        <NoteForm key={written.id} bookmark={written} onDone={() => reviewing.closeNote()} />
      )}
    </div>
  )
}
