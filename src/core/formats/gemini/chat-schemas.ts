import * as z from 'zod'

/** What can be content: a text, a part, or a list of them. */
const content = z.union([z.string(), z.object({}), z.array(z.unknown())])

const toolCall = z.object({ id: z.string(), name: z.string(), args: z.object({}), status: z.string() })

const message = z.object({
  id: z.string(),
  timestamp: z.string(),
  type: z.string(),
  content,
  toolCalls: z.array(toolCall).nullish(),
  thoughts: z.array(z.object({})).nullish()
})

const messages = z.array(message).nullish()

/** The paths this reader relies on, by kind of record (chatRecordingTypes.ts). The rest of a record may be anything. */
export const chatSchemas = {
  /** What every record is. */
  object: z.object({}),
  header: z.object({ sessionId: z.string(), projectHash: z.string(), startTime: z.string(), messages }),
  message,
  update: z.object({ $set: z.object({ messages }) }),
  rewind: z.object({ $rewindTo: z.string() }),
  logEntry: z.object({
    sessionId: z.string(),
    messageId: z.number(),
    type: z.string(),
    message: z.string(),
    timestamp: z.string()
  })
} as const
