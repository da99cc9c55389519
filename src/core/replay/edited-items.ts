import type { TodoItem } from '../events/todo.ts'
import { placesInOrder } from './item-matches.ts'

/** In a gap with more pairs of texts, items are matched by number only. */
const maxPairs = 10_000
/** Longer texts are never matched as reworded. */
const maxTextLength = 1000

/**
 * Which items of a todo list are edited items of the previous list: for each place of `after` the place in `before`, or
 * -1. `places`: from `placesByText`. `wanted`: the places of `after`, ascending, to match; all have no place.
 *
 * The items that kept their order divide both lists into gaps. In a gap, a removed and an added item are the same item
 *
 * 1. if the common start and end of their texts are at least half of the shorter one; in order;
 * 2. for the rest, between two such pairs, if as many were removed as added: in order.
 *
 * Finished work is never edited into unfinished work: that is another item.
 */
export function editedItems(
  before: readonly TodoItem[],
  after: readonly TodoItem[],
  places: readonly number[],
  wanted: readonly number[]
): number[] {
  const edited = after.map(() => -1)
  const kept = new Uint8Array(before.length)
  for (const from of places) if (from >= 0) kept[from] = 1
  const inOrder = placesInOrder(places, before.length)
  let place = 0
  let asked = 0
  /** The next unread place of `before`. */
  let former = 0
  while (asked < wanted.length) {
    // Up to the next item that kept its order.
    while (place < after.length && inOrder[places[place] ?? -1] !== 1) place++
    const end = place < after.length ? (places[place] ?? before.length) : before.length
    const added: number[] = []
    for (; (wanted[asked] ?? Infinity) < place; asked++) added.push(wanted[asked] ?? 0)
    const removed: number[] = []
    for (; former < end; former++) if (kept[former] === 0) removed.push(former)
    matchGap({ before, after, edited }, removed, added)
    former = end + 1
    place++
  }
  return edited
}

interface Lists {
  readonly before: readonly TodoItem[]
  readonly after: readonly TodoItem[]
  readonly edited: number[]
}

/** Matches a gap: places of removed items in `before`, and of added ones in `after`. */
function matchGap(lists: Lists, removed: readonly number[], added: readonly number[]): void {
  if (removed.length === 0 || added.length === 0) return
  if (removed.length * added.length > maxPairs) return matchByNumber(lists, removed, added)
  let removedFrom = 0
  let addedFrom = 0
  for (const [at, to] of added.entries()) {
    const found = removed.findIndex((from, i) => i >= removedFrom && isReworded(lists.before[from], lists.after[to]))
    if (found < 0) continue
    lists.edited[to] = removed[found] ?? -1
    matchByNumber(lists, removed.slice(removedFrom, found), added.slice(addedFrom, at))
    removedFrom = found + 1
    addedFrom = at + 1
  }
  matchByNumber(lists, removed.slice(removedFrom), added.slice(addedFrom))
}

function matchByNumber({ before, after, edited }: Lists, removed: readonly number[], added: readonly number[]): void {
  if (removed.length !== added.length) return
  for (const [at, to] of added.entries()) {
    const from = removed[at] ?? -1
    if (mayBecome(before[from], after[to])) edited[to] = from
  }
}

function isReworded(before: TodoItem | undefined, after: TodoItem | undefined): boolean {
  return before !== undefined && after !== undefined && mayBecome(before, after) && areAlike(before.text, after.text)
}

function mayBecome(before: TodoItem | undefined, after: TodoItem | undefined): boolean {
  return before !== undefined && after !== undefined && (!isFinished(before) || isFinished(after))
}

/** Whether an item is completed or cancelled. */
export function isFinished({ status }: Pick<TodoItem, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

function areAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  if (Math.max(one.length, other.length) > maxTextLength) return false
  let begin = 0
  while (begin < shorter && one[begin] === other[begin]) begin++
  let end = 0
  while (end < shorter - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return (begin + end) * 2 >= shorter
}
