import { z } from 'zod'
import type { JsonObject } from '../../json.ts'

const timestamp = z.string()
const failure = z.object({ type: z.string(), message: z.string() }).optional()

/** What the records of Gemini's stream-json must have, by their type (packages/core/src/output/types.ts). */
const required: Readonly<Record<string, z.ZodType>> = {
  init: z.object({ timestamp, session_id: z.string(), model: z.string() }),
  message: z.object({ timestamp, role: z.string(), content: z.string(), delta: z.boolean().optional() }),
  tool_use: z.object({ timestamp, tool_name: z.string(), tool_id: z.string(), parameters: z.object({}).optional() }),
  tool_result: z.object({
    timestamp,
    tool_id: z.string(),
    status: z.string(),
    output: z.string().optional(),
    error: failure
  }),
  error: z.object({ timestamp, severity: z.string(), message: z.string() }),
  result: z.object({ timestamp, status: z.string(), error: failure, stats: z.object({}).optional() })
}

/** Names a tool call may have as well (seed gemini-parser-write-todos 4). */
const calledOtherwise = z.object({ timestamp, name: z.string(), id: z.string(), input: z.object({}).optional() })
const answeredOtherwise = z.object({ timestamp, tool_use_id: z.string(), status: z.string() })

const untyped = z.object({ type: z.string() })

/** The schema of a record of this type; of its type alone where it has none, null where nobody knows it. */
export function requiredOf(record: JsonObject): z.ZodType | null {
  const type = record['type']
  if (typeof type !== 'string') return untyped
  if (type === 'tool_use' && !('tool_name' in record) && 'name' in record) return calledOtherwise
  if (type === 'tool_result' && !('tool_id' in record) && 'tool_use_id' in record) return answeredOtherwise
  return Object.hasOwn(required, type) ? (required[type] ?? null) : null
}
