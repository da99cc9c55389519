/** A read error with a button to retry. */
export function Failed({ what, message, onRetry }: { what: string; message: string; onRetry: () => void }) {
  return (
    <div className="inspector-failed vstack">
      <p className="s-malformed">
        {what} could not be read: {message}
      </p>
      <button type="button" className="btn edged" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}
