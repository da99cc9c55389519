import './review-panel.css'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { BookmarkList } from '../bookmarks/bookmark-list.tsx'
import { BreakpointList } from '../breakpoints/breakpoint-list.tsx'

/** Bookmarks and breakpoints of the shown log, below the sessions. */
export function ReviewPanel() {
  return (
    <div className="review-panel">
      <BreakpointList />
      <BookmarkList />
      <ReviewNote />
    </div>
  )
}

/** An undo for a removal, or why nothing can be stored. */
function ReviewNote() {
  const { reviewing } = useLogParts()
  const { phase, error, removed } = useLog((log) => log.review)
  return (
    <div className="review-message" aria-live="polite">
      {error !== null && (
        <p className="field-error">
          <Icon name="violation" size={12} />
          <span>
            {error}{' '}
            <button
              type="button"
              className="link"
              onClick={() => (phase === 'failed' ? reviewing.load() : reviewing.dismissError())}
            >
              {phase === 'failed' ? 'Try again' : 'Dismiss'}
            </button>
          </span>
        </p>
      )}
      {removed !== null && (
        <p className="t2">
          {removed.what === 'bookmark' ? 'Bookmark removed. ' : 'Breakpoint removed. '}
          <button type="button" className="link" onClick={() => reviewing.undoRemove()}>
            Undo
          </button>
        </p>
      )}
    </div>
  )
}
