import * as z from 'zod'
import { SessionState } from './session-card.ts'

export const sessionSorts = ['last', 'title', 'todos', 'calls', 'length', 'cost'] as const
export const sessionGroups = ['day', 'project', 'none'] as const

/** Filters of sessions. Absent members match all. */
export const SessionFilter = z.object({
  /** Each word must be in the title, project, branch, model, session id or path; ignores case. */
  text: z.string().max(1000).optional(),
  agents: z.array(z.string()).optional(),
  /** A folder; includes its subfolders. */
  project: z.string().optional(),
  branch: z.string().optional(),
  /** Ms since the epoch: last written at or after `since`, before `until`. */
  since: z.number().optional(),
  until: z.number().optional(),
  states: z.array(SessionState).optional(),
  /** Has failed calls. */
  failed: z.literal(true).optional(),
  /** Has unfinished todos. */
  todosLeft: z.literal(true).optional(),
  /** Is a fork or has forks. */
  forked: z.literal(true).optional()
})
export type SessionFilter = z.infer<typeof SessionFilter>

export const SessionQuery = SessionFilter.extend({
  sort: z.enum(sessionSorts),
  descending: z.boolean(),
  /** Used only if sorted by `last`. */
  group: z.enum(sessionGroups)
})
export type SessionQuery = z.infer<typeof SessionQuery>
