import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject } from '../../json.ts'
import type { Decoded } from '../log-format.ts'
import { RecordBuilder } from '../record-builder.ts'

/** A decoded record of a saved chat. `body` is an index into `drafts`, -1 for none. */
export interface ChatDecoded extends Decoded {
  readonly record: ChatRecord
}

export type ChatRecord =
  /** `{sessionId, projectHash, …}`, perhaps with messages. */
  | {
      readonly kind: 'header'
      readonly sessionId: string
      readonly subagent: boolean
      readonly body: number
      readonly messages: readonly ChatMessage[]
    }
  /** A message, which replaces one of the same id. */
  | { readonly kind: 'message'; readonly message: ChatMessage }
  /** `{$set: {messages}}`: replaces the conversation. */
  | { readonly kind: 'checkpoint'; readonly messages: readonly ChatMessage[]; readonly sessionId: string | undefined }
  /** `{$rewindTo: id}`. */
  | { readonly kind: 'rewind'; readonly id: string }
  /** An entry of `logs.json`. */
  | { readonly kind: 'prompt'; readonly sessionId: string | undefined; readonly body: number }
  /** What the agent asked a person, as a file beside the chat states it. `ask`: its id. */
  | { readonly kind: 'ask'; readonly ask: string; readonly callId: string | undefined }
  /** What was decided about an ask. */
  | { readonly kind: 'decision'; readonly ask: string }
  /** Metadata and unknown records: all drafts are events. */
  | { readonly kind: 'other'; readonly sessionId: string | undefined }

/** One message in parts; the fold selects the new ones. */
export interface ChatMessage {
  readonly id: string | undefined
  /** Ms since the epoch, if stated. */
  readonly time: number | undefined
  readonly kind: MessageKind
  /** Its thoughts: `thoughts` drafts from `firstThought` on. */
  readonly firstThought: number
  readonly thoughts: number
  readonly text: number
  readonly calls: readonly ChatCall[]
  readonly answers: readonly ChatAnswer[]
  readonly tokens: JsonObject | undefined
  readonly model: string | undefined
}

export type MessageKind =
  /** Typed by the user. */
  | 'prompt'
  /** In the user's name: tool results, context at the start. */
  | 'harness'
  /** What the agent replaced its context by. */
  | 'summary'
  | 'gemini'
  | 'notice'
  /** The notice "Request cancelled." */
  | 'cancel'
  | 'error'

/** A tool call with its result, if any. */
export interface ChatCall {
  readonly id: string
  readonly toolName: string
  /** `tool.started`; -1 for a todo tool. */
  readonly started: number
  /** `tool.completed`; -1 without a result. */
  readonly completed: number
  readonly state: CallState
  /** Time of its result. */
  readonly time: number | undefined
  readonly todo: 'write' | 'tracker' | null
  /** The list that it writes, or that its result shows. */
  readonly list: { readonly items: readonly TodoItem[]; readonly body: number } | null
  /** The list that the result of `write_todos` states. */
  readonly stated: readonly TodoItem[] | null
  /** The session id of its subagent. */
  readonly agentId: string | undefined
}

export type CallState = 'open' | 'done' | 'failed' | 'cancelled'

/** A `functionResponse` part, a result which the call's own record, if any, also has. */
export interface ChatAnswer {
  readonly id: string
  /** The tool's name, in case it writes todos. */
  readonly toolName: string
  readonly failed: boolean
  readonly completed: number
}

/** Collects the meaning of a record. */
export class ChatBuilder extends RecordBuilder {
  readonly line: number

  constructor(line: number) {
    super()
    this.line = line
  }
}
