import * as z from 'zod'
import { maxQueryLength } from '#core/query/query.ts'
import { SessionCard, SessionPreview, SessionState } from '#core/library/session-card.ts'
import { GroupTotals, SessionTotals, totalsGroups } from '#core/library/session-totals.ts'
import { SessionFilter, SessionQuery } from '#core/library/session-query.ts'

const Session = SessionCard.shape.id
const Count = z.int().min(0)

/** A searched folder. */
export const LibraryRoot = z.object({
  path: z.string(),
  /** The agent of its logs; null: any agent, as the user added it. */
  agent: z.string().nullable(),
  /** `runs`: Playhead's live runs. `added`: by the user, who may remove it. */
  kind: z.enum(['agent', 'runs', 'added']),
  /** It does not exist; not an error. */
  isMissing: z.boolean(),
  sessions: Count,
  /** Files that are not logs, unreadable folders, pipes and so on: sentences, at most 20. */
  notes: z.array(z.string())
})
export type LibraryRoot = z.infer<typeof LibraryRoot>

/** The progress of the library. Sent as the notice `library.changed`, at most four times a second. */
export const LibraryStatus = z.object({
  /** Changes with the sessions: with another version, earlier results may be outdated. */
  version: z.int(),
  /** `looking`: for files. `cards`: reads heads and tails. `counts`: reads whole logs. `idle`: watches for changes. */
  phase: z.enum(['looking', 'cards', 'counts', 'idle']),
  /** The progress in this phase. */
  done: Count,
  all: Count,
  /** The user paused the reading of whole logs. */
  isPaused: z.boolean(),
  /** Without subagents' logs. */
  sessions: Count,
  bytes: z.number(),
  /** The last complete search of all folders, ms since the epoch; null: not yet. */
  lookedAt: z.number().nullable(),
  roots: z.array(LibraryRoot),
  /** A problem, a sentence for the user; null: none. */
  problem: z.string().nullable()
})
export type LibraryStatus = z.infer<typeof LibraryStatus>

/** A group of sessions. */
export const SessionGroup = z.object({
  /** A local day, `2026-11-22`, or a project's folder; empty: no project. */
  key: z.string(),
  /** The index of its first session in the list. */
  from: Count,
  count: Count,
  /** Of sessions with known times. */
  activeMs: z.number().nullable(),
  live: Count
})
export type SessionGroup = z.infer<typeof SessionGroup>

/** Numbers of sessions by filter, without those of subagents. */
export const LibraryFacets = z.object({
  all: Count,
  states: z.partialRecord(SessionState, Count),
  failed: Count,
  findings: Count,
  todosLeft: Count,
  forked: Count,
  agents: z.array(z.object({ agent: z.string(), count: Count })),
  /** The last used first, at most 500. */
  projects: z.array(z.object({ project: z.string(), count: Count })),
  projectsTotal: Count,
  /** Those of most sessions first, at most 100 each. */
  branches: z.array(z.object({ branch: z.string(), count: Count })),
  models: z.array(z.object({ model: z.string(), count: Count }))
})
export type LibraryFacets = z.infer<typeof LibraryFacets>

/** A log that the text may mean; `last` write in ms since the epoch, if known. */
export const TypedLog = z.object({ path: z.string(), title: z.string().nullable(), at: z.number().nullable() })
export type TypedLog = z.infer<typeof TypedLog>

/** A text or an expression to search lines for. */
export const SearchedText = z.object({
  text: z.string().min(1).max(maxQueryLength),
  regex: z.boolean(),
  caseSensitive: z.boolean()
})
export type SearchedText = z.infer<typeof SearchedText>
const maxTexts = 1000

export const LibraryHit = z.object({
  /** The log: the session's main file or a subagent's. */
  path: z.string(),
  line: z.int(),
  /** The event of the line, in the log opened by `path`; null: none. */
  seq: z.int().nullable(),
  /** One of `rowKinds`. Empty: the log is not read that far, so `seq`, `tool` and `at` are null; a later call has them. */
  kind: z.string(),
  tool: z.string().nullable(),
  /** Ms since the epoch. */
  at: z.number().nullable(),
  /** One line of at most 300 characters; the first match is within the first 40. */
  text: z.string(),
  /** The first match in `text`, in UTF-16 units. */
  match: z.tuple([z.int(), z.int()]).nullable()
})
export type LibraryHit = z.infer<typeof LibraryHit>

/** The progress of a library search. */
export const LibraryFound = z.object({
  find: z.int(),
  searching: z.boolean(),
  /** Lines found, and in how many sessions. */
  hits: Count,
  sessionsWithHits: Count,
  sessionsSearched: Count,
  sessions: Count,
  bytesSearched: z.number(),
  bytes: z.number(),
  /** It stopped at the limit of lines. */
  isCut: z.boolean(),
  /** Why it ended, or which logs could not be read: a sentence. */
  error: z.string().nullable()
})
export type LibraryFound = z.infer<typeof LibraryFound>

/** All sessions of this machine. A host without a library answers `unavailable`. */
export const libraryMethods = {
  /** The first call starts the search for logs. */
  'library.status': { params: z.object({}), result: LibraryStatus },
  /** The number of sessions of a query, and their groups. */
  'library.overview': {
    params: z.object({ query: SessionQuery }),
    result: z.object({
      version: z.int(),
      total: Count,
      groups: z.array(SessionGroup),
      facets: LibraryFacets
    })
  },
  /** The sessions of a query from the `from`-th on. */
  'library.cards': {
    params: z.object({ query: SessionQuery, from: Count, count: z.int().min(1).max(500) }),
    result: z.object({ version: z.int(), cards: z.array(SessionCard) })
  },
  /** Sums over the sessions of a query by group, of at most 2,000 groups; `further`: groups left out. */
  'library.totals': {
    params: z.object({ where: SessionFilter, by: z.enum(totalsGroups) }),
    result: z.object({ version: z.int(), all: SessionTotals, groups: z.array(GroupTotals), further: Count })
  },
  /** Reads an unknown session now. `resume`: the command that continues it in a terminal; null: none. */
  'library.session': {
    params: z.object({ session: Session }),
    result: z.object({
      card: SessionCard,
      preview: SessionPreview,
      subagents: z.array(SessionCard),
      resume: z.string().nullable()
    })
  },
  /** While a page shows the library, folders are checked more often. Expires after a minute. */
  'library.watch': { params: z.object({ isShown: z.boolean() }), result: z.object({}) },
  'library.lookAgain': { params: z.object({}), result: z.object({}) },
  'library.pause': { params: z.object({ isPaused: z.boolean() }), result: z.object({}) },
  /** `~` is the home folder. `not-found` if the folder does not exist. */
  'library.addFolder': { params: z.object({ path: z.string().min(1) }), result: z.object({ path: z.string() }) },
  'library.removeFolder': { params: z.object({ path: z.string() }), result: z.object({}) },
  /** Shows the file of a session in the system's file manager. */
  'library.reveal': { params: z.object({ session: Session }), result: z.object({}) },
  /** The latest 50 logs for a path (`~`, `file://`), start of a session id, project folder or glob. Else `not-found`. */
  'library.resolve': {
    params: z.object({ text: z.string().min(1).max(10_000) }),
    result: z.object({
      logs: z.array(TypedLog)
    })
  },
  /** The latest 50 sessions in files and folders. `others`: not logs. A subagent's log counts without its session. */
  'library.sessionsIn': {
    params: z.object({ paths: z.array(z.string().min(1).max(4096)).min(1).max(5000) }),
    result: z.object({ logs: z.array(TypedLog), total: Count, others: Count })
  },
  /** The missing `paths`, relative to the folder of a log, that could be files of its session, by their names. */
  'library.missingFiles': {
    params: z.object({ log: z.string().min(1).max(4096), paths: z.array(z.string().min(1).max(4096)).max(5000) }),
    result: z.object({ paths: z.array(z.string()) })
  },
  /**
   * Searches the lines of all sessions of a filter, with subagents, latest first, like `log.find`: those that hold each of
   * `texts`, and none of `without`. `library.found` has the progress. A page has one search; it ends with the connection, or as the oldest of more than four of all pages.
   */
  'library.find': {
    params: z.object({
      where: SessionFilter,
      texts: z.array(SearchedText).min(1).max(maxTexts),
      without: z.array(SearchedText).max(maxTexts)
    }),
    result: z.object({ find: z.int() })
  },
  /** Sessions with their first hits, latest first. Waits up to 250 ms for events. `not-found` after the search ended. */
  'library.hits': {
    params: z.object({
      find: z.int(),
      from: Count,
      count: z.int().min(1).max(200),
      perSession: z.int().min(1).max(500)
    }),
    result: z.object({
      sessions: z.array(z.object({ card: SessionCard, hits: Count, shown: z.array(LibraryHit) }))
    })
  },
  /** All hits of one session. `not-found` after the search ended. */
  'library.sessionHits': {
    params: z.object({ find: z.int(), session: Session, from: Count, count: z.int().min(1).max(500) }),
    result: z.object({ hits: z.array(LibraryHit) })
  },
  /** Ends a search; nothing happens if it has ended. */
  'library.endFind': { params: z.object({ find: z.int() }), result: z.object({}) }
} as const

export const libraryNotices = {
  'library.changed': LibraryStatus,
  'library.found': LibraryFound
} as const
