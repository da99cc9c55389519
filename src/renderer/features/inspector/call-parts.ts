import type { AgentEvent } from '#core/events/agent-event.ts'
import type { RowFacts } from '#contract/methods.ts'
import { type Cuts, cutsOf } from './cuts.ts'
import type { RowDetail } from './use-row-detail.ts'

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>

/** A call or its result: the event, its row and the lengths of its uncut strings. */
export interface CallPart<T extends 'tool.started' | 'tool.completed'> {
  readonly row: number
  readonly event: EventOf<T>
  readonly facts: RowFacts
  readonly cuts: Cuts
}

/** A call with its result. Either may be the selected row. */
export interface CallPair {
  readonly call: CallPart<'tool.started'> | null
  readonly result: CallPart<'tool.completed'> | null
  /** Todo tools: the row of the list that the call wrote, because such a call is no event. Else null. */
  readonly listRow: number | null
  /** The row of the result that counts, if it is another one. */
  readonly replacedBy: number | null
  /** Rows of other results that do not count. */
  readonly replaced: readonly number[]
}

/** Null if the row is neither a call nor a result. */
export function callPairOf(detail: RowDetail, showAll: (() => void) | null): CallPair | null {
  const { row, event, facts, cut, pair, results } = detail
  if (event?.type !== 'tool.started' && event?.type !== 'tool.completed') return null
  const parts = [
    { row, event, facts, cuts: cutsOf(row, cut, showAll) },
    ...(pair === null ? [] : [{ ...pair, cuts: cutsOf(pair.row, pair.cut, showAll) }])
  ]
  const call = parts.find(isOf('tool.started')) ?? null
  const result = parts.find(isOf('tool.completed')) ?? null
  const [counts = null, ...others] = results
  return {
    call,
    result,
    listRow: pair?.event.type === 'todo_list' ? pair.row : null,
    replacedBy: result === null || counts === null || counts === result.row ? null : counts,
    replaced: others.filter((each) => each !== result?.row)
  }
}

function isOf<T extends 'tool.started' | 'tool.completed'>(type: T) {
  return (part: { row: number; event: AgentEvent; facts: RowFacts; cuts: Cuts }): part is CallPart<T> =>
    part.event.type === type
}
