import type { TodoSnapshot } from '#contract/methods.ts'
import { type TodoStatus, todoStatuses } from '#core/events/todo.ts'
import { formatCount } from '../../ui/format.ts'

type Changes = TodoSnapshot['changes']

/** What a change did to one item of the list that it made. */
export interface ItemMark {
  readonly added: boolean
  /** The status it had before, null if that is unchanged. */
  readonly before: TodoStatus | null
  /** Its 0-based place before, null if it passed no other item. */
  readonly movedFrom: number | null
}

const unchanged: ItemMark = { added: false, before: null, movedFrom: null }

/** For each item what changed about it; null where nothing did. Items of equal text take the change that fits them, in order. */
export function marksOf({ items, changes }: Pick<TodoSnapshot, 'items' | 'changes'>): (ItemMark | null)[] {
  const byText = new Map<string, Changes>()
  for (const change of changes) byText.set(change.text, [...(byText.get(change.text) ?? []), change])
  return items.map((item, place) => {
    let mark: ItemMark | null = null
    const left: Changes = []
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
function markWith(mark: ItemMark, change: Changes[number], status: TodoStatus, place: number): ItemMark | null {
  const fresh = !mark.added && mark.before === null
  if (change.kind === 'added' && change.to === status && fresh) return { ...mark, added: true }
  if (change.kind === 'status' && change.to === status && fresh) return { ...mark, before: statusOf(change.from) }
  if (change.kind === 'moved' && change.to === place) return { ...mark, movedFrom: Number(change.from) }
  return null
}

function statusOf(value: string | number | undefined): TodoStatus | null {
  return todoStatuses.find((status) => status === value) ?? null
}

export function removedOf(changes: Changes): string[] {
  return changes.filter((change) => change.kind === 'removed').map((change) => change.text)
}

/** "+1 done, 1 started, 1 added"; "no change" where a list was written again as it was. */
export function changeWords(changes: Changes): string {
  const words = [
    counted(changes, 'done', (change) => change.kind === 'status' && change.to === 'completed', '+'),
    counted(changes, 'started', (change) => change.kind === 'status' && change.to === 'in_progress'),
    counted(changes, 'cancelled', (change) => change.kind === 'status' && change.to === 'cancelled'),
    counted(changes, 'put back', (change) => change.kind === 'status' && change.to === 'pending'),
    counted(changes, 'added', (change) => change.kind === 'added'),
    counted(changes, 'removed', (change) => change.kind === 'removed'),
    counted(changes, 'moved', (change) => change.kind === 'moved')
  ].filter((word) => word !== null)
  return words.length === 0 ? 'no change' : words.join(', ')
}

function counted(changes: Changes, word: string, is: (change: Changes[number]) => boolean, sign = ''): string | null {
  const count = changes.filter(is).length
  return count === 0 ? null : `${sign}${formatCount(count)} ${word}`
}

/** "1 active · 1 cancelled": what the figure of completed items does not say. */
export function restWords(items: TodoSnapshot['items']): string {
  const active = items.filter((item) => item.status === 'in_progress').length
  const cancelled = items.filter((item) => item.status === 'cancelled').length
  return [active > 0 ? `${formatCount(active)} active` : '', cancelled > 0 ? `${formatCount(cancelled)} cancelled` : '']
    .filter((word) => word !== '')
    .join(' · ')
}
