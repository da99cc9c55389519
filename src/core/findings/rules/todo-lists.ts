import type { TodoItem } from '../../events/todo.ts'
import { copied, ownText } from '../own-text.ts'

/** Items that a sentence names. */
const maxNamed = 10
const maxItem = 400

/** The open items of a list. */
export interface OpenTodos {
  readonly pending: number
  readonly inProgress: number
  /** The texts of the first ones, for `itemText`. */
  readonly items: readonly string[]
}

/** Null: none is open. */
export function openTodos(items: readonly TodoItem[]): OpenTodos | null {
  let pending = 0
  let inProgress = 0
  const named: string[] = []
  for (const { text, status } of items) {
    if (status === 'pending') pending++
    else if (status === 'in_progress') inProgress++
    else continue
    if (named.length < maxNamed) named.push(text.length <= maxItem ? text : copied(text.slice(0, maxItem)))
  }
  return pending + inProgress === 0 ? null : { pending, inProgress, items: named }
}

/** An item as a sentence names it. */
export function itemText(text: string): string {
  return ownText(text, 80)
}

/** "1 in progress, 3 pending". */
export function openText({ pending, inProgress }: OpenTodos): string {
  return [inProgress > 0 ? `${inProgress} in progress` : '', pending > 0 ? `${pending} pending` : '']
    .filter((part) => part !== '')
    .join(', ')
}
