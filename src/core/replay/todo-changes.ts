import type { TodoItem, TodoStatus } from '../events/todo.ts'
import { placesByText, placesInOrder } from './item-matches.ts'

/**
 * One difference between two todo lists. `from` and `to` of a moved item are 0-based places. `dropped`: removed
 * unfinished and not edited into another item.
 */
export type TodoChange =
  | { kind: 'added'; text: string; from?: never; to: TodoStatus }
  | { kind: 'removed'; text: string; from: TodoStatus; to?: never; dropped?: true }
  | { kind: 'status'; text: string; from: TodoStatus; to: TodoStatus }
  | { kind: 'moved'; text: string; from: number; to: number }

/**
 * The changes from `before` to `after`: first the removed items, then the rest in the order of `after`. Items are
 * matched by text, equal texts by order. Only an item that passed another kept one has moved: inserting at the top
 * moves none. `dropped`: the places in `before` of dropped items, which need the history (`TodoHistory.changes`).
 */
export function todoChanges(
  before: readonly TodoItem[],
  after: readonly TodoItem[],
  dropped: ReadonlySet<number> = nothing
): TodoChange[] {
  if (before === after) return []
  const formerPlaces = placesByText(before.map(textOf), after.map(textOf))
  const changes: TodoChange[] = []
  const kept = new Set(formerPlaces)
  before.forEach(({ text, status }, place) => {
    if (kept.has(place)) return
    changes.push({ kind: 'removed', text, from: status, ...(dropped.has(place) ? { dropped: true as const } : {}) })
  })
  const inOrder = placesInOrder(formerPlaces, before.length)
  after.forEach(({ text, status }, to) => {
    const from = formerPlaces[to] ?? -1
    const former = before[from]
    if (former === undefined) {
      changes.push({ kind: 'added', text, to: status })
      return
    }
    if (former.status !== status) changes.push({ kind: 'status', text, from: former.status, to: status })
    if (inOrder[from] === 0) changes.push({ kind: 'moved', text, from, to })
  })
  return changes
}

/** Whether a change removed an unfinished item. */
export function isDropped(change: TodoChange): boolean {
  return change.kind === 'removed' && change.dropped === true
}

const nothing: ReadonlySet<number> = new Set()

function textOf({ text }: TodoItem): string {
  return text
}
