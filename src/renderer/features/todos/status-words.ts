import type { TodoFate } from '#core/replay/review.ts'

/** The words for a status, and for an item that was dropped. */
export const statusWords: Record<TodoFate, string> = {
  pending: 'pending',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled',
  dropped: 'dropped'
}
