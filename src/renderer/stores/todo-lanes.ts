import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { firstWhere } from '#core/first-where.ts'
import { laneStates, type LaneState } from '#core/replay/todo-lanes.ts'
import { Listeners } from './listeners.ts'

export type LanesPage = Result<'log.todoLanes'>
export type FetchLanes = (from: number, count: number) => Promise<LanesPage>

/** The first page is small, to be shown soon. */
const firstPage = 20_000
const page = 200_000
/** A memory limit of about 50 MB, for logs with todo lists only. */
const maxTransitions = 2_000_000
/** Delay in ms before lanes that may have been taken back are requested again. */
const retryAfterMs = 250
/** A code is the number of a text, times eight, plus a state. */
const stateBits = 3
const stateMask = (1 << stateBits) - 1

/** A todo item as its transitions, by the snapshots that made them. Parallel lists. */
interface Lane {
  readonly track: number
  readonly snapshots: number[]
  readonly codes: number[]
  /** As in `log.todoLanes`. */
  readonly beside: number
}

/** A lane between two transitions. */
export interface LaneSpan {
  /** Index among the lane's transitions. */
  readonly position: number
  /** The first snapshot, and the one that ends it; Infinity: it continues. */
  readonly from: number
  readonly to: number
  readonly state: LaneState
  readonly text: string
}

/** The lanes of a log's todo items, loaded on demand and updated as the log grows. */
export class TodoLanes {
  readonly changes = new Listeners()
  /** The read error; null for none. */
  error: string | null = null
  /** Whether the log has more transitions than the limit. */
  isCut = false
  readonly #fetch: FetchLanes
  readonly #trackAt: (snapshot: number) => number
  readonly #lanes: Lane[] = []
  /** The lanes of each track in list order; missing if the order is unknown. */
  readonly #orders = new Map<number, readonly number[]>()
  readonly #texts: string[] = []
  readonly #textNumbers = new Map<string, number>()
  #transitions = 0
  /** The number of snapshots, and of those whose transitions are loaded. */
  #snapshots = 0
  #complete = 0
  #isShown = false
  #loading = false
  /** Number of times that transitions were taken back; earlier answers are dropped. */
  #truncations = 0

  /** `trackAt`: the track of a snapshot. */
  constructor(fetch: FetchLanes, trackAt: (snapshot: number) => number) {
    this.#fetch = fetch
    this.#trackAt = trackAt
  }

  /** Loads the lanes from now on. */
  load(): void {
    this.#isShown = true
    this.#loadOn()
  }

  /** Sets the number of snapshots, which has grown. */
  extend(count: number): void {
    this.#snapshots = count
    this.#loadOn()
  }

  /** Removes the transitions of the snapshots from `count` on. */
  truncate(count: number): void {
    this.#snapshots = count
    this.#complete = Math.min(this.#complete, count)
    this.#truncations++
    for (const { snapshots, codes } of this.#lanes) {
      while ((snapshots.at(-1) ?? -1) >= count) {
        snapshots.pop()
        codes.pop()
        this.#transitions--
      }
    }
    while (this.#lanes.at(-1)?.snapshots.length === 0) this.#lanes.pop()
    this.isCut = false
    this.#orders.clear()
    this.changes.notify()
  }

  /** Loads again after an error. */
  retry(): void {
    this.error = null
    this.#loadOn()
    this.changes.notify()
  }

  /** Number of loaded lanes. */
  get count(): number {
    return this.#lanes.length
  }

  /** Whether the lanes of all known snapshots are loaded. */
  get isComplete(): boolean {
    return this.#complete >= this.#snapshots
  }

  /** Number of snapshots whose transitions are all loaded. */
  get knownSnapshots(): number {
    return this.#complete
  }

  /** The tracks with lanes, ascending: the main agent first. */
  tracks(): number[] {
    return [...new Set(this.#lanes.map(({ track }) => track))].toSorted((a, b) => a - b)
  }

  /** The lanes of a track in list order. */
  ofTrack(track: number): readonly number[] {
    const known = this.#orders.get(track)
    if (known !== undefined) return known
    const order = orderOf(this.#lanes, track)
    this.#orders.set(track, order)
    return order
  }

  /** Number of transitions of a lane. */
  transitionsOf(lane: number): number {
    return this.#lanes[lane]?.snapshots.length ?? 0
  }

  trackOf(lane: number): number {
    return this.#lanes[lane]?.track ?? 0
  }

  /** The span of a lane after transition `position`; undefined for none. */
  span(lane: number, position: number): LaneSpan | undefined {
    const { snapshots, codes } = this.#lanes[lane] ?? noLane
    const from = snapshots[position]
    if (from === undefined) return undefined
    const code = codes[position] ?? 0
    const text = this.#texts[code >>> stateBits] ?? ''
    return { position, from, to: snapshots[position + 1] ?? Infinity, state: stateOf(code), text }
  }

  /** The state after transition `position`, and its snapshot: `span` without an object. */
  stateAfter(lane: number, position: number): LaneState {
    return stateOf(this.#lanes[lane]?.codes[position] ?? 0)
  }
  snapshotAt(lane: number, position: number): number {
    return this.#lanes[lane]?.snapshots[position] ?? Infinity
  }

  /** Equal for equal texts: shows whether an item was edited. */
  textNumberAt(lane: number, position: number): number {
    return (this.#lanes[lane]?.codes[position] ?? 0) >>> stateBits
  }

  /** The last transition of a lane up to snapshot `snapshot`; -1 for none. */
  positionAt(lane: number, snapshot: number): number {
    const { snapshots } = this.#lanes[lane] ?? noLane
    return firstWhere(snapshots.length, (at) => (snapshots[at] ?? 0) > snapshot) - 1
  }

  #loadOn(): void {
    if (this.#isShown && !this.#loading && !this.isComplete && this.error === null && !this.isCut) void this.#load()
  }

  async #load(): Promise<void> {
    this.#loading = true
    try {
      while (!this.isComplete && !this.isCut) {
        const truncations = this.#truncations
        const answer = await this.#fetch(this.#transitions, this.#transitions === 0 ? firstPage : page)
        if (truncations !== this.#truncations) continue
        const before = this.#transitions
        this.#append(answer)
        this.changes.notify()
        // The host has taken back lists that this page still has.
        if (this.#transitions === before && !this.isComplete) await new Promise((ask) => setTimeout(ask, retryAfterMs))
      }
    } catch (error) {
      this.error = messageOf(error)
    }
    this.#loading = false
    if (this.error !== null) this.changes.notify()
  }

  /** Adds the transitions of known snapshots. */
  #append(answer: LanesPage): void {
    const snapshots = new Uint32Array(answer.snapshot)
    const lanes = new Uint32Array(answer.lane)
    const states = new Uint8Array(answer.state)
    const words = new Uint32Array(answer.text)
    const beside = new Int32Array(answer.beside)
    const texts = answer.texts.map((text) => this.#numberOf(text))
    let at = 0
    for (; at < snapshots.length; at++) {
      const snapshot = snapshots[at] ?? 0
      const number = lanes[at] ?? 0
      if (snapshot >= this.#snapshots) break
      // The answer belongs to a state of the log that is not known here yet.
      if (number > this.#lanes.length) return
      if (this.#transitions >= maxTransitions) {
        this.isCut = true
        return
      }
      let lane = this.#lanes[number]
      if (lane === undefined) {
        lane = { track: this.#trackAt(snapshot), snapshots: [], codes: [], beside: beside[at] ?? 0 }
        this.#lanes.push(lane)
        this.#orders.delete(lane.track)
      }
      lane.snapshots.push(snapshot)
      lane.codes.push(((texts[words[at] ?? 0] ?? 0) << stateBits) | (states[at] ?? 0))
      this.#transitions++
    }
    const isAll = at < snapshots.length || answer.from + at >= answer.transitions
    if (isAll) this.#complete = this.#snapshots
  }

  #numberOf(text: string): number {
    const known = this.#textNumbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.push(text) - 1
    this.#textNumbers.set(text, number)
    return number
  }
}

const noLane: Lane = { track: 0, snapshots: [], codes: [], beside: 0 }

function stateOf(code: number): LaneState {
  return laneStates[code & stateMask] ?? 'absent'
}

/** The lanes of a track, each after or before its neighbour. */
function orderOf(lanes: readonly Lane[], track: number): number[] {
  const next = new Map<number, number>()
  const former = new Map<number, number>()
  let first = -1
  let last = -1
  const put = (lane: number, after: number) => {
    const follower = after < 0 ? first : (next.get(after) ?? -1)
    if (after >= 0) next.set(after, lane)
    else first = lane
    if (follower >= 0) former.set(follower, lane)
    else last = lane
    former.set(lane, after)
    next.set(lane, follower)
  }
  for (const [lane, { track: own, beside }] of lanes.entries()) {
    if (own !== track) continue
    const known = Math.abs(beside) - 1
    if (known < 0 || !former.has(known)) put(lane, last)
    else put(lane, beside > 0 ? known : (former.get(known) ?? -1))
  }
  const order: number[] = []
  for (let lane = first; lane >= 0; lane = next.get(lane) ?? -1) order.push(lane)
  return order
}
