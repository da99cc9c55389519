import * as z from 'zod'

/** All statuses, in the order in which work moves through them (docs/seeds.md#agent-event-todo-types). */
export const todoStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const

/** `cancelled` comes from Gemini only. */
export type TodoStatus = (typeof todoStatuses)[number]
export const TodoStatus: z.ZodType<TodoStatus> = z.enum(todoStatuses)

/** One item of a todo list: what is to be done and how far it is. Nothing else: docs/seeds.md#agent-event-todo-types. */
export interface TodoItem {
  /** Never empty or only white space. */
  text: string
  status: TodoStatus
}

export const TodoItem: z.ZodType<TodoItem> = z.object({
  text: z.string().regex(/\S/, 'must not be empty'),
  status: TodoStatus
})

/** Whether `item` may stand in a todo list. Invalid items are skipped, never fatal: docs/formats/README.md#a-todo-item-has-a-text-and-a-status. */
export function isValidTodoItem(item: unknown): item is TodoItem {
  if (typeof item !== 'object' || item === null) return false
  const { text, status } = item as { text?: unknown; status?: unknown }
  return typeof text === 'string' && text.trim() !== '' && todoStatuses.includes(status as TodoStatus)
}

/** Whether two lists say the same. */
export function sameTodoItems(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  return (
    a.length === b.length && a.every((item, index) => item.text === b[index]?.text && item.status === b[index]?.status)
  )
}
