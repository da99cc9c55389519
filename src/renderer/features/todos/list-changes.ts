import type { TodoSnapshot } from '#contract/methods.ts'
import { type TodoStatus, todoStatuses } from '#core/events/todo.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'

/** A difference from the previous list. Edited: `from` old text, `to` place. Returned: `to` is the status. */
export type ListChange =
  | TodoSnapshot['changes'][number]
  | { readonly kind: 'edited'; readonly text: string; readonly from: string; readonly to: number }
  | { readonly kind: 'returned'; readonly text: string; readonly from?: undefined; readonly to: string }

/** The changes of a list. An edited text is one change, not a removal and an addition. A returned item is not new. */
export function listChanges({
  items,
  changes,
  edited,
  returned
}: Pick<TodoSnapshot, 'items' | 'changes' | 'edited' | 'returned'>): ListChange[] {
  if (edited.length + returned.length === 0) return changes
  const places = new Map<string, number[]>()
  for (const [at, { kind, text, dropped }] of changes.entries()) {
    // A dropped item was not edited, even if another item with the same text was.
    if (dropped === true) continue
    const key = `${kind} ${text}`
    const known = places.get(key)
    if (known === undefined) places.set(key, [at])
    else known.push(at)
  }
  const listed: (readonly ListChange[] | undefined)[] = changes.map((change) => [change])
  for (const { place, from } of edited) {
    const item = items[place]
    if (item === undefined) continue
    const removed = places.get(`removed ${from}`)?.shift()
    const added = places.get(`added ${item.text}`)?.shift()
    if (removed === undefined || added === undefined) continue
    const before = changes[removed]?.from
    listed[removed] = []
    listed[added] = [
      { kind: 'edited', text: item.text, from, to: place },
      ...(before === undefined || before === item.status
        ? []
        : [{ kind: 'status' as const, text: item.text, from: before, to: item.status }])
    ]
  }
  for (const place of returned) {
    const item = items[place]
    if (item === undefined) continue
    const added = places.get(`added ${item.text}`)?.shift()
    if (added !== undefined) listed[added] = [{ kind: 'returned', text: item.text, to: item.status }]
  }
  return listed.flatMap((each) => each ?? [])
}

/** A removed item with its last status. */
export interface RemovedItem {
  readonly text: string
  readonly status: TodoStatus
  /** Whether it was unfinished. */
  readonly dropped: boolean
}

export function removedOf(changes: readonly ListChange[]): RemovedItem[] {
  return changes.flatMap((change) =>
    change.kind === 'removed'
      ? [{ text: change.text, status: statusOf(change.from) ?? 'pending', dropped: isDropped(change) }]
      : []
  )
}

function isDropped(change: ListChange): boolean {
  return change.kind === 'removed' && change.dropped === true
}

export function statusOf(value: string | number | undefined): TodoStatus | null {
  return todoStatuses.find((status) => status === value) ?? null
}

/** Changes of items, by their words. */
const happenings: readonly {
  readonly word: string
  readonly sign?: string
  readonly is: (change: ListChange) => boolean
}[] = [
  { word: 'done', sign: '+', is: ({ kind, to }) => kind === 'status' && to === 'completed' },
  { word: 'started', is: ({ kind, to }) => kind === 'status' && to === 'in_progress' },
  { word: 'cancelled', is: ({ kind, to }) => kind === 'status' && to === 'cancelled' },
  { word: 'reopened', is: ({ kind, to }) => kind === 'status' && to === 'pending' },
  { word: 'edited', is: ({ kind }) => kind === 'edited' },
  { word: 'came back', is: ({ kind }) => kind === 'returned' },
  { word: 'added', is: ({ kind }) => kind === 'added' },
  { word: 'dropped', is: isDropped },
  { word: 'removed', is: (change) => change.kind === 'removed' && !isDropped(change) },
  { word: 'moved', is: ({ kind }) => kind === 'moved' }
]

/** "+1 done, 1 started, 1 added"; "no change" for an equal list. `more`: number of changes not in `changes`. */
export function changeWords(changes: readonly ListChange[], more: number): string {
  const words = happenings.flatMap(({ word, sign = '', is }) => {
    const count = changes.filter(is).length
    return count === 0 ? [] : [`${sign}${formatCount(count)} ${word}`]
  })
  if (more > 0) words.push(formatPlural(more, 'more change'))
  return words.length === 0 ? 'no change' : words.join(', ')
}

/** The texts of changed items by word: "done", ["Read"]. In the order of `changeWords`. */
export function changedItems(changes: readonly ListChange[]): { readonly word: string; readonly texts: string[] }[] {
  return happenings.flatMap(({ word, is }) => {
    const texts = changes.filter(is).map(({ text }) => text)
    return texts.length === 0 ? [] : [{ word, texts }]
  })
}

/** "1 in progress · 1 cancelled · 1 dropped": what the number of completed items does not cover. */
export function restWords({ items, dropped }: Pick<TodoSnapshot, 'items' | 'dropped'>): string {
  const counts = [
    [items.filter((item) => item.status === 'in_progress').length, 'in progress'],
    [items.filter((item) => item.status === 'cancelled').length, 'cancelled'],
    [dropped, 'dropped']
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`)
    .join(' · ')
}
