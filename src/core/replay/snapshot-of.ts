import type { AgentEvent } from '../events/agent-event.ts'
import type { TodoSnapshot } from './todo-history.ts'

/** The todo snapshot that a `todo_list` event is; null for any other event. `line`: where it stands in the log that is read. */
export function snapshotOf(event: AgentEvent, seq: number, line: number): TodoSnapshot | null {
  if (event.type !== 'todo_list') return null
  const { timestamp, agentId, trackId, todoId, items } = event
  return { seq, line, timestamp, agentId, ...(trackId === undefined ? undefined : { trackId }), todoId, items }
}
