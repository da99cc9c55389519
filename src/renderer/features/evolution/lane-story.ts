import type { TodoStatus } from '#core/events/todo.ts'
import type { TodoFate } from '#core/replay/review.ts'
import { isAway, type LaneState } from '#core/replay/todo-lanes.ts'
import type { LaneSpan, TodoLanes } from '../../stores/todo-lanes.ts'
import type { ItemChange } from '../todos/item-changes.ts'

/** How snapshot `list`, the last one of its track, changed an item; null for no change. */
export function laneChange(lanes: TodoLanes, lane: number, position: number, list: number): ItemChange | null {
  const span = lanes.span(lane, position)
  if (span === undefined || span.from !== list || isAway(span.state)) return null
  const before = lanes.span(lane, position - 1)
  if (before === undefined || isAway(before.state)) {
    return { arrived: before === undefined ? 'added' : 'returned', before: null, movedFrom: null, editedFrom: null }
  }
  return {
    arrived: null,
    before: before.state === span.state ? null : before.state,
    movedFrom: null,
    editedFrom: before.text === span.text ? null : before.text
  }
}

/** The fate of a span's item; null if it is in no list and was finished. */
export function fateOfSpan(span: LaneSpan | undefined): TodoFate | null {
  return span === undefined || span.state === 'absent' ? null : span.state
}

/** The span of one status across text edits, which is shown as one bar. */
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

/** The history of an item over the whole session. */
export interface LaneStory {
  /** How often each status began. */
  readonly times: Readonly<Record<TodoStatus, number>>
  readonly statusChanges: number
  readonly edits: number
  /** How often it was dropped; `gaps` counts the other absences. */
  readonly drops: number
  readonly gaps: number
}

/** Only this many transitions are counted. */
const maxCounted = 10_000

export function laneStory(lanes: TodoLanes, lane: number): LaneStory {
  const times = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 }
  let statusChanges = 0
  let edits = 0
  let drops = 0
  let gaps = 0
  let former: LaneState = 'absent'
  const count = Math.min(maxCounted, lanes.transitionsOf(lane))
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
