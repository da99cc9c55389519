import * as z from 'zod'
import { SessionCard } from '#core/library/session-card.ts'

export const SessionEnd = z.enum(['done', 'error', 'interrupted', 'open', 'empty'])

const HeadCard = SessionCard.pick({
  agent: true,
  sessionId: true,
  title: true,
  titleFrom: true,
  project: true,
  branch: true,
  model: true,
  version: true,
  startedAt: true,
  endedAt: true,
  forkedFrom: true
}).extend({ end: SessionEnd, parentSession: z.string().nullable(), wantsMore: z.boolean() })

/** Facts from the head and tail of a log, for its card. Stored in the database as JSON. */
export const LogHead = z.object({
  facts: z.object({
    device: z.string(),
    inode: z.string(),
    bytes: z.number(),
    modified: z.number(),
    changed: z.number()
  }),
  agent: SessionCard.shape.agent,
  /** Null: unreadable, or no format claims it. */
  format: z.string().nullable(),
  framing: z.enum(['lines', 'document']),
  isPacked: z.boolean(),
  /** It has no content. */
  isEmpty: z.boolean(),
  /** Why it is unreadable, a sentence; null: readable. */
  problem: z.string().nullable(),
  /** It was read, and no format claims it. */
  isForeign: z.boolean(),
  /** Null: empty, foreign or unreadable. */
  card: HeadCard.nullable(),
  /** Bytes of the head that were read. */
  headBytes: z.number(),
  /** Hash of the last bytes: tells an append from a rewrite. */
  tailPrint: z.string()
})
export type LogHead = z.infer<typeof LogHead>
