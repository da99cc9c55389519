import { isJsonObject, stringAt, type JsonValue } from '../json.ts'

/** How far a task is, in the words of the `tasks` table. It has none for a cancelled one. */
export type TaskStatus = 'pending' | 'in_progress' | 'completed'

/** A row of the `tasks` table as an agent's todo list gives it (docs/seeds.md#todowrite-bridge). */
export interface TaskRow {
  /** `sdk-{sessionId}-{index}`: the whole session id, so that two sessions never share a row. */
  readonly id: string
  readonly session_id: string
  readonly title: string
  readonly status: TaskStatus
  /** null: the todo has no "present-continuous" form. */
  readonly description: string | null
  readonly sort_order: number
  readonly source: 'sdk'
}

/** The status of a task for that of a todo. Whatever else there is, of any type, is `pending` (docs/seeds.md#todowrite-bridge). */
export function mapStatus(status: unknown): TaskStatus {
  return status === 'in_progress' || status === 'completed' ? status : 'pending'
}

/**
 * The rows of a session for one todo list, in its order. As the readers of todo lists do, an entry that is no object, or whose `content` is
 * no text or only white space, is skipped and never fatal; those after it keep their place in the list, and so their ids. A status is never a
 * reason to skip one: docs/seeds.md#todowrite-bridge maps it.
 */
export function taskRows(sessionId: string, todos: readonly JsonValue[]): TaskRow[] {
  return todos.flatMap((todo, index) => {
    const title = isJsonObject(todo) ? stringAt(todo, 'content') : undefined
    if (!isJsonObject(todo) || title === undefined || title.trim() === '') return []
    return {
      id: `sdk-${sessionId}-${index}`,
      session_id: sessionId,
      title,
      status: mapStatus(todo['status']),
      description: stringAt(todo, 'activeForm') ?? null,
      sort_order: index,
      source: 'sdk' as const
    }
  })
}
