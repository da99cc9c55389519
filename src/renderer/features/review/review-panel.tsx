import './review-panel.css'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { BookmarkList } from '../bookmarks/bookmark-list.tsx'
import { BreakpointList } from '../breakpoints/breakpoint-list.tsx'

/** What a person noted of the log that is shown: at the bottom of the runs. */
export function ReviewPanel() {
  return (
    <div className="review-panel">
      <BreakpointList />
      <BookmarkList />
      <ReviewNote />
    </div>
  )
}

/** That something was removed and may come back, or why nothing can be kept. */
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
