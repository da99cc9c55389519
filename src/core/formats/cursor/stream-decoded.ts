import type { JsonObject } from '../../json.ts'
import type { Decoded } from '../log-format.ts'
import type { TodoEntry, TodoPatch } from './todo-entries.ts'

/** The operation of a record for the fold. */
export type CursorStep =
  /** Each draft is an event. */
  | { readonly kind: 'emit' }
  /** `system/init`: a process started, perhaps with the same session. */
  | { readonly kind: 'session' }
  /** A piece of a thought, recorded only so, or of a message, which follows whole. */
  | { readonly kind: 'piece'; readonly of: 'thinking' | 'message' }
  /** The end of a thought. */
  | { readonly kind: 'thought' }
  /** A whole message, perhaps after its pieces. */
  | { readonly kind: 'message' }
  /** The turn's end. `repeats`: its text, the last draft but one, may be a repetition. */
  | { readonly kind: 'end'; readonly repeats: boolean; readonly usage: JsonObject | undefined }
  /** A foreign line. */
  | { readonly kind: 'aside' }
  /** A call that writes the list. `merge`: changes only the named entries. */
  | { readonly kind: 'write'; readonly id: string; readonly patches: readonly TodoPatch[]; readonly merge: boolean }
  /** A result shows the whole list. */
  | { readonly kind: 'shown'; readonly entries: readonly TodoEntry[] }
  /** Its result: the whole list, null if not stated. */
  | {
      readonly kind: 'written'
      readonly id: string
      readonly rejected: boolean
      readonly entries: readonly TodoEntry[] | null
    }

export interface CursorDecoded extends Decoded {
  readonly sessionId: string | undefined
  readonly step: CursorStep
}
