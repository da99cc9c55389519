import { isJsonObject, stringAt, type JsonValue } from '../json.ts'

/** The status in the `tasks` table, which has none for cancelled tasks. */
export type TaskStatus = 'pending' | 'in_progress' | 'completed'

/** A row of the `tasks` table from an agent's todo list (docs/seeds.md#todowrite-bridge). */
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

/** The task status of a todo status. Any other value is `pending` (docs/seeds.md#todowrite-bridge). */
export function mapStatus(status: unknown): TaskStatus {
  return status === 'in_progress' || status === 'completed' ? status : 'pending'
}

/**
 * The rows of a todo list, in order. An entry that is not an object, or whose `content` is not a text or is blank, is
 * skipped; later entries keep their index and id. The status never skips an entry: docs/seeds.md#todowrite-bridge maps
 * it.
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
