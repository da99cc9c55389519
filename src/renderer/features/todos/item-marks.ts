import type { TodoSnapshot } from '#contract/methods.ts'
import type { TodoStatus } from '#core/events/todo.ts'
import { type ListChange, statusOf } from './list-changes.ts'

/** What a change did to one item of the list that it made. */
export interface ItemMark {
  /** It is new, or it comes back; null for one that was there. */
  readonly came: 'added' | 'returned' | null
  /** The status it had before, null if that is unchanged. */
  readonly before: TodoStatus | null
  /** Its 0-based place before, null if it passed no other item. */
  readonly movedFrom: number | null
  /** What it said before, null if that is unchanged. */
  readonly editedFrom: string | null
}

const unchanged: ItemMark = { came: null, before: null, movedFrom: null, editedFrom: null }

/** For each item what changed about it; null where nothing did. Items of equal text take the change that fits them, in order. */
export function marksOf(items: TodoSnapshot['items'], changes: readonly ListChange[]): (ItemMark | null)[] {
  const byText = new Map<string, ListChange[]>()
  for (const change of changes) {
    const known = byText.get(change.text)
    if (known === undefined) byText.set(change.text, [change])
    else known.push(change)
  }
  return items.map((item, place) => {
    let mark: ItemMark | null = null
    const left: ListChange[] = []
    for (const change of byText.get(item.text) ?? []) {
      const next = markWith(mark ?? unchanged, change, item.status, place)
      if (next === null) left.push(change)
      else mark = next
    }
    byText.set(item.text, left)
    return mark
  })
}

/** `mark` with `change`, null if the change is not about the item at `place`, or another one of its kind is taken. */
function markWith(mark: ItemMark, change: ListChange, status: TodoStatus, place: number): ItemMark | null {
  const fresh = mark.came === null && mark.before === null
  if (change.kind === 'edited') return change.to === place ? { ...mark, editedFrom: change.from } : null
  if (change.kind === 'added' || change.kind === 'returned') {
    return change.to === status && fresh ? { ...mark, came: change.kind } : null
  }
  if (change.kind === 'status' && change.to === status && fresh) return { ...mark, before: statusOf(change.from) }
  if (change.kind === 'moved' && change.to === place) return { ...mark, movedFrom: Number(change.from) }
  return null
}
