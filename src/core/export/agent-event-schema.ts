import * as z from 'zod'
import { AgentEvent } from '../events/agent-event.ts'

/** `AgentEvent` as a JSON Schema (draft 2020-12). Like the zod schema, it allows further keys. */
export function agentEventJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(AgentEvent, { io: 'input', unrepresentable: 'any' })
  return {
    $schema,
    title: 'AgentEvent',
    description: 'One event of the log of a coding agent, as Playhead exports it: one a line of normalized JSONL.',
    ...schema
  }
}
