import type { RunIndex } from '../index/run-index.ts'
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
  const matches = text === null ? (): boolean => true : insideMatch(text)
  const wanted = status === 'done' ? 'completed' : status
  const holding = new Set<string | undefined>()
  const bounds: number[] = []
  for (let index = 0; index < todos.length; index++) {
    const snapshot = todos.at(index)
    if (snapshot === undefined) continue
    const { seq, trackId, items } = snapshot
    const holds =
      wanted === 'dropped'
        ? todos.droppedItems(index).some((item) => matches(item))
        : items.some((item) => (wanted === null || item.status === wanted) && matches(item.text))
    const before = holding.size > 0
    if (holds) holding.add(trackId)
    else holding.delete(trackId)
    if (holding.size > 0 !== before) bounds.push(rows.rowOf(seq))
  }
  return withoutEmpty(bounds)
}

/** Several lists may change at one row: a state that lasts for no row is none. */
function withoutEmpty(bounds: readonly number[]): readonly number[] {
  const kept: number[] = []
  for (const bound of bounds) {
    if (kept.at(-1) === bound) kept.pop()
    else kept.push(bound)
  }
  return kept
}
