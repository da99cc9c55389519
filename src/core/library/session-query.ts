import * as z from 'zod'
import { maxQueryLength } from '../query/query.ts'

export const sessionSorts = ['last', 'title', 'todos', 'calls', 'findings', 'length', 'tokens', 'cost'] as const
export const sessionGroups = ['day', 'project', 'none'] as const

/** A query about sessions, as text (docs/query.md); empty: all. A text without a key is looked for in the names of sessions. */
export const SessionFilter = z.string().max(maxQueryLength)

export const SessionQuery = z.object({
  where: SessionFilter,
  sort: z.enum(sessionSorts),
  descending: z.boolean(),
  /** Used only if sorted by `last`. */
  group: z.enum(sessionGroups)
})
export type SessionQuery = z.infer<typeof SessionQuery>
