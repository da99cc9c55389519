import type { TodoStatus } from '#core/events/todo.ts'
import type { TodoFate } from '#core/replay/review.ts'
import { isAway, type LaneState } from '#core/replay/todo-lanes.ts'
import type { LaneSpan, TodoLanes } from '../../stores/todo-lanes.ts'
import type { ItemMark } from '../todos/item-marks.ts'

/** What the list of its track did to an item when it was last written, `list` being that snapshot; null where it left it alone. */
export function laneMark(lanes: TodoLanes, lane: number, position: number, list: number): ItemMark | null {
  const span = lanes.span(lane, position)
  if (span === undefined || span.from !== list || isAway(span.state)) return null
  const before = lanes.span(lane, position - 1)
  if (before === undefined || isAway(before.state)) {
    return { came: before === undefined ? 'added' : 'returned', before: null, movedFrom: null, editedFrom: null }
  }
  return {
    came: null,
    before: before.state === span.state ? null : before.state,
    movedFrom: null,
    editedFrom: before.text === span.text ? null : before.text
  }
}

/** What the item of a span is; null where it is in no list, and was finished. */
export function fateOfSpan(span: LaneSpan | undefined): TodoFate | null {
  return span === undefined || span.state === 'absent' ? null : span.state
}

/** A span of one status, however often the item's text was edited meanwhile: what a person sees as one bar. */
export function barAt(lanes: TodoLanes, lane: number, position: number): LaneSpan | undefined {
  const span = lanes.span(lane, position)
  if (span === undefined) return undefined
  let first = position
  while (first > 0 && lanes.stateAfter(lane, first - 1) === span.state) first--
  let last = position
  while (last + 1 < lanes.transitionsOf(lane) && lanes.stateAfter(lane, last + 1) === span.state) last++
  const from = lanes.snapshotAt(lane, first)
  return { ...span, from, to: lanes.snapshotAt(lane, last + 1) }
}

/** What became of an item over the whole run. */
export interface LaneStory {
  /** By status how often it began. */
  readonly times: Readonly<Record<TodoStatus, number>>
  readonly statusChanges: number
  readonly edits: number
  /** How often it was dropped, and how often it was away beside that. */
  readonly drops: number
  readonly gaps: number
}

/** Longer stories are told by their beginning. */
const mostTold = 10_000

export function laneStory(lanes: TodoLanes, lane: number): LaneStory {
  const times = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 }
  let statusChanges = 0
  let edits = 0
  let drops = 0
  let gaps = 0
  let former: LaneState = 'absent'
  const count = Math.min(mostTold, lanes.transitionsOf(lane))
  for (let position = 0; position < count; position++) {
    const state = lanes.stateAfter(lane, position)
    const sameText = position === 0 || lanes.textNumberAt(lane, position) === lanes.textNumberAt(lane, position - 1)
    if (!sameText) edits++
    if (state !== former) {
      if (state === 'dropped') drops++
      else if (state === 'absent') gaps++
      else times[state]++
      if (!isAway(state) && !isAway(former)) statusChanges++
    }
    former = state
  }
  return { times, statusChanges, edits, drops, gaps }
}
