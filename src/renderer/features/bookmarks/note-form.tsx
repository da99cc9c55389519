import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Bookmark, maxNote } from '#core/replay/review.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { placeName } from '../breakpoints/breakpoint-words.ts'

/** Takes the focus. Enter or leaving the field saves the note, Escape does not. */
export function NoteForm({ bookmark, onDone }: { bookmark: Bookmark; onDone: () => void }) {
  const { reviewing } = useLogParts()
  const [note, setNote] = useState(bookmark.note)
  const input = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  useLayoutEffect(() => {
    const own = input.current
    const before = document.activeElement
    own?.focus()
    return () => {
      if (own === document.activeElement && before instanceof HTMLElement) before.focus()
    }
  }, [])
  const finish = (kept: boolean) => {
    // Restoring the focus leaves the field a second time.
    if (isDone.current) return
    isDone.current = true
    if (kept) reviewing.setNote(bookmark.id, note)
    onDone()
  }
  return (
    <form
      className="review-note"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        finish(true)
      }}
    >
      <div className="field">
        <input
          ref={input}
          type="text"
          aria-label={`Note for ${placeName(bookmark.place)}`}
          placeholder="Note (Enter to keep, Esc to leave it empty)"
          maxLength={maxNote}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onBlur={() => finish(true)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // The surrounding panel would close too.
            event.stopPropagation()
            finish(false)
          }}
        />
      </div>
    </form>
  )
}
