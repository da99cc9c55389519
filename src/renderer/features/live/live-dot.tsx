import './live-dot.css'
import { useLost } from '../../stores/app-store.ts'

/** Beside what has just grown; still while nobody can say so. Decoration: words say it as well. */
export function LiveDot() {
  return <span className="live-dot" data-still={useLost() || undefined} aria-hidden="true" />
}
