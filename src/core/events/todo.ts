import * as z from 'zod'

/** All statuses, in the order of progress (docs/seeds.md#agent-event-todo-types). */
export const todoStatuses = ['pending', 'in_progress', 'completed', 'cancelled'] as const

/** `cancelled` comes from Gemini only. */
export type TodoStatus = (typeof todoStatuses)[number]
export const TodoStatus: z.ZodType<TodoStatus> = z.enum(todoStatuses)

/** One item of a todo list. No further members: docs/seeds.md#agent-event-todo-types. */
export interface TodoItem {
  /** Never blank. */
  text: string
  status: TodoStatus
}

export const TodoItem: z.ZodType<TodoItem> = z.object({
  text: z.string().regex(/\S/, 'must not be empty'),
  status: TodoStatus
})

/** Invalid items are skipped, never fatal: docs/formats/README.md#a-todo-item-has-a-text-and-a-status. */
export function isValidTodoItem(item: unknown): item is TodoItem {
  if (typeof item !== 'object' || item === null) return false
  const { text, status } = item as { text?: unknown; status?: unknown }
  return typeof text === 'string' && text.trim() !== '' && todoStatuses.includes(status as TodoStatus)
}

export function sameTodoItems(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  return (
    a.length === b.length && a.every((item, index) => item.text === b[index]?.text && item.status === b[index]?.status)
  )
}
