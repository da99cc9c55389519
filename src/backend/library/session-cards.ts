import { sep } from 'node:path'
import { formatById } from '#core/formats/registry.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import type { SessionCard, SessionState } from '#core/library/session-card.ts'
import { titleOf } from '#core/library/session-title.ts'
import type { LibraryLog } from './library-log.ts'
import type { OwnRun } from './own-runs.ts'
import type { ToldLog } from './told-log.ts'

/** All sessions, and the logs of subagents under them. */
export interface SessionCards {
  readonly sessions: readonly SessionCard[]
  /** Of a session that has some, in the order of their paths. */
  readonly subagents: ReadonlyMap<string, readonly SessionCard[]>
  /** Of sessions and subagents, by id: a card and its log. */
  readonly byId: ReadonlyMap<string, { readonly card: SessionCard; readonly log: LibraryLog }>
  /** When a session that is live will be no more, unless it is written to; null: none is. */
  readonly changesAt: number | null
}

/** What was not written to for so long is not live, in ms. */
const liveMs = 120_000

interface Member {
  readonly log: LibraryLog
  readonly read: ReadCard | null
  /** The session whose subagent it is, if it is one: as its place says, then as its records do. */
  readonly parentSessions: readonly string[]
  run: OwnRun | null
  parent: Member | null
  readonly children: Member[]
}

/** Puts together what is known of logs: which are sessions, which are under which. `runs`: by the paths of their recordings. */
export function sessionCards(logs: Iterable<LibraryLog>, runs: ReadonlyMap<string, OwnRun>, now: number): SessionCards {
  const members: Member[] = []
  for (const log of logs) {
    if (log.told === null || (log.told.isForeign && log.root.isAnyFolder)) continue
    const read = log.told.card
    const parentSessions = [parentOf(log), read?.parentSession ?? null].filter((session) => session !== null)
    members.push({ log, read, parentSessions, run: runs.get(log.path) ?? null, parent: null, children: [] })
  }
  members.sort((a, b) => byCodeUnit(a.log.path, b.log.path))
  const bySession = sessionsById(members)
  const hidden = mergeRuns(members, bySession)
  for (const member of members) member.parent = nearest(member, bySession)
  const forks = new Map<string, number>()
  for (const { read } of members) {
    if (read?.forkedFrom != null) forks.set(read.forkedFrom, (forks.get(read.forkedFrom) ?? 0) + 1)
  }
  for (const member of members) if (!hidden.has(member)) topOf(member)?.children.push(member)
  const sessions: SessionCard[] = []
  const subagents = new Map<string, SessionCard[]>()
  const byId = new Map<string, { card: SessionCard; log: LibraryLog }>()
  let changesAt: number | null = null
  for (const member of members) {
    if (hidden.has(member)) continue
    const top = topOf(member)
    const { sessionId } = cardFacts(member)
    const card = cardOf(member, top, (sessionId === null ? undefined : forks.get(sessionId)) ?? 0, now)
    byId.set(card.id, { card, log: member.log })
    if (card.state === 'live' && member.run?.isGoing !== true) {
      const until = member.log.facts.modified + liveMs
      changesAt = Math.min(changesAt ?? until, until)
    }
    if (top === null) sessions.push(card)
    else {
      const siblings = subagents.get(top.log.id)
      if (siblings === undefined) subagents.set(top.log.id, [card])
      else siblings.push(card)
    }
  }
  return { sessions, subagents, byId, changesAt }
}

/** Of which state of a session its counts are: all its files. */
export function printOfSession({ facts }: LibraryLog, subagents: readonly SessionCard[]): string {
  const below = subagents.reduce((sum, { bytes }) => sum + bytes, 0)
  return `${facts.inode} ${facts.bytes} ${facts.modified} ${subagents.length} ${below}`
}

/** What places say, as long as logs are what they are: cards are put together again and again. */
const parents = new WeakMap<ToldLog, string | null>()

function parentOf({ path, told }: LibraryLog): string | null {
  if (told === null) return null
  const known = parents.get(told)
  if (known !== undefined) return known
  const store = told.format === null ? undefined : formatById(told.format)?.store
  const parent = store?.parentOf?.(path.replaceAll(sep, '/')) ?? null
  parents.set(told, parent)
  return parent
}

function cardFacts({ read, run }: Member): { sessionId: string | null } {
  return { sessionId: read?.sessionId ?? run?.sessionId ?? null }
}

/** Of those that are no subagent's: the files of a subagent name the session of their parent as well. */
function sessionsById(members: readonly Member[]): Map<string, Member[]> {
  const found = new Map<string, Member[]>()
  for (const member of members) {
    const { sessionId } = cardFacts(member)
    if (sessionId === null || member.parentSessions.includes(sessionId)) continue
    const known = found.get(sessionId)
    if (known === undefined) found.set(sessionId, [member])
    else known.push(member)
  }
  return found
}

/** A live run and the agent's own log of its session are one session: the agent's log, which says more. Gives the recordings that it takes the place of. */
function mergeRuns(members: readonly Member[], bySession: ReadonlyMap<string, readonly Member[]>): Set<Member> {
  const hidden = new Set<Member>()
  for (const member of members) {
    const { sessionId } = cardFacts(member)
    if (member.run === null || sessionId === null) continue
    const own = bySession.get(sessionId)?.filter((other) => other.run === null || other.log.path !== other.run.path)
    const agents = own?.find((other) => other !== member && other.log.root.kind !== 'runs' && other.read !== null)
    if (agents === undefined) continue
    hidden.add(member)
    // Of several runs of a session, which resumed it, the latest one.
    if (agents.run === null || agents.run.startedAt < member.run.startedAt) agents.run = member.run
  }
  return hidden
}

/** The log of the session whose subagent it is; of several the one that lies nearest. */
function nearest(member: Member, bySession: ReadonlyMap<string, readonly Member[]>): Member | null {
  const session = member.parentSessions.find((each) => bySession.has(each))
  if (session === undefined) return null
  const candidates = (bySession.get(session) ?? []).filter(
    (other) => other !== member && other.log.root.kind !== 'runs'
  )
  let best: Member | null = null
  let most = -1
  for (const other of candidates) {
    const shared = sharedLength(member.log.path, other.log.path)
    if (shared > most) [best, most] = [other, shared]
  }
  return best
}

function sharedLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** The session that a subagent's log is under, also where another subagent started it; null: it is a session, or they name each other in a circle. */
function topOf(member: Member): Member | null {
  let top = member.parent
  for (let steps = 0; top !== null && top.parent !== null; steps++) {
    if (steps > 100) return null
    top = top.parent
  }
  return top === member ? null : top
}

function cardOf(member: Member, top: Member | null, forks: number, now: number): SessionCard {
  const { log, read, run } = member
  const told = log.told
  const counts = log.counted?.counts ?? null
  const prompt = read?.title != null ? null : ((run === null ? null : titleOf(run.prompt)) ?? counts?.title ?? null)
  return {
    id: log.id,
    path: log.path,
    agent: told?.agent ?? log.root.agent,
    format: told?.format ?? null,
    sessionId: cardFacts(member).sessionId,
    title: read?.title ?? prompt,
    titleFrom: read?.titleFrom ?? (prompt === null ? null : 'prompt'),
    project: read?.project ?? run?.cwd ?? null,
    branch: read?.branch ?? null,
    model: read?.model ?? run?.model ?? counts?.model ?? null,
    version: read?.version ?? null,
    startedAt: read?.startedAt ?? run?.startedAt ?? null,
    endedAt: read?.endedAt ?? run?.endedAt ?? null,
    bytes: log.facts.bytes,
    modifiedAt: Math.floor(log.facts.modified),
    state: stateOf(member, now),
    problem: told?.problem ?? null,
    parent: top?.log.id ?? null,
    subagents: top === null ? member.children.length : 0,
    forkedFrom: read?.forkedFrom ?? null,
    forks,
    run: run?.run ?? null,
    counts
  }
}

function stateOf({ log, read, run }: Member, now: number): SessionState {
  if (run?.isGoing === true) return 'live'
  if (log.told?.isEmpty === true) return 'empty'
  if (log.told?.problem != null || read === null) return 'unreadable'
  const end = exactEnd(log) ?? read.end
  if (end !== 'open') return end
  if (run?.finishReason != null) {
    return run.finishReason === 'done' || run.finishReason === 'error' ? run.finishReason : 'interrupted'
  }
  // A file may have any time, also one that is to come.
  return Math.abs(now - log.facts.modified) < liveMs ? 'live' : 'interrupted'
}

/** What reading all of it told, as long as it is what was read. */
function exactEnd({ counted, facts }: LibraryLog): ReadCard['end'] | null {
  const isOfNow = counted?.print.startsWith(`${facts.inode} ${facts.bytes} ${facts.modified} `) === true
  return isOfNow ? counted.end : null
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
