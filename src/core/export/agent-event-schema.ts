import * as z from 'zod'
import { AgentEvent } from '../events/agent-event.ts'

/**
 * `AgentEvent` as a JSON Schema (draft 2020-12), for readers of an export in other languages: each line of it is an instance.
 * It holds for a line with further keys, too, as the zod schema does.
 */
export function agentEventJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(AgentEvent, { io: 'input', unrepresentable: 'any' })
  return {
    $schema,
    title: 'AgentEvent',
    description: 'One event of the log of a coding agent, as Playhead exports it: one a line of normalized JSONL.',
    ...schema
  }
}
