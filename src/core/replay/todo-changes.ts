import type { TodoItem, TodoStatus } from '../events/todo.ts'

/** One difference between two todo lists. `from` and `to` of a moved item are 0-based places in the two lists. */
export type TodoChange =
  | { kind: 'added'; text: string; from?: never; to: TodoStatus }
  | { kind: 'removed'; text: string; from: TodoStatus; to?: never }
  | { kind: 'status'; text: string; from: TodoStatus; to: TodoStatus }
  | { kind: 'moved'; text: string; from: number; to: number }

/**
 * What makes `after` of `before`: first what was removed, then the rest in the order of `after`.
 * Items are told by their text, equal texts by their order. Only an item that passed another kept one has moved:
 * an item put on top shifts all others and moves none.
 */
export function todoChanges(before: readonly TodoItem[], after: readonly TodoItem[]): TodoChange[] {
  if (before === after) return []
  const places = placesByText(before)
  const formerPlaces = after.map(({ text }) => places.get(text)?.pop() ?? -1)
  const changes: TodoChange[] = []
  const kept = new Set(formerPlaces)
  before.forEach(({ text, status }, place) => {
    if (!kept.has(place)) changes.push({ kind: 'removed', text, from: status })
  })
  const inOrder = longestAscent(formerPlaces)
  after.forEach(({ text, status }, to) => {
    const from = formerPlaces[to] ?? -1
    const former = before[from]
    if (former === undefined) {
      changes.push({ kind: 'added', text, to: status })
      return
    }
    if (former.status !== status) changes.push({ kind: 'status', text, from: former.status, to: status })
    if (!inOrder.has(from)) changes.push({ kind: 'moved', text, from, to })
  })
  return changes
}

/** The places of each text, the first one last. */
function placesByText(items: readonly TodoItem[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, { text }] of [...items.entries()].reverse()) {
    const same = places.get(text)
    if (same === undefined) places.set(text, [place])
    else same.push(place)
  }
  return places
}

/** The members of a longest ascending subsequence of `values`; negative values are no part of the sequence. */
function longestAscent(values: readonly number[]): Set<number> {
  /** The least value that ends an ascent of length index + 1. */
  const ends: number[] = []
  /** For each value the one before it in the longest ascent that it ends. */
  const previous = new Map<number, number | undefined>()
  for (const value of values) {
    if (value < 0) continue
    const length = countBelow(ends, value)
    previous.set(value, ends[length - 1])
    ends[length] = value
  }
  const ascent = new Set<number>()
  for (let value = ends.at(-1); value !== undefined; value = previous.get(value)) ascent.add(value)
  return ascent
}

/** How many of `ascending` are less than `value`. */
function countBelow(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}
