import type { EventScale } from '#core/replay/event-scale.ts'
import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { type AxisView, placeAtX } from '../axis/axis-view.ts'
import { type RunAxis, runAxis } from '../axis/run-axis.ts'

/** The positions of todo snapshots too. */
export interface SnapshotAxis extends RunAxis {
  /** Of a snapshot; Infinity gives the end of the log so far. */
  xOfSnapshot(snapshot: number): number
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

export function snapshotAxis(
  todos: TodoSnapshots,
  places: SnapshotPlaces,
  view: AxisView,
  width: number
): SnapshotAxis {
  const { scale } = places
  const axis = runAxis(scale, view, width)
  return {
    ...axis,
    xOfSnapshot: (snapshot) => axis.xOfPlace(places.placeOf(snapshot)),
    snapshotAt: (x) => todos.indexAt(scale.seqAt(placeAtX(x, view, width)))
  }
}
