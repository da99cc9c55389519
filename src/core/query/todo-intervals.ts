import type { RunIndex } from '../index/run-index.ts'
import { isAway, laneStates } from '../replay/todo-lanes.ts'
import type { QueryValue } from './query.ts'
import { insideMatch } from './value-match.ts'

/**
 * The rows from which on the todo lists meet a test, and from which on they do not, in turn, ascending. They do while the current list of any
 * track has an item with the text (null: any) and the status (null: any). `done` is `completed`; `dropped`: the item went before it was
 * finished, and has not come back.
 */
export function todoIntervals(
  { rows, todos }: RunIndex,
  text: QueryValue | null,
  status: string | null
): readonly number[] {
  const { lanes } = todos
  const { snapshot, lane, state, text: texts } = lanes.columns
  const matches = text === null ? (): boolean => true : insideMatch(text)
  const isMeant = Uint8Array.from({ length: lanes.texts }, (_, number) => (matches(lanes.textAt(number)) ? 1 : 0))
  const wanted = status === 'done' ? 'completed' : status
  const isWanted = Uint8Array.from(laneStates, (each) => ((wanted === null ? !isAway(each) : each === wanted) ? 1 : 0))
  const holds = new Uint8Array(lanes.count)
  let holding = 0
  const bounds: number[] = []
  for (let i = 0; i < snapshot.length; i++) {
    const at = lane[i] ?? 0
    const now = isWanted[state[i] ?? 0] === 1 && isMeant[texts[i] ?? 0] === 1 ? 1 : 0
    holding += now - (holds[at] ?? 0)
    holds[at] = now
    const isLast = snapshot[i + 1] !== snapshot[i]
    if (isLast && holding > 0 === (bounds.length % 2 === 0)) bounds.push(rows.rowOf(todos.seqOf(snapshot[i] ?? 0)))
  }
  return withoutEmpty(bounds)
}

/** Several lists may change at one row: a state that lasts for no row is ignored. */
export function withoutEmpty(bounds: readonly number[]): readonly number[] {
  const kept: number[] = []
  for (const bound of bounds) {
    if (kept.at(-1) === bound) kept.pop()
    else kept.push(bound)
  }
  return kept
}
