import type { ToolCompleted } from '../events/agent-event.ts'
import type { StatedDuration } from './stated-amounts.ts'

/** The result of a call: `text` is its output, or its error if it `failed`. */
export function toolCompleted(
  toolId: string,
  failed: boolean,
  text: string,
  duration?: StatedDuration | undefined
): ToolCompleted {
  const draft: ToolCompleted = failed
    ? { type: 'tool.completed', toolId, error: text }
    : { type: 'tool.completed', toolId, output: text }
  // Assigned, as a spread costs ten times as much.
  return duration === undefined ? draft : Object.assign(draft, duration)
}
