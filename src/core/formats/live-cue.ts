import type { JsonObject, JsonValue } from '../json.ts'

/** What a record tells those who follow a run while it goes on, and what no event says, or not yet. In no vendor's words. */
export type LiveCue =
  /** A piece of an agent's text, before the record with the whole text. */
  | { readonly kind: 'piece'; readonly trackId: string | undefined; readonly text: string }
  /** The call of a todo tool, or its answer; `todos`: the whole list as it states it, null where it states none. */
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
  /** The agent asks whether it may, or was refused. Of a call with an id it may be said more than once that it was refused. */
  | {
      readonly kind: 'permission'
      readonly requestId: string | undefined
      readonly toolId: string | undefined
      readonly toolName: string | undefined
      readonly input: JsonObject | undefined
      readonly message: string | undefined
      readonly denied: boolean
    }
  /** The permission mode. */
  | { readonly kind: 'mode'; readonly mode: string }
  /** The log has no turn ends. */
  | { readonly kind: 'without-turn-ends' }
