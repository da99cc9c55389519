import * as z from 'zod'
import { SessionState } from './session-card.ts'

export const sessionSorts = ['last', 'title', 'todos', 'calls', 'length', 'cost'] as const
export const sessionGroups = ['day', 'project', 'none'] as const

/** Which sessions are wanted, and in which order. What is left out does not matter. */
export const SessionFilter = z.object({
  /** Each word stands in the title, project, branch, model, session id or path; upper and lower case are the same. */
  text: z.string().max(1000).optional(),
  agents: z.array(z.string()).optional(),
  /** A folder: sessions of it and of folders below it. */
  project: z.string().optional(),
  branch: z.string().optional(),
  /** Ms since the epoch: last written to at this time or later, or before it. */
  since: z.number().optional(),
  until: z.number().optional(),
  states: z.array(SessionState).optional(),
  /** Calls failed. */
  failed: z.literal(true).optional(),
  /** Items of its list are not finished. */
  todosLeft: z.literal(true).optional(),
  /** It is a fork, or has some. */
  forked: z.literal(true).optional()
})
export type SessionFilter = z.infer<typeof SessionFilter>

export const SessionQuery = SessionFilter.extend({
  sort: z.enum(sessionSorts),
  descending: z.boolean(),
  /** Groups stand only where it is sorted by `last`. */
  group: z.enum(sessionGroups)
})
export type SessionQuery = z.infer<typeof SessionQuery>
