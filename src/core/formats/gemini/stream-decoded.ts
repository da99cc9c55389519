import type { JsonObject } from '../../json.ts'
import type { TodoItem } from '../../events/todo.ts'
import type { Decoded } from '../log-format.ts'
import type { TaskNote, TrackerCall } from './tracker.ts'

/** What a record asks of the fold. */
export type StreamStep =
  /** Each draft is an event. */
  | { readonly kind: 'say' }
  /** So it is; the turn ends, and what it took is stated. */
  | { readonly kind: 'end'; readonly stats: JsonObject | undefined }
  /** `init`: a process began, of this session or of another. */
  | { readonly kind: 'session' }
  /** Its text goes on with that of the record before. */
  | { readonly kind: 'piece' }
  /** No record: what something else wrote into the log. A text goes on after it. */
  | { readonly kind: 'aside' }
  /** A call of an ordinary tool. */
  | { readonly kind: 'call'; readonly id: string }
  /** A call of `write_todos`; without items it has no event. */
  | {
      readonly kind: 'write'
      readonly id: string
      readonly toolName: string
      readonly items: readonly TodoItem[] | null
    }
  /** A call of a tracker tool that changes its list. */
  | { readonly kind: 'track'; readonly id: string; readonly toolName: string; readonly call: TrackerCall }
  /** Playhead has noted the id of a tracker's task. */
  | { readonly kind: 'task'; readonly note: TaskNote }
  /** A tool answered. */
  | {
      readonly kind: 'result'
      readonly id: string
      readonly rejected: boolean
      /** The task that a tracker says it has made. */
      readonly madeTask: string | undefined
    }

/** What one record of Gemini's stream-json says on its own. */
export interface StreamDecoded extends Decoded {
  readonly time: number | undefined
  /** Only `init` states it. */
  readonly sessionId: string | undefined
  readonly step: StreamStep
}
