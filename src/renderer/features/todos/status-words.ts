import type { TodoFate } from '#core/replay/review.ts'

/** What a person calls a status, and what is said of an item that went before it was finished. */
export const statusWords: Record<TodoFate, string> = {
  pending: 'pending',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled',
  dropped: 'dropped'
}
