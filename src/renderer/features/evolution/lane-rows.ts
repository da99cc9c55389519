import type { TodoLanes } from '../../stores/todo-lanes.ts'

/** A line of the evolution view: the head of a track, or one of its lanes. */
export type LaneRow =
  | { readonly kind: 'track'; readonly track: number; readonly lanes: number; readonly open: boolean }
  | { readonly kind: 'lane'; readonly track: number; readonly lane: number }

/** All lines: each track with its lanes below, except the lanes of `closed` tracks. */
export function laneRows(lanes: TodoLanes, closed: ReadonlySet<number>): LaneRow[] {
  return lanes.tracks().flatMap((track) => {
    const own = lanes.ofTrack(track)
    const open = !closed.has(track)
    const head: LaneRow = { kind: 'track', track, lanes: own.length, open }
    return open ? [head, ...own.map((lane): LaneRow => ({ kind: 'lane', track, lane }))] : [head]
  })
}
