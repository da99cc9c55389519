import type { EventScale } from '#core/replay/event-scale.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { placeAtX, type ScrubberView, seqAtX, xOfPlace } from '../scrubber/scrubber-view.ts'

/** The positions of todo snapshots on a line of `width` px that shows a part of a session. */
export interface RunAxis {
  readonly scale: EventScale
  readonly view: ScrubberView
  readonly width: number
  /** Of a snapshot; Infinity gives the end of the log so far. */
  xOfSnapshot(snapshot: number): number
  xOfSeq(seq: number): number
  /** The event at or before `x`. */
  seqAt(x: number): number
  /** The latest snapshot of any track at or before `x`; -1 for none. */
  snapshotAt(x: number): number
}

/** The places of snapshots on a scale, cached. A grown scale or other snapshots need a new instance. */
export class SnapshotPlaces {
  readonly #todos: TodoSnapshots
  readonly scale: EventScale
  readonly #places: Float64Array

  constructor(todos: TodoSnapshots, scale: EventScale) {
    this.#todos = todos
    this.scale = scale
    this.#places = new Float64Array(todos.count).fill(NaN)
  }

  placeOf(snapshot: number): number {
    if (snapshot >= this.#places.length) return this.scale.total
    const known = this.#places[snapshot] ?? 0
    return Number.isNaN(known) ? this.#remember(snapshot) : known
  }

  #remember(snapshot: number): number {
    const place = this.scale.placeOf(this.#todos.seqAt(snapshot))
    this.#places[snapshot] = place
    return place
  }
}

export function runAxis(todos: TodoSnapshots, places: SnapshotPlaces, view: ScrubberView, width: number): RunAxis {
  const { scale } = places
  return {
    scale,
    view,
    width,
    xOfSnapshot: (snapshot) => xOfPlace(places.placeOf(snapshot), view, width),
    xOfSeq: (seq) => xOfPlace(scale.placeOf(seq), view, width),
    seqAt: (x) => seqAtX(scale, x, view, width),
    snapshotAt: (x) => todos.indexAt(scale.seqAt(placeAtX(x, view, width)))
  }
}
