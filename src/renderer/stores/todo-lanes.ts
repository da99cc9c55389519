import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { firstWhere } from '#core/first-where.ts'
import { laneStates, type LaneState } from '#core/replay/todo-lanes.ts'
import { Listeners } from './listeners.ts'

export type LanesPage = Result<'log.todoLanes'>
export type FetchLanes = (from: number, count: number) => Promise<LanesPage>

/** A first answer is drawn soon; later ones are larger. */
const firstPage = 20_000
const page = 200_000
/** No more is kept here, so that a log of nothing but todo lists takes no memory without end: some 50 MB. */
const maxTransitions = 2_000_000
/** How long until lanes that may have been taken back meanwhile are asked for again, in ms. */
const retryPause = 250
/** A code is eight times the number of a text, plus a state. */
const stateBits = 3
const stateMask = (1 << stateBits) - 1

/** One todo item over the run, as its transitions: each by the snapshot that made it. Parallel lists. */
interface Lane {
  readonly track: number
  readonly snapshots: number[]
  readonly codes: number[]
  /** As `log.todoLanes` has it. */
  readonly beside: number
}

/** What a lane is from one transition to the next. */
export interface LaneSpan {
  /** Position among the lane's transitions. */
  readonly position: number
  /** The snapshot that begins it, and the one that ends it; Infinity: it goes on. */
  readonly from: number
  readonly to: number
  readonly state: LaneState
  readonly text: string
}

/**
 * The lanes of a log's todo items, brought here once somebody wants them, and kept as the log grows: what becomes of an item is a
 * few transitions, so thousands of items over thousands of lists fit.
 */
export class TodoLanes {
  readonly changes = new Listeners()
  /** Why lanes could not be read; null when they could. */
  error: string | null = null
  /** There are more than are kept here. */
  isCut = false
  readonly #fetch: FetchLanes
  readonly #trackAt: (snapshot: number) => number
  readonly #lanes: Lane[] = []
  /** By track its lanes, in the order in which they are listed; those of a track whose order is not known yet are missing. */
  readonly #orders = new Map<number, readonly number[]>()
  readonly #texts: string[] = []
  readonly #textNumbers = new Map<string, number>()
  #transitions = 0
  /** How many snapshots there are, and of how many the transitions are here. */
  #snapshots = 0
  #complete = 0
  #wanted = false
  #loading = false
  /** Counts how often transitions were taken back: what was on its way then may be of other lists. */
  #taken = 0

  /** `trackAt`: of which track a snapshot is. */
  constructor(fetch: FetchLanes, trackAt: (snapshot: number) => number) {
    this.#fetch = fetch
    this.#trackAt = trackAt
  }

  /** From here on lanes are brought here. */
  want(): void {
    this.#wanted = true
    this.#loadOn()
  }

  /** There are `count` snapshots now: further ones came. */
  extend(count: number): void {
    this.#snapshots = count
    this.#loadOn()
  }

  /** Forgets what snapshots from `count` on did, as if they had never come. */
  truncate(count: number): void {
    this.#snapshots = count
    this.#complete = Math.min(this.#complete, count)
    this.#taken++
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

  /** Asks again after a failure. */
  retry(): void {
    this.error = null
    this.#loadOn()
    this.changes.notify()
  }

  /** How many lanes are here. */
  get count(): number {
    return this.#lanes.length
  }

  /** All lanes are here, as far as the lists are. */
  get isComplete(): boolean {
    return this.#complete >= this.#snapshots
  }

  /** Of how many snapshots all transitions are here. */
  get knownSnapshots(): number {
    return this.#complete
  }

  /** The tracks that have lanes, ascending: the main agent's first. */
  tracks(): number[] {
    return [...new Set(this.#lanes.map(({ track }) => track))].toSorted((a, b) => a - b)
  }

  /** The lanes of a track in the order of its lists. */
  ofTrack(track: number): readonly number[] {
    const known = this.#orders.get(track)
    if (known !== undefined) return known
    const order = orderOf(this.#lanes, track)
    this.#orders.set(track, order)
    return order
  }

  /** How many transitions a lane has. */
  transitionsOf(lane: number): number {
    return this.#lanes[lane]?.snapshots.length ?? 0
  }

  trackOf(lane: number): number {
    return this.#lanes[lane]?.track ?? 0
  }

  /** The span of a lane after its transition number `position`; undefined where there is none. */
  span(lane: number, position: number): LaneSpan | undefined {
    const { snapshots, codes } = this.#lanes[lane] ?? noLane
    const from = snapshots[position]
    if (from === undefined) return undefined
    const code = codes[position] ?? 0
    const text = this.#texts[code >>> stateBits] ?? ''
    return { position, from, to: snapshots[position + 1] ?? Infinity, state: stateOf(code), text }
  }

  /** The state that transition `position` of a lane brings, and the snapshot that made it: `span` without an object. */
  stateAfter(lane: number, position: number): LaneState {
    return stateOf(this.#lanes[lane]?.codes[position] ?? 0)
  }
  snapshotAt(lane: number, position: number): number {
    return this.#lanes[lane]?.snapshots[position] ?? Infinity
  }

  /** The same number for the same text: whether an item was edited. */
  textNumberAt(lane: number, position: number): number {
    return (this.#lanes[lane]?.codes[position] ?? 0) >>> stateBits
  }

  /** The last transition of a lane that snapshot `snapshot` or one before it made; -1 where there is none yet. */
  positionAt(lane: number, snapshot: number): number {
    const { snapshots } = this.#lanes[lane] ?? noLane
    return firstWhere(snapshots.length, (at) => (snapshots[at] ?? 0) > snapshot) - 1
  }

  #loadOn(): void {
    if (this.#wanted && !this.#loading && !this.isComplete && this.error === null && !this.isCut) void this.#load()
  }

  async #load(): Promise<void> {
    this.#loading = true
    try {
      while (!this.isComplete && !this.isCut) {
        const taken = this.#taken
        const answer = await this.#fetch(this.#transitions, this.#transitions === 0 ? firstPage : page)
        if (taken !== this.#taken) continue
        const before = this.#transitions
        this.#append(answer)
        this.changes.notify()
        // The host has taken back what this page does not know of yet.
        if (this.#transitions === before && !this.isComplete) await new Promise((ask) => setTimeout(ask, retryPause))
      }
    } catch (error) {
      this.error = messageOf(error)
    }
    this.#loading = false
    if (this.error !== null) this.changes.notify()
  }

  /** Takes the transitions of an answer, as far as they are of snapshots that are known here. */
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
      // The answer is of another state of the log, which is soon known here too.
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

/** The lanes of a track: each after or before the one it belongs beside. */
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
