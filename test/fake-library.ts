import type { LibraryFound, LibraryHit, LibraryStatus } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params } from '#contract/methods.ts'
import { withoutLibrary } from '#contract/refused-methods.ts'
import { lastOf, type SessionCard, SessionCounts } from '#core/library/session-card.ts'
import { sessionMatch } from '#core/library/match-sessions.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import type { SearchedSession } from '#backend/library/search/batches.ts'
import type { HostLibrary, LibraryOptions } from '#backend/library/library.ts'

/** A library of invented sessions: what commands do with one, without any file. */

export function card(over: Partial<SessionCard> & { path: string }): SessionCard {
  return {
    id: over.path,
    agent: 'claude-code',
    format: 'claude-transcript',
    sessionId: null,
    title: null,
    titleFrom: null,
    project: null,
    branch: null,
    model: null,
    version: null,
    startedAt: null,
    endedAt: null,
    bytes: 10,
    modifiedAt: 0,
    state: 'done',
    problem: null,
    parent: null,
    subagents: 0,
    forkedFrom: null,
    forks: 0,
    run: null,
    counts: null,
    cost: null,
    costGaps: null,
    ...over
  }
}

export function counts(over: Partial<SessionCounts> = {}): SessionCounts {
  const none = {
    firstTimestamp: null,
    lastTimestamp: null,
    todosDone: null,
    todosTotal: null,
    activeMs: null,
    inputTokens: null,
    outputTokens: null,
    costUsd: null
  }
  return {
    events: 9,
    title: null,
    model: null,
    turns: 1,
    calls: 0,
    failedCalls: 0,
    findings: {},
    outputAtLeast: false,
    spent: [],
    ...none,
    ...over
  }
}

export function hit(path: string, line: number, over: Partial<LibraryHit> = {}): LibraryHit {
  return { path, line, seq: line, kind: 'assistant', tool: null, at: null, text: `hit ${line}`, match: null, ...over }
}

export interface FakeSessions {
  readonly cards?: readonly SessionCard[]
  /** By the id of a session: what reading all of its log tells. */
  readonly read?: Readonly<Record<string, SessionCounts>>
  /** What a search finds, a step at a time: the hits of each session so far, in the order they are found. */
  readonly steps?: readonly (readonly (readonly LibraryHit[])[])[]
  readonly found?: Partial<LibraryFound>
  readonly unread?: readonly string[]
  readonly status?: Partial<LibraryStatus>
  /** Why its sessions are never all listed. */
  readonly failure?: HostError
}

/** What was asked of it. */
export interface Asked {
  readonly options: LibraryOptions[]
  /** Queries about sessions. */
  readonly filters: string[]
  readonly finds: Params<'library.find'>[]
  /** Sessions whose whole logs were read. */
  readonly read: string[]
  ended: number
  closed: number
}

export function fakeLibrary(given: FakeSessions = {}): {
  createLibrary: (options: LibraryOptions) => Promise<HostLibrary>
  asked: Asked
} {
  const asked: Asked = { options: [], filters: [], finds: [], read: [], ended: 0, closed: 0 }
  return { asked, createLibrary: async (options) => libraryOf(given, options, asked) }
}

function libraryOf(
  { cards = [], read = {}, steps = [], found, unread = [], status, failure }: FakeSessions,
  options: LibraryOptions,
  asked: Asked
): HostLibrary {
  asked.options.push(options)
  const main = cards.filter(({ parent }) => parent === null).toSorted((a, b) => lastOf(b) - lastOf(a))
  const withCounts = (each: SessionCard): SessionCard => ({ ...each, counts: read[each.id] ?? each.counts })
  let step: readonly (readonly LibraryHit[])[] = []
  const sessionOf = (hits: readonly LibraryHit[]): SessionCard =>
    cards.find(({ path }) => path === hits[0]?.path) ?? card({ path: hits[0]?.path ?? '' })
  const search = async (): Promise<void> => {
    for (const [i, next] of steps.entries()) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      step = next
      options.notify('library.found', {
        ...{ find: 7, searching: i < steps.length - 1, hits: next.flat().length, sessionsWithHits: next.length },
        ...{ sessionsSearched: i, sessions: main.length, bytesSearched: i, bytes: steps.length, isCut: false },
        ...{ error: null, ...found }
      })
    }
  }
  const handlers: HostLibrary['handlers'] = {
    ...withoutLibrary('Not asked for here.'),
    'library.pause': async () => ({}),
    'library.session': async ({ session }) => {
      asked.read.push(session)
      const wanted = cards.find(({ id }) => id === session)
      if (wanted === undefined) throw new HostError('not-found', 'gone')
      const subagents = cards.filter(({ parent }) => parent === session)
      const preview = {
        firstPrompt: null,
        lastAnswer: null,
        todos: [],
        failed: [],
        files: [],
        filesTotal: 0,
        filesAtLeast: false
      }
      return { card: withCounts(wanted), preview, subagents, resume: null }
    },
    'library.find': async (params) => {
      asked.finds.push(params)
      if (params.texts[0]?.text === '(') throw new HostError('bad-params', 'no regular expression')
      void search()
      return { find: 7 }
    },
    'library.hits': async ({ from, count, perSession }) => ({
      sessions: step.slice(from, from + count).map((hits) => ({
        card: sessionOf(hits),
        hits: hits.length,
        shown: hits.slice(0, perSession)
      }))
    }),
    'library.sessionHits': async ({ session, from, count }) => ({
      hits: (step.find((hits) => sessionOf(hits).id === session) ?? []).slice(from, from + count)
    }),
    'library.endFind': async () => {
      asked.ended++
      return {}
    }
  }
  const searched = (where: string): SearchedSession[] => {
    asked.filters.push(where)
    const known = main.map((each) => (asked.read.includes(each.id) ? withCounts(each) : each))
    const wanted = known.filter(sessionMatch(parseQuery(where, 'sessions').query, options.now?.() ?? Date.now()))
    return wanted.map((each) => ({ card: each, subagents: cards.filter(({ parent }) => parent === each.id) }))
  }
  const statusAt = (done: number): LibraryStatus => ({
    ...{ version: done, phase: done < 3 ? 'cards' : 'counts', done, all: 3, isPaused: true },
    ...{ sessions: main.length, bytes: 0, lookedAt: 1, roots: [], problem: null, ...status }
  })
  const answers = {
    listed: async () => {
      for (const done of [1, 2]) options.notify('library.changed', statusAt(done))
      if (failure !== undefined) throw failure
      return statusAt(3)
    },
    searched: async (where: string) => searched(where),
    uncounted: async () =>
      cards.filter((each) => each.counts === null && each.state !== 'unreadable').map(({ id }) => id),
    unreadFolders: async () => unread,
    all: async () => cards,
    pathOf: async (session: string) => session,
    logBytes: async () => 0
  }
  return {
    handlers,
    warm: () => {},
    ask: async (question, about) => await (answers[question] as (about: unknown) => Promise<never>)(about),
    close: async () => {
      asked.closed++
    }
  }
}
