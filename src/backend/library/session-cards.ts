import { sep } from 'node:path'
import { earliest, latest } from '#core/events/stated-times.ts'
import { formatById } from '#core/formats/registry.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import type { SessionCard, SessionCounts, SessionState } from '#core/library/session-card.ts'
import { costOf } from '#core/requests/cost.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { titleOf } from '#core/library/session-title.ts'
import type { LibraryLog } from './library-log.ts'
import { isUnchanged } from './log-facts.ts'
import type { RecordedRun } from './recorded-runs.ts'
import type { LogHead } from './log-head.ts'

/** All sessions, with their subagents. */
export interface SessionCards {
  readonly sessions: readonly SessionCard[]
  /** By parent id, ordered by path. */
  readonly subagents: ReadonlyMap<string, readonly SessionCard[]>
  /** Sessions and subagents. */
  readonly byId: ReadonlyMap<string, { readonly card: SessionCard; readonly log: LibraryLog }>
  /** When the next live session ceases to be live without a write; null: none is live. */
  readonly changesAt: number | null
}

/** A session is live for this long after a write. */
const liveMs = 120_000

interface Member {
  readonly log: LibraryLog
  readonly read: ReadCard | null
  /** Candidates for the parent session: from the path, then from the records. */
  readonly parentSessions: readonly string[]
  run: RecordedRun | null
  parent: Member | null
  readonly children: Member[]
}

/** Groups known logs into sessions and subagents. `runs`: by path of the recording. `prices`: for costs; null: none. */
export function sessionCards(
  logs: Iterable<LibraryLog>,
  runs: ReadonlyMap<string, RecordedRun>,
  prices: PriceTable | null,
  now: number
): SessionCards {
  const members: Member[] = []
  for (const log of logs) {
    if (log.head === null || (log.head.isForeign && log.root.isAnyFolder)) continue
    const read = log.head.card
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
    const card = cardOf(member, top, (sessionId === null ? undefined : forks.get(sessionId)) ?? 0, prices, now)
    byId.set(card.id, { card, log: member.log })
    if (card.state === 'live' && member.run?.isRunning !== true) {
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

/** The fingerprint of a session's files, for its counts. */
export function fingerprintOf({ facts }: LibraryLog, subagents: readonly SessionCard[]): string {
  const below = subagents.reduce((sum, { bytes }) => sum + bytes, 0)
  return `${facts.inode} ${facts.bytes} ${facts.modified} ${subagents.length} ${below}`
}

/** The parent session that a log names; null: none; undefined: it was not read as it is now. */
export function knownParent({ head, facts }: LibraryLog): string | null | undefined {
  return head !== null && isUnchanged(facts, head.facts) ? head.card?.parentSession : undefined
}

/** Cached parents by path, as cards are made often. */
const parents = new WeakMap<LogHead, string | null>()

function parentOf({ path, head }: LibraryLog): string | null {
  if (head === null) return null
  const known = parents.get(head)
  if (known !== undefined) return known
  const store = head.format === null ? undefined : formatById(head.format)?.store
  const parent = store?.parentOf?.(path.replaceAll(sep, '/')) ?? null
  parents.set(head, parent)
  return parent
}

function cardFacts({ read, run }: Member): { sessionId: string | null } {
  return { sessionId: read?.sessionId ?? run?.sessionId ?? null }
}

/** Without subagents, whose files name the parent's session as well. */
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

/** Shows a live run and the agent's own log as one session, by the longer log. Returns the hidden recordings. */
function mergeRuns(members: readonly Member[], bySession: ReadonlyMap<string, readonly Member[]>): Set<Member> {
  const hidden = new Set<Member>()
  for (const member of members) {
    const { sessionId } = cardFacts(member)
    if (member.run === null || sessionId === null) continue
    const own = bySession.get(sessionId)?.filter((other) => other.run === null || other.log.path !== other.run.path)
    const agents = own?.find((other) => other !== member && other.log.root.kind !== 'runs' && other.read !== null)
    if (agents === undefined) continue
    hidden.add(member)
    // Of several runs that resumed a session, the latest.
    if (agents.run === null || agents.run.startedAt < member.run.startedAt) agents.run = member.run
  }
  return hidden
}

/** The parent's log; of several, the nearest by path. */
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

/** The session at the top of nested subagents; null: it is a session itself, or parents form a cycle. */
function topOf(member: Member): Member | null {
  let top = member.parent
  for (let steps = 0; top !== null && top.parent !== null; steps++) {
    if (steps > 100) return null
    top = top.parent
  }
  return top === member ? null : top
}

function cardOf(
  member: Member,
  top: Member | null,
  forks: number,
  prices: PriceTable | null,
  now: number
): SessionCard {
  const { log, read, run } = member
  const head = log.head
  const counts = log.counted?.counts ?? null
  const prompt = read?.title != null ? null : ((run === null ? null : titleOf(run.prompt)) ?? counts?.title ?? null)
  return {
    id: log.id,
    path: log.path,
    agent: head?.agent ?? log.root.agent,
    format: head?.format ?? null,
    sessionId: cardFacts(member).sessionId,
    title: read?.title ?? prompt,
    titleFrom: read?.titleFrom ?? (prompt === null ? null : 'prompt'),
    project: read?.project ?? run?.cwd ?? null,
    branch: read?.branch ?? null,
    model: read?.model ?? run?.model ?? counts?.model ?? null,
    version: read?.version ?? null,
    startedAt: earliest(read?.startedAt ?? null, counts?.firstTimestamp ?? null) ?? run?.startedAt ?? null,
    endedAt: latest(read?.endedAt ?? null, counts?.lastTimestamp ?? null) ?? run?.endedAt ?? null,
    bytes: log.facts.bytes,
    modifiedAt: Math.floor(log.facts.modified),
    state: stateOf(member, now),
    problem: head?.problem ?? null,
    parent: top?.log.id ?? null,
    subagents: top === null ? member.children.length : 0,
    forkedFrom: read?.forkedFrom ?? null,
    forks,
    run: run?.run ?? null,
    counts,
    ...cardCost(counts, prices)
  }
}

/** The cost of a session with these counts. */
export function cardCost(
  counts: SessionCounts | null,
  prices: PriceTable | null
): Pick<SessionCard, 'cost' | 'costGaps'> {
  if (counts === null) return { cost: null, costGaps: null }
  const { cost, gaps } = costOf(counts.spent, counts.costUsd, prices)
  return { cost, costGaps: gaps }
}

function stateOf({ log, read, run }: Member, now: number): SessionState {
  if (run?.isRunning === true) return 'live'
  if (log.head?.isEmpty === true) return 'empty'
  if (log.head?.problem != null || read === null) return 'unreadable'
  const end = exactEnd(log) ?? read.end
  if (end !== 'open') return end
  if (run?.finishReason != null) {
    return run.finishReason === 'done' || run.finishReason === 'error' ? run.finishReason : 'interrupted'
  }
  // mtime may lie in the future.
  return Math.abs(now - log.facts.modified) < liveMs ? 'live' : 'interrupted'
}

/** The end from a full read, if the log is unchanged since. */
function exactEnd({ counted, facts }: LibraryLog): ReadCard['end'] | null {
  const isOfNow = counted?.fingerprint.startsWith(`${facts.inode} ${facts.bytes} ${facts.modified} `) === true
  return isOfNow ? counted.end : null
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
