import type { EventScale } from '#core/replay/event-scale.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { placeAtX, type ScrubberView, seqAtX, xOfPlace } from '../scrubber/scrubber-view.ts'

/** Where the todo snapshots of a run lie on a line of `width` px that shows a part of it. */
export interface RunAxis {
  readonly scale: EventScale
  readonly view: ScrubberView
  readonly width: number
  /** Of a snapshot; where the run ends as far as it is read for Infinity. */
  xOfSnapshot(snapshot: number): number
  xOfSeq(seq: number): number
  /** The event at or before `x`. */
  seqAt(x: number): number
  /** The latest snapshot at or before `x`, of any track; -1 where there is none yet. */
  snapshotAt(x: number): number
}

/**
 * The places of snapshots on a scale, which are asked for over and over while a view of it moves. Those of a scale that grew, or of other
 * snapshots, are other places: make them anew.
 */
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
