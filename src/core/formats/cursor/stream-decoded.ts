import type { JsonObject } from '../../json.ts'
import type { Decoded } from '../log-format.ts'
import type { TodoEntry, TodoPatch } from './todo-entries.ts'

/** What a record asks of the fold. */
export type CursorStep =
  /** Each draft is an event. */
  | { readonly kind: 'say' }
  /** `system/init`: a process began, of this session or of another. */
  | { readonly kind: 'session' }
  /** A piece of what the model thinks (it stands nowhere else) or says (a whole message follows). */
  | { readonly kind: 'piece'; readonly of: 'thinking' | 'message' }
  /** The model has ended a thought. */
  | { readonly kind: 'thought' }
  /** A whole message, which may have been said in pieces. */
  | { readonly kind: 'message' }
  /** The turn is over. `repeats`: what its text may say again, which is the last draft but one. */
  | { readonly kind: 'end'; readonly repeats: boolean; readonly usage: JsonObject | undefined }
  /** No record: what something else wrote into the log. */
  | { readonly kind: 'aside' }
  /** A call that writes the list: `merge` changes only the entries it names. */
  | { readonly kind: 'write'; readonly id: string; readonly patches: readonly TodoPatch[]; readonly merge: boolean }
  /** Its answer: the whole list, null where it does not say it. */
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
