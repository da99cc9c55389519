import type { TodoStatus } from '#core/events/todo.ts'

/** What a person calls a status. */
export const statusWords: Record<TodoStatus, string> = {
  pending: 'pending',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled'
}
