import './live-dot.css'

/** Beside a log that has just grown. Decoration: words say it as well. */
export function LiveDot() {
  return <span className="live-dot" aria-hidden="true" />
}
