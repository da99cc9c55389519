import type { LibraryHit, LibraryStatus, SearchedText } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, Params } from '#contract/methods.ts'
import { lastOf, type SessionCard, type SessionPreview, sessionStates } from '#core/library/session-card.ts'
import { findingsOf, sessionMatch } from '#core/library/match-sessions.ts'
import { totalsOf } from '#core/library/session-totals.ts'
import type { SessionQuery } from '#core/library/session-query.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import type { TestHost } from './host.ts'
import { costGaps } from '../costs.ts'

type LibraryHandlers = Pick<Handlers, Extract<keyof Handlers, `library.${string}`>>

/** What tests call now: a Sunday. */
export const libraryNow = new Date(2026, 10, 22, 16, 0, 0).getTime()

/** A library as a host has it, for tests of the page: cards that are invented, and texts to search in. */
export interface CannedLibrary {
  readonly handlers: LibraryHandlers
  readonly cards: SessionCard[]
  /** By the id of a session, the lines of its log. */
  readonly texts: Map<string, readonly string[]>
  /** By what is typed, the logs that it means; others mean themselves. */
  readonly meant: Map<string, readonly string[]>
  /** By the id of a session, what its preview has that those of others have not. */
  readonly previews: Map<string, Partial<SessionPreview>>
  /** How often each method was called. */
  readonly calls: Map<string, number>
  /** The next call of this method is refused with `message`. */
  refuse(method: keyof LibraryHandlers, message: string): void
  /** Cards were changed: the page is told. */
  changed(status?: Partial<LibraryStatus>): void
}

let count = 0

/** A card; what is left out is plain. */
export function testCard(changes: Partial<SessionCard> = {}): SessionCard {
  const id = changes.id ?? `s${++count}`
  return {
    id,
    path: `/home/me/.claude/projects/-home-me-cli/${id}.jsonl`,
    agent: 'claude-code',
    format: 'claude-transcript',
    sessionId: id,
    title: `Session ${id}`,
    titleFrom: 'prompt',
    project: '/home/me/cli',
    branch: 'main',
    model: 'claude-opus-4-5',
    version: '2.1.29',
    startedAt: libraryNow - 3_600_000,
    endedAt: libraryNow - 60_000,
    bytes: 100_000,
    modifiedAt: libraryNow - 60_000,
    state: 'done',
    problem: null,
    parent: null,
    subagents: 0,
    forkedFrom: null,
    forks: 0,
    run: null,
    counts: {
      events: 100,
      firstTimestamp: null,
      lastTimestamp: null,
      title: null,
      model: null,
      turns: 3,
      calls: 40,
      failedCalls: 0,
      findings: {},
      todosDone: null,
      todosTotal: null,
      activeMs: 600_000,
      inputTokens: 1_200_000,
      outputTokens: 20_000,
      outputAtLeast: false,
      costUsd: null,
      spent: []
    },
    cost: null,
    costGaps: costGaps({ models: ['claude-opus-4-5'], unpriced: 1 }),
    ...changes
  }
}

/** `host`: who tells the page of changes, as soon as there is one. */
export function cannedLibrary(first: readonly SessionCard[], host: () => Pick<TestHost, 'say'>): CannedLibrary {
  const cards = [...first]
  const lines = new Map<string, readonly string[]>()
  const previews = new Map<string, Partial<SessionPreview>>()
  const meant = new Map<string, readonly string[]>()
  const calls = new Map<string, number>()
  const refusals = new Map<string, string>()
  let status: LibraryStatus = {
    version: 1,
    phase: 'idle',
    done: 0,
    all: 0,
    isPaused: false,
    sessions: cards.length,
    bytes: 1_003_000_000,
    lookedAt: libraryNow,
    roots: [
      {
        path: '/home/me/.claude/projects',
        agent: 'claude-code',
        kind: 'agent',
        isMissing: false,
        sessions: 1,
        notes: []
      },
      {
        path: '/home/me/.codex/sessions',
        agent: 'openai-codex',
        kind: 'agent',
        isMissing: true,
        sessions: 0,
        notes: []
      }
    ],
    problem: null
  }
  let finds = 0
  let found: { readonly find: number; readonly sessions: readonly { card: SessionCard; hits: LibraryHit[] }[] } = {
    find: 0,
    sessions: []
  }

  function cardOf(id: string): SessionCard {
    const card = cards.find((each) => each.id === id)
    if (card === undefined) throw new HostError('not-found', 'There is no such session any more.')
    return card
  }

  function search({ where, texts, without }: Params<'library.find'>): void {
    const [first, ...also] = texts.map(patternOf)
    const not = without.map(patternOf)
    const isMeant = (line: string) => also.every((each) => each.test(line)) && !not.some((each) => each.test(line))
    if (first === undefined) throw new HostError('bad-params', 'There is no text to search for.')
    const sessions = sorted(cards, 'last', true)
      .filter(passes(where))
      .map((card) => ({ card, hits: hitsOf(card, lines.get(card.id) ?? [], first, isMeant) }))
      .filter(({ hits }) => hits.length > 0)
    found = { find: ++finds, sessions }
    const { find } = found
    const say = (searching: boolean) =>
      host().say('library.found', {
        find,
        searching,
        hits: sessions.reduce((sum, { hits }) => sum + hits.length, 0),
        sessionsWithHits: sessions.length,
        sessionsSearched: cards.length,
        sessions: cards.length,
        bytesSearched: status.bytes,
        bytes: status.bytes,
        isCut: false,
        error: null
      })
    queueMicrotask(() => say(true))
    setTimeout(() => say(false), 50)
  }

  function foundIn(find: number): (typeof found)['sessions'] {
    if (find !== found.find) throw new HostError('not-found', 'This search has ended. Search again.')
    return found.sessions
  }

  const handlers: LibraryHandlers = {
    'library.status': async () => status,
    'library.overview': async ({ query }) => overviewOf(cards, query, status.version),
    'library.cards': async ({ query, from, count: many }) => ({
      version: status.version,
      cards: listOf(cards, query).slice(from, from + many)
    }),
    'library.totals': async ({ where, by }) => {
      const found = listOf(cards, { where, sort: 'last', descending: true, group: 'none' })
      return { version: status.version, ...totalsOf(found, by), groups: [...totalsOf(found, by).groups], further: 0 }
    },
    'library.session': async ({ session }) => {
      const card = cardOf(session)
      const subagents = Array.from({ length: card.subagents }, (_, at) =>
        testCard({ id: `${card.id}-sub${at}`, title: `Look at part ${at + 1}`, parent: card.id })
      )
      return {
        card,
        preview: { ...previewOf(card), ...previews.get(card.id) },
        subagents,
        resume: `claude --resume ${card.sessionId}`
      }
    },
    'library.watch': async () => ({}),
    'library.lookAgain': async () => ({}),
    'library.pause': async ({ isPaused }) => {
      status = { ...status, isPaused }
      return {}
    },
    'library.addFolder': async ({ path }) => {
      if (!path.startsWith('/')) throw new HostError('not-found', `There is no folder ${path}. Check its name.`)
      const root = { path, agent: null, kind: 'added' as const, isMissing: false, sessions: 0, notes: [] }
      status = { ...status, roots: [...status.roots, root] }
      host().say('library.changed', status)
      return { path }
    },
    'library.missingFiles': async ({ paths }) => ({ paths }),
    'library.sessionsIn': async ({ paths }) => ({
      logs: paths.map((path) => ({ path, title: null, at: null })),
      total: paths.length,
      others: 0
    }),
    'library.removeFolder': async ({ path }) => {
      status = { ...status, roots: status.roots.filter((root) => root.path !== path) }
      host().say('library.changed', status)
      return {}
    },
    'library.reveal': async () => {
      throw new HostError('unavailable', 'This machine has no file manager that Playhead knows. Copy the path instead.')
    },
    'library.resolve': async ({ text }) => ({
      logs: (meant.get(text) ?? [text]).map((path) => ({ path, title: null, at: null }))
    }),
    'library.find': async (params) => {
      search(params)
      return { find: finds }
    },
    'library.hits': async ({ find, from, count: many, perSession }) => ({
      sessions: foundIn(find)
        .slice(from, from + many)
        .map(({ card, hits }) => ({ card, hits: hits.length, shown: hits.slice(0, perSession) }))
    }),
    'library.sessionHits': async ({ find, session, from, count: many }) => ({
      hits:
        foundIn(find)
          .find(({ card }) => card.id === session)
          ?.hits.slice(from, from + many) ?? []
    }),
    // As the host does, it forgets what was found.
    'library.endFind': async ({ find }) => {
      if (find === found.find) found = { find: 0, sessions: [] }
      return {}
    }
  }
  for (const [name, handler] of Object.entries(handlers)) {
    Object.assign(handlers, {
      [name]: async (params: never) => {
        calls.set(name, (calls.get(name) ?? 0) + 1)
        const refusal = refusals.get(name)
        refusals.delete(name)
        if (refusal !== undefined) throw new HostError('internal', refusal)
        return await handler(params)
      }
    })
  }
  return {
    handlers,
    cards,
    texts: lines,
    meant,
    previews,
    calls,
    refuse: (method, message) => void refusals.set(method, message),
    changed(changes = {}) {
      status = { ...status, sessions: cards.length, ...changes, version: status.version + 1 }
      host().say('library.changed', status)
    }
  }
}

function patternOf({ text, regex, caseSensitive }: SearchedText): RegExp {
  const source = regex ? text : text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(source, caseSensitive ? 'u' : 'iu')
}

function hitsOf(
  card: SessionCard,
  lines: readonly string[],
  pattern: RegExp,
  isMeant: (line: string) => boolean
): LibraryHit[] {
  return lines.flatMap((text, line): LibraryHit[] => {
    const match = pattern.exec(text)
    if (match === null || !isMeant(text)) return []
    const cut = Math.max(0, match.index - 20)
    return [
      {
        path: card.path,
        line: line + 1,
        seq: line,
        kind: line % 3 === 0 ? 'assistant' : 'tool',
        tool: line % 3 === 0 ? null : 'Bash',
        at: (card.startedAt ?? card.modifiedAt) + line * 10_000,
        text: (cut > 0 ? '…' : '') + text.slice(cut, cut + 300),
        match: [match.index - cut + (cut > 0 ? 1 : 0), match.index - cut + (cut > 0 ? 1 : 0) + match[0].length]
      }
    ]
  })
}

function previewOf(card: SessionCard): SessionPreview {
  const { counts } = card
  const [done, total] = [counts?.todosDone ?? 0, counts?.todosTotal ?? 0]
  return {
    firstPrompt: `${card.title ?? 'No title'}: please look at it, find out why, and fix it.`,
    lastAnswer: 'Done! The branch is pushed, and ready for review when you mark it so.\n\nAll tests pass.',
    todos: Array.from({ length: total }, (_, at) => ({
      text: `Step ${at + 1} of what is to be done`,
      status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending'
    })),
    failed: Array.from({ length: Math.min(20, counts?.failedCalls ?? 0) }, (_, at) => ({
      seq: 100 + at * 7,
      tool: 'Bash',
      text: 'go test -v -run TestListCommitted_FallsBackToRemote'
    })),
    files: [
      { path: 'docs/plans/2026-02-03-explain-remote-fallback.md', added: 162, deleted: 0 },
      { path: 'cmd/entire/cli/checkpoint/committed.go', added: 7, deleted: 1 }
    ],
    filesTotal: 2,
    filesAtLeast: false
  }
}

function passes(where: string): (card: SessionCard) => boolean {
  const { query, error } = parseQuery(where, 'sessions')
  if (error !== null) throw new HostError('bad-params', error.message)
  return sessionMatch(query, Date.now())
}

function hasTodosLeft({ counts }: SessionCard): boolean {
  return counts?.todosTotal != null && (counts.todosDone ?? 0) < counts.todosTotal
}

const figures: Record<SessionQuery['sort'], (card: SessionCard) => number> = {
  last: lastOf,
  title: () => 0,
  todos: ({ counts }) => counts?.todosTotal ?? -1,
  calls: ({ counts }) => counts?.calls ?? -1,
  findings: (card) => findingsOf(card) ?? -1,
  length: ({ counts }) => counts?.activeMs ?? -1,
  tokens: ({ counts }) => counts?.inputTokens ?? -1,
  cost: ({ cost }) => cost?.usd ?? -1
}

function sorted(cards: readonly SessionCard[], sort: SessionQuery['sort'], descending: boolean): SessionCard[] {
  const by = (one: SessionCard, other: SessionCard) =>
    sort === 'title' ? (one.title ?? '').localeCompare(other.title ?? '') : figures[sort](one) - figures[sort](other)
  return cards.toSorted((one, other) => (descending ? by(other, one) : by(one, other)))
}

function keyOf(card: SessionCard, group: SessionQuery['group']): string {
  if (group === 'none') return ''
  if (group === 'project') return card.project ?? ''
  const day = new Date(lastOf(card))
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
}

function listOf(cards: readonly SessionCard[], query: SessionQuery): SessionCard[] {
  const list = sorted(cards, query.sort, query.descending).filter(passes(query.where))
  if (query.group === 'none') return list
  return [...grouped(list, (card) => keyOf(card, query.group)).values()].flat()
}

function overviewOf(cards: readonly SessionCard[], query: SessionQuery, version: number) {
  const list = listOf(cards, query)
  let from = 0
  const groups = [...grouped(list, (card) => keyOf(card, query.group))].map(([key, members]) => {
    const group = {
      key,
      from,
      count: members.length,
      activeMs: members.reduce((sum, { counts }) => sum + (counts?.activeMs ?? 0), 0),
      live: members.filter(({ state }) => state === 'live').length
    }
    from += members.length
    return group
  })
  const many = (test: (card: SessionCard) => boolean) => cards.filter(test).length
  const projects = grouped(sorted(cards, 'last', true), ({ project }) => project)
  const agents = grouped(cards, ({ agent }) => agent)
  return {
    version,
    total: list.length,
    groups,
    facets: {
      all: cards.length,
      states: Object.fromEntries(
        sessionStates
          .map((state) => [state, many((card) => card.state === state)] as const)
          .filter(([, all]) => all > 0)
      ),
      failed: many(({ counts }) => (counts?.failedCalls ?? 0) > 0),
      findings: many((card) => (findingsOf(card) ?? 0) > 0),
      todosLeft: many(hasTodosLeft),
      forked: many(({ forks, forkedFrom }) => forks > 0 || forkedFrom !== null),
      agents: [...agents].flatMap(([agent, all]) => (agent === null ? [] : [{ agent, count: all.length }])),
      projects: [...projects]
        .flatMap(([project, all]) => (project === null ? [] : [{ project, count: all.length }]))
        .slice(0, 500),
      projectsTotal: projects.size,
      branches: [],
      models: []
    }
  }
}

function grouped<K>(cards: readonly SessionCard[], keyOf: (card: SessionCard) => K): Map<K, SessionCard[]> {
  const groups = new Map<K, SessionCard[]>()
  for (const card of cards) {
    const key = keyOf(card)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [card])
    else group.push(card)
  }
  return groups
}
