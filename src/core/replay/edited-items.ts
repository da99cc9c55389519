import type { TodoItem } from '../events/todo.ts'
import { placesInOrder } from './item-matches.ts'

/** A gap in which more pairs of texts could be alike is not looked through for them: its items are told by their number alone. */
const mostPairs = 10_000
/** A longer text is no title that somebody reworded. */
const longestText = 1000

/**
 * Which items of a todo list are items of the list before with another text: for each place of `after` the place in `before`, or -1.
 * `places`: as of `placesByText`, for each place of `after` that of the same text before, -1 where there is none. `wanted`: the places of
 * `after`, ascending, whose items are asked for, all of them without a place.
 *
 * The items that stayed and kept their order divide both lists into gaps. In a gap, what went and what came are the same items edited
 *
 * 1. where the two texts begin and end alike, so that what they share makes at least half of the shorter one; in their order;
 * 2. of the rest, between two such, where as many went as came: the first is the first, and so on.
 *
 * Work that was finished is never edited into work that is to be done: that is another item.
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
  /** The next place of `before` that was not looked at. */
  let former = 0
  while (asked < wanted.length) {
    // Up to the next item that stayed where it was.
    while (place < after.length && inOrder[places[place] ?? -1] !== 1) place++
    const end = place < after.length ? (places[place] ?? before.length) : before.length
    const came: number[] = []
    for (; (wanted[asked] ?? Infinity) < place; asked++) came.push(wanted[asked] ?? 0)
    const went: number[] = []
    for (; former < end; former++) if (kept[former] === 0) went.push(former)
    matchGap({ before, after, edited }, went, came)
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

/** What went from between two items that stayed, and what came there: places in the lists before and after. */
function matchGap(lists: Lists, went: readonly number[], came: readonly number[]): void {
  if (went.length === 0 || came.length === 0) return
  if (went.length * came.length > mostPairs) return matchByNumber(lists, went, came)
  let wentFrom = 0
  let cameFrom = 0
  for (const [at, to] of came.entries()) {
    const found = went.findIndex((from, i) => i >= wentFrom && isReworded(lists.before[from], lists.after[to]))
    if (found < 0) continue
    lists.edited[to] = went[found] ?? -1
    matchByNumber(lists, went.slice(wentFrom, found), came.slice(cameFrom, at))
    wentFrom = found + 1
    cameFrom = at + 1
  }
  matchByNumber(lists, went.slice(wentFrom), came.slice(cameFrom))
}

function matchByNumber({ before, after, edited }: Lists, went: readonly number[], came: readonly number[]): void {
  if (went.length !== came.length) return
  for (const [at, to] of came.entries()) {
    const from = went[at] ?? -1
    if (mayBecome(before[from], after[to])) edited[to] = from
  }
}

function isReworded(before: TodoItem | undefined, after: TodoItem | undefined): boolean {
  return before !== undefined && after !== undefined && mayBecome(before, after) && areAlike(before.text, after.text)
}

function mayBecome(before: TodoItem | undefined, after: TodoItem | undefined): boolean {
  return before !== undefined && after !== undefined && (!isFinished(before) || isFinished(after))
}

/** Whether nothing is left to do of an item. */
export function isFinished({ status }: Pick<TodoItem, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

function areAlike(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  if (Math.max(one.length, other.length) > longestText) return false
  let begin = 0
  while (begin < shorter && one[begin] === other[begin]) begin++
  let end = 0
  while (end < shorter - begin && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  return (begin + end) * 2 >= shorter
}
