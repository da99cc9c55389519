import type { Side } from '../../stores/comparison.ts'

/** The letter of a session: A is the baseline. */
export function SideMark({ side }: { side: Side }) {
  return <span className={side === 'a' ? 'side-mark num' : 'side-mark num side-b'}>{side.toUpperCase()}</span>
}
