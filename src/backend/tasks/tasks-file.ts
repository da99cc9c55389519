import { join } from 'node:path'

/** The database of tasks and tool results in a state folder. */
export function tasksFile(state: string): string {
  return join(state, 'tasks.db')
}
