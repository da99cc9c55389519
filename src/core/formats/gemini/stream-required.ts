import * as z from 'zod'
import type { JsonObject } from '../../json.ts'

const timestamp = z.string()
const failure = z.object({ type: z.string(), message: z.string() }).optional()

/** What each record of Gemini's stream-json must have (packages/core/src/output/types.ts). */
export const required = {
  init: z.object({ timestamp, session_id: z.string(), model: z.string() }),
  message: z.object({ timestamp, role: z.string(), content: z.string() }),
  toolUse: z.object({ timestamp, tool_name: z.string(), tool_id: z.string(), parameters: z.object({}).optional() }),
  toolResult: z.object({
    timestamp,
    tool_id: z.string(),
    status: z.string(),
    output: z.string().optional(),
    error: failure
  }),
  error: z.object({ timestamp, severity: z.string(), message: z.string() }),
  result: z.object({ timestamp, status: z.string(), error: failure, stats: z.object({}).optional() })
}

// docs/formats/gemini-stream-json.md#other-names-of-members-are-read
const calledOtherwise = z.object({ timestamp, name: z.string(), id: z.string(), input: z.object({}).optional() })
const answeredOtherwise = z.object({ timestamp, tool_use_id: z.string(), status: z.string() })

/** What a call must have, by the names it uses. */
export function requiredOfToolUse(record: JsonObject): z.ZodType {
  return record['tool_name'] === undefined && record['name'] !== undefined ? calledOtherwise : required.toolUse
}

/** What the result of a call must have, by the names it uses. */
export function requiredOfToolResult(record: JsonObject): z.ZodType {
  const otherwise = record['tool_id'] === undefined && record['tool_use_id'] !== undefined
  return otherwise ? answeredOtherwise : required.toolResult
}
