import type { TodoItem } from '../../events/todo.ts'
import { ownText } from '../own-text.ts'

/** Items that a sentence names. */
const maxNamed = 10

/** The open items of a list. */
export interface OpenTodos {
  readonly pending: number
  readonly inProgress: number
  /** The texts of the first ones. */
  readonly items: readonly string[]
}

/** Null: none is open. */
export function openTodos(items: readonly TodoItem[]): OpenTodos | null {
  const open = items.filter(({ status }) => status === 'pending' || status === 'in_progress')
  if (open.length === 0) return null
  const inProgress = open.filter(({ status }) => status === 'in_progress').length
  return {
    pending: open.length - inProgress,
    inProgress,
    items: open.slice(0, maxNamed).map(({ text }) => ownText(text, 80))
  }
}

/** "1 in progress, 3 pending". */
export function openText({ pending, inProgress }: OpenTodos): string {
  return [inProgress > 0 ? `${inProgress} in progress` : '', pending > 0 ? `${pending} pending` : '']
    .filter((part) => part !== '')
    .join(', ')
}
