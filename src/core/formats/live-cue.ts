import type { AskQuestion } from '../dialogue/ask.ts'
import type { JsonObject, JsonValue } from '../json.ts'

/** What a record means for followers of a live run, beyond its events. Vendor-neutral. */
export type LiveCue =
  /** A piece of an agent's text, before the record with the whole text. */
  | { readonly kind: 'piece'; readonly trackId: string | undefined; readonly text: string }
  /** A call of a todo tool or its result; `todos`: the stated list, null if none. */
  | { readonly kind: 'todo-call'; readonly toolId: string; readonly todos: readonly JsonValue[] | null }
  /** The "present-continuous" form of a todo's content. */
  | { readonly kind: 'active-form'; readonly content: string; readonly form: string }
  /** The elapsed time of a running tool. */
  | {
      readonly kind: 'tool-progress'
      readonly toolId: string
      readonly toolName: string | undefined
      readonly trackId: string | undefined
      readonly elapsedMs: number
    }
  /** A piece of a call's output. */
  | { readonly kind: 'tool-output'; readonly toolId: string; readonly text: string }
  /** A permission request or a denial. A denied call may be reported more than once. */
  | {
      readonly kind: 'permission'
      readonly requestId?: string | undefined
      readonly toolId?: string | undefined
      readonly toolName?: string | undefined
      readonly input?: JsonObject | undefined
      readonly message?: string | undefined
      readonly denied: boolean
      /** What allowing it for the run would cover. */
      readonly scopes?: readonly string[]
      readonly questions?: readonly AskQuestion[]
    }
  /** The permission mode. */
  | { readonly kind: 'mode'; readonly mode: string }
  /** The log has no turn ends. */
  | { readonly kind: 'without-turn-ends' }
