import type { AgentEvent } from '../events/agent-event.ts'
import type { LinePosition } from '../formats/log-format.ts'
import type { TodoSnapshot } from './todo-history.ts'

/** The snapshot of a `todo_list` event; null for any other event. `at`: its position in the run. */
export function snapshotOf(
  event: AgentEvent,
  seq: number,
  at: Pick<LinePosition, 'file' | 'line'>
): TodoSnapshot | null {
  if (event.type !== 'todo_list') return null
  const { timestamp, agentId, trackId, todoId, items } = event
  return {
    seq,
    ...(at.file === undefined ? undefined : { file: at.file }),
    line: at.line,
    timestamp,
    agentId,
    ...(trackId === undefined ? undefined : { trackId }),
    todoId,
    items
  }
}
