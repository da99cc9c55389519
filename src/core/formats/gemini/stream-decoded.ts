import type { JsonObject } from '../../json.ts'
import type { TodoItem } from '../../events/todo.ts'
import type { Decoded } from '../log-format.ts'
import type { TaskNote, TrackerCall } from './tracker.ts'

/** The operation of a record for the fold. */
export type StreamStep =
  /** Each draft is an event. */
  | { readonly kind: 'emit' }
  /** Each draft is an event; ends the turn. */
  | { readonly kind: 'end'; readonly stats: JsonObject | undefined }
  /** `init`: a process started, perhaps with the same session. */
  | { readonly kind: 'session' }
  /** Continues the text of the record before. */
  | { readonly kind: 'piece' }
  /** A foreign line. An open text continues after it. */
  | { readonly kind: 'aside' }
  /** A call of another tool. */
  | { readonly kind: 'call'; readonly id: string }
  /** A call of `write_todos`; without items it has no event. */
  | {
      readonly kind: 'write'
      readonly id: string
      readonly toolName: string
      readonly items: readonly TodoItem[] | null
    }
  /** A call of a tracker tool that changes the list. */
  | { readonly kind: 'track'; readonly id: string; readonly toolName: string; readonly call: TrackerCall }
  /** A note of Playhead about a task's id. */
  | { readonly kind: 'task'; readonly note: TaskNote }
  | {
      readonly kind: 'result'
      readonly id: string
      readonly rejected: boolean
      /** The task created by a tracker. */
      readonly madeTask: string | undefined
    }

/** A decoded record of Gemini's stream-json. */
export interface StreamDecoded extends Decoded {
  readonly time: number | undefined
  /** Only in `init`. */
  readonly sessionId: string | undefined
  readonly step: StreamStep
}
