import type { TodoSnapshot } from '#contract/methods.ts'
import type { TodoStatus } from '#core/events/todo.ts'
import { type ListChange, statusOf } from './list-changes.ts'

/** The change of one item in the list that changed it. */
export interface ItemChange {
  /** Whether it is new or returned; null if it was there before. */
  readonly arrived: 'added' | 'returned' | null
  /** Its previous status; null if unchanged. */
  readonly before: TodoStatus | null
  /** Its previous 0-based place; null if it passed no other item. */
  readonly movedFrom: number | null
  /** Its previous text; null if unchanged. */
  readonly editedFrom: string | null
}

const unchanged: ItemChange = { arrived: null, before: null, movedFrom: null, editedFrom: null }

/** The change of each item; null for none. Items with the same text take the matching changes in order. */
export function itemChanges(items: TodoSnapshot['items'], changes: readonly ListChange[]): (ItemChange | null)[] {
  const byText = new Map<string, ListChange[]>()
  for (const change of changes) {
    const known = byText.get(change.text)
    if (known === undefined) byText.set(change.text, [change])
    else known.push(change)
  }
  return items.map((item, place) => {
    let known: ItemChange | null = null
    const left: ListChange[] = []
    for (const change of byText.get(item.text) ?? []) {
      const next = withChange(known ?? unchanged, change, item.status, place)
      if (next === null) left.push(change)
      else known = next
    }
    byText.set(item.text, left)
    return known
  })
}

/** `known` with `change` added; null if the change is of another item, or `known` has one of its kind. */
function withChange(known: ItemChange, change: ListChange, status: TodoStatus, place: number): ItemChange | null {
  const fresh = known.arrived === null && known.before === null
  if (change.kind === 'edited') return change.to === place ? { ...known, editedFrom: change.from } : null
  if (change.kind === 'added' || change.kind === 'returned') {
    return change.to === status && fresh ? { ...known, arrived: change.kind } : null
  }
  if (change.kind === 'status' && change.to === status && fresh) return { ...known, before: statusOf(change.from) }
  if (change.kind === 'moved' && change.to === place) return { ...known, movedFrom: Number(change.from) }
  return null
}
