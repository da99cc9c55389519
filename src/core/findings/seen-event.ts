import type { TodoItem } from '../events/todo.ts'
import type { Call } from './call.ts'
import type { Outcome } from './outcome.ts'

/** An event as the rules see it. */
export interface SeenEvent {
  readonly seq: number
  /** Empty: the main agent. */
  readonly track: string
  /** The time that its own record states, in ms since the epoch; null if it states none. */
  readonly time: number | null
  /** The agent or one of its tools did it: no prompt, no status, no new session. */
  readonly isWork: boolean
}

/** A result. `counts`: as a failed call, as one that did its work, or as neither. */
export interface CallEnd extends SeenEvent {
  readonly call: Call
  readonly outcome: Outcome
  readonly counts: 'failed' | 'done' | 'neither'
  /** Its line may have a check, and its output reads as if that failed, whatever its status. */
  readonly mayHideFailure: boolean
}

export interface TurnEnd extends SeenEvent {
  readonly finishReason: 'done' | 'error' | 'cancelled' | 'timeout'
  /** No record shows it: the log just ends, as that of a killed agent does. */
  readonly isAssumed: boolean
}

export interface TodoEvent extends SeenEvent {
  readonly items: readonly TodoItem[]
}
