import { isJsonObject, objectAt, stringAt, type JsonObject } from '../json.ts'
import type { Head, Detector, Strength, TextDetector } from './log-format.ts'

/** A program that may have written a log: a format, or a lookalike known by name only. */
export interface Claimant {
  /** Null: not read by this version. */
  readonly id: string | null
  readonly detectors: readonly Detector[]
  readonly textDetectors?: readonly TextDetector[]
  /** Ids of formats whose records this program also writes. */
  readonly imitates?: readonly string[]
}

/** The evidence in a log's head for a claimant. */
export interface Evidence<C extends Claimant> {
  readonly claimant: C
  readonly weight: number
  /** Number of conclusive records. */
  readonly conclusive: number
}

/** One conclusive record outweighs a few shared ones; five typical records outweigh one foreign line. */
const conclusiveWeight = 4

/** The evidence for a claimant in one session. */
interface Count {
  conclusive: number
  typical: number
  shared: number
  /** A conclusive record states the session or has the imitated shape, so it claims imitated records. */
  takesOver: boolean
}

type Session<C> = Map<C, Count>

/** The evidence by claimant, strongest first; of equals supported formats first, then the given order. */
export function weigh<C extends Claimant>(head: Head, claimants: readonly C[]): Evidence<C>[] {
  const totals = new Map<C, Evidence<C>>()
  for (const session of sessionsOf(head, claimants)) {
    for (const [claimant, weight, conclusive] of shares(session)) {
      const before = totals.get(claimant)
      totals.set(claimant, {
        claimant,
        weight: (before?.weight ?? 0) + weight,
        conclusive: (before?.conclusive ?? 0) + conclusive
      })
    }
  }
  return [...totals.values()].sort(
    (a, b) => b.weight - a.weight || Number(a.claimant.id === null) - Number(b.claimant.id === null)
  )
}

/** Groups the head by session. A record without one belongs to the session before it. */
function sessionsOf<C extends Claimant>(head: Head, claimants: readonly C[]): Iterable<Session<C>> {
  const sessions = new Map<string | null, Session<C>>()
  let current: string | null = null
  const add = (strengthFor: (claimant: C) => Strength | undefined, stated: string | undefined): void => {
    current = stated ?? current
    let session = sessions.get(current)
    if (session === undefined) sessions.set(current, (session = new Map()))
    addRecord(session, claimants, strengthFor, stated !== undefined)
  }
  for (const record of head.records) {
    if (isJsonObject(record)) add(({ detectors }) => strongest(detectors, record), statedSession(record))
  }
  const { cut } = head
  if (cut !== '') add(({ textDetectors }) => strongest(textDetectors ?? [], cut), undefined)
  return sessions.values()
}

/** Adds one record. If it is conclusive for one program, it does not count for the formats that program imitates. */
function addRecord<C extends Claimant>(
  session: Session<C>,
  claimants: readonly C[],
  strengthFor: (claimant: C) => Strength | undefined,
  statesSession: boolean
): void {
  const found: [C, Strength][] = []
  for (const claimant of claimants) {
    const strength = strengthFor(claimant)
    if (strength !== undefined) found.push([claimant, strength])
  }
  const owner = ownerOf(found)
  for (const [claimant, strength] of found) {
    if (owner !== undefined && claimant !== owner && (strength === 'conclusive' || imitates(owner, claimant))) continue
    const count = session.get(claimant) ?? { conclusive: 0, typical: 0, shared: 0, takesOver: false }
    session.set(claimant, count)
    count[strength]++
    if (claimant !== owner) continue
    if (statesSession || found.some(([other]) => imitates(owner, other))) count.takesOver = true
  }
}

/** The claimant with a conclusive rule; an imitator precedes what it imitates. */
function ownerOf<C extends Claimant>(found: readonly [C, Strength][]): C | undefined {
  const owners = found.filter(([, strength]) => strength === 'conclusive').map(([claimant]) => claimant)
  return owners.find((one) => !owners.some((other) => imitates(other, one)))
}

function imitates(one: Claimant, other: Claimant): boolean {
  return other.id !== null && (one.imitates?.includes(other.id) ?? false)
}

function strongest<T>(
  detectors: readonly { readonly strength: Strength; holds(of: T): boolean }[],
  of: T
): Strength | undefined {
  let best: Strength | undefined
  for (const { strength, holds } of detectors) {
    if (strength === best || best === 'conclusive' || (best === 'typical' && strength === 'shared')) continue
    if (holds(of)) best = strength
  }
  return best
}

/** Claimant, weight and conclusive records of a session. */
function* shares<C extends Claimant>(session: Session<C>): Iterable<[C, number, number]> {
  const takers = [...session.keys()].filter((claimant) => session.get(claimant)?.takesOver)
  for (const [claimant, count] of session) {
    if (takers.some((taker) => imitates(taker, claimant))) continue
    let weight = ownWeight(count)
    for (const [other, theirs] of session) {
      if (count.takesOver && imitates(claimant, other)) weight += theirs.conclusive + theirs.typical
    }
    if (weight > 0) yield [claimant, weight, count.conclusive]
  }
}

/** Shared records alone are no evidence. */
function ownWeight({ conclusive, typical, shared }: Count): number {
  const own = conclusiveWeight * conclusive + typical
  return own === 0 ? 0 : own + shared
}

/** Members that state the session. */
const sessionKeys = ['sessionId', 'session_id', 'sessionID', 'thread_id']

function statedSession(record: JsonObject): string | undefined {
  for (const key of sessionKeys) {
    const id = stringAt(record, key)
    if (id !== undefined) return id
  }
  // Codex's session files begin with it.
  if (record['type'] === 'session_meta') return stringAt(objectAt(record, 'payload') ?? {}, 'id')
  if (record['type'] !== undefined) return undefined
  const session = 'instructions' in record ? record : objectAt(record, 'session')
  return stringAt(session ?? {}, 'id')
}
