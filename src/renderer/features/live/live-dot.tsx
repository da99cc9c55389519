import './live-dot.css'
import { useLost } from '../../stores/app-store.ts'

/** A dot for a live log; it does not pulse while the connection is lost. Decoration: text states it too. */
export function LiveDot() {
  return <span className="live-dot" data-still={useLost() || undefined} aria-hidden="true" />
}
