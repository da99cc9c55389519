import { alignSteps, isAfter } from './align-steps.ts'
import type { Step, TrackSteps } from './step.ts'

/** `moved`: an equal step is elsewhere in the other session. */
export const stepClasses = ['same', 'changed', 'only-a', 'only-b', 'moved'] as const
export type StepClass = (typeof stepClasses)[number]
/** Of a pair of calls. `unknown`: one of them has no result. */
export const resultClasses = ['same', 'differs', 'a-failed', 'b-failed', 'both-failed', 'unknown'] as const
export type ResultClass = (typeof resultClasses)[number]

/** A step of A, a step of B, or a pair. */
export interface ComparedRow {
  readonly a: Step | null
  readonly b: Step | null
  readonly class: StepClass
  /** Of a pair of calls, else null. */
  readonly result: ResultClass | null
  /** Of a moved step: its equal in the other session, which has a row of its own. */
  readonly other: Step | null
}

/** The main agents, or two subagents that a pair of calls started; null: only the other session has such a track. */
export interface ComparedSection {
  readonly a: { readonly trackId: string | null } | null
  readonly b: { readonly trackId: string | null } | null
  /** Each step of both tracks once, those of A in the order of its log; a moved one has a row on each side. */
  readonly rows: readonly ComparedRow[]
}

export interface Comparison {
  /** The main agents first, then subagents by the calls that started them. */
  readonly sections: readonly ComparedSection[]
  /** Where the paths part; null: they are the same. */
  readonly firstDifference: { readonly section: number; readonly row: number } | null
  readonly counts: Readonly<Record<StepClass, number>>
}

export interface ComparedSession {
  /** The main agent first. */
  readonly tracks: readonly TrackSteps[]
  /** By track: the event of the call that started it, as far as it is known. */
  readonly starts: ReadonlyMap<string, number>
}

/**
 * Compares what two sessions did, step by step (`alignSteps`). Subagents are compared where the calls that started them
 * are a pair; others by the most similar first prompt or step, else alone. Swapping the sessions swaps the sides, and
 * parallel calls are in the order of the other one. What an agent says is shown, but is no difference of the path.
 */
export function compareSessions(a: ComparedSession, b: ComparedSession): Comparison {
  const [mainA, ...othersA] = a.tracks
  const [mainB, ...othersB] = b.tracks
  const sections: ComparedSection[] = []
  const leftA = new Set(othersA)
  const leftB = new Set(othersB)
  const [startedA, startedB] = [byStart(a, othersA), byStart(b, othersB)]
  /** The two, and subagents of subagents at any depth. */
  const compare = (one: TrackSteps | null, other: TrackSteps | null): void => {
    for (const pairs: [TrackSteps | null, TrackSteps | null][] = [[one, other]]; pairs.length > 0;) {
      const [first, second] = pairs.pop() ?? [null, null]
      if (first !== null) leftA.delete(first)
      if (second !== null) leftB.delete(second)
      const section = compareTracks(first, second)
      sections.push(section)
      const started: typeof pairs = []
      for (const { a: stepA, b: stepB } of section.rows) {
        const [trackA, trackB] = [startedA.get(stepA?.seq), startedB.get(stepB?.seq)]
        if (!trackA || !trackB || !leftA.has(trackA) || !leftB.has(trackB)) continue
        leftA.delete(trackA)
        leftB.delete(trackB)
        started.push([trackA, trackB])
      }
      pairs.push(...started.toReversed())
    }
  }
  compare(mainA ?? null, mainB ?? null)
  for (const [track, second] of similarTracks([...leftA], [...leftB])) compare(track, second)
  for (const track of leftA) compare(track, null)
  for (const track of leftB) compare(null, track)
  return { sections, firstDifference: firstDifference(sections), counts: countsOf(sections) }
}

/** Subagents by the event of the call that started them. */
function byStart(
  { starts }: ComparedSession,
  tracks: readonly TrackSteps[]
): ReadonlyMap<number | undefined, TrackSteps> {
  const started = new Map<number | undefined, TrackSteps>()
  for (const track of tracks) {
    const call = track.trackId === null ? undefined : starts.get(track.trackId)
    if (call !== undefined) started.set(call, track)
  }
  return started
}

/** Subagents whose starts are unknown or no pair, by equal or similar first prompts, or else first steps, in order. */
function similarTracks(a: readonly TrackSteps[], b: readonly TrackSteps[]): [TrackSteps, TrackSteps][] {
  const firsts = (tracks: readonly TrackSteps[]): readonly Step[] =>
    tracks.flatMap(({ steps }) => steps.find(({ kind }) => kind === 'prompt') ?? steps[0] ?? [])
  const { pairs } = alignSteps(firsts(a), firsts(b))
  return a.flatMap((track, place): [TrackSteps, TrackSteps][] => {
    const second = b[pairs[place] ?? -1]
    return second === undefined ? [] : [[track, second]]
  })
}

function compareTracks(a: TrackSteps | null, b: TrackSteps | null): ComparedSection {
  const [stepsA, stepsB] = withCommonHistory(a ?? noSteps, b ?? noSteps)
  const { pairs, moved } = alignSteps(stepsA, stepsB)
  const movedFrom = new Map<number, number>()
  for (const [place, other] of moved.entries()) if (other >= 0) movedFrom.set(other, place)
  const rows: ComparedRow[] = []
  const isBFirst = isAfter(stepsA, stepsB)
  const addA = (to: number): void => {
    for (; nextA < to; nextA++) {
      const other = stepsB[moved[nextA] ?? -1] ?? null
      rows.push({ a: stepsA[nextA] ?? null, b: null, class: other ? 'moved' : 'only-a', result: null, other })
    }
  }
  const addB = (to: number): void => {
    for (; nextB < to; nextB++) {
      const other = stepsA[movedFrom.get(nextB) ?? -1] ?? null
      rows.push({ a: null, b: stepsB[nextB] ?? null, class: other ? 'moved' : 'only-b', result: null, other })
    }
  }
  // Steps of both sides between two pairs have no order, so they get one that does not depend on which side is A.
  const addBetween = (toA: number, toB: number): void => {
    if (isBFirst) addB(toB)
    addA(toA)
    addB(toB)
  }
  let [nextA, nextB] = [0, 0]
  for (const [place, other] of pairs.entries()) {
    const [one, second] = [stepsA[place], stepsB[other]]
    if (one === undefined || second === undefined) continue
    addBetween(place, other)
    const isSame = one.hash === second.hash
    rows.push({ a: one, b: second, class: isSame ? 'same' : 'changed', result: resultOf(one, second), other: null })
    nextA = place + 1
    nextB = other + 1
  }
  addBetween(stepsA.length, stepsB.length)
  return { a: a && { trackId: a.trackId }, b: b && { trackId: b.trackId }, rows: inLogOrder(rows) }
}

/** Parallel calls were aligned in an order that both sessions share. Each row of A gets the place that it has in its log, and so do those of B alone. */
function inLogOrder(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const ofA = rows.filter(({ a }) => a !== null).toSorted((one, other) => placeOf(one.a) - placeOf(other.a))
  const onlyB = rows.filter(({ a }) => a === null).toSorted((one, other) => placeOf(one.b) - placeOf(other.b))
  let [nextA, nextB] = [0, 0]
  return rows.flatMap(({ a }) => (a === null ? onlyB[nextB++] : ofA[nextA++]) ?? [])
}

function placeOf(step: Step | null): number {
  return step?.place ?? 0
}

const noSteps: TrackSteps = { trackId: null, history: [], steps: [] }

/** The steps of two tracks. Of what they copied from earlier sessions, only what both have; so a fork and its parent share it. */
function withCommonHistory(a: TrackSteps, b: TrackSteps): [readonly Step[], readonly Step[]] {
  if (a.history.length === 0 && b.history.length === 0) return [a.steps, b.steps]
  const [allA, allB] = [a, b].map(({ history, steps }) => [...history, ...steps]) as [Step[], Step[]]
  const differs = allA.findIndex(({ hash }, place) => hash !== allB[place]?.hash)
  const shared = differs < 0 ? allA.length : differs
  const isWanted =
    ({ history }: TrackSteps) =>
    (_: Step, place: number) =>
      place < shared || place >= history.length
  return [allA.filter(isWanted(a)), allB.filter(isWanted(b))]
}

function resultOf(a: Step, b: Step): ResultClass | null {
  if (a.kind !== 'call' || b.kind !== 'call') return null
  if (a.outcome === 'open' || b.outcome === 'open') return 'unknown'
  if (a.outcome === 'failed') return b.outcome === 'failed' ? 'both-failed' : 'a-failed'
  if (b.outcome === 'failed') return 'b-failed'
  return a.resultHash === b.resultHash ? 'same' : 'differs'
}

/** Whether a row is a difference of the path. */
export function isDifference({ a, b, class: found }: ComparedRow): boolean {
  return found !== 'same' && (a ?? b)?.kind !== 'text'
}

/** In the order of the main agents' rows; a subagent's rows follow the calls that started it. */
function firstDifference(sections: readonly ComparedSection[]): Comparison['firstDifference'] {
  for (const [section, { rows }] of sections.entries()) {
    const row = rows.findIndex(isDifference)
    if (row >= 0) return { section, row }
  }
  return null
}

function countsOf(sections: readonly ComparedSection[]): Comparison['counts'] {
  const counts = { same: 0, changed: 0, 'only-a': 0, 'only-b': 0, moved: 0 }
  for (const { rows } of sections) for (const row of rows) counts[row.class]++
  return counts
}
