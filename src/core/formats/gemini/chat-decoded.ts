import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import type { Decoded, EventDraft } from '../log-format.ts'

/** What one record of a saved chat says on its own. Every `body` is an index into `drafts`, -1 for none. */
export interface ChatDecoded extends Decoded {
  readonly record: ChatRecord
}

export type ChatRecord =
  /** `{sessionId, projectHash, …}`, with the messages in it, if any. */
  | {
      readonly kind: 'header'
      readonly sessionId: string
      readonly subagent: boolean
      readonly body: number
      readonly messages: readonly ChatMessage[]
    }
  /** A message; one of the same id replaces it. */
  | { readonly kind: 'message'; readonly message: ChatMessage }
  /** `{$set: {messages}}`: the conversation consists of these messages now. */
  | { readonly kind: 'checkpoint'; readonly messages: readonly ChatMessage[]; readonly sessionId: string | undefined }
  /** `{$rewindTo: id}`. */
  | { readonly kind: 'rewind'; readonly id: string }
  /** An entry of `logs.json`. */
  | { readonly kind: 'prompt'; readonly sessionId: string | undefined; readonly body: number }
  /** Other metadata, and what is not read: all its drafts are events. */
  | { readonly kind: 'other'; readonly sessionId: string | undefined }

/** One message, part by part. Which parts are news, only the fold can tell. */
export interface ChatMessage {
  readonly id: string | undefined
  /** ms since the epoch, as the message states it. */
  readonly time: number | undefined
  readonly kind: MessageKind
  /** The drafts of its thoughts: `thoughts` of them, from `firstThought` on. */
  readonly firstThought: number
  readonly thoughts: number
  readonly text: number
  readonly calls: readonly ChatCall[]
  readonly answers: readonly ChatAnswer[]
  readonly tokens: JsonObject | undefined
  readonly model: string | undefined
}

export type MessageKind =
  /** What the user typed. */
  | 'prompt'
  /** In the user's name, but not typed: tool results, the context injected at the start, a summary. */
  | 'harness'
  | 'gemini'
  | 'notice'
  /** The notice "Request cancelled." */
  | 'cancel'
  | 'error'

/** A tool call, and its answer where it has one. */
export interface ChatCall {
  readonly id: string
  readonly toolName: string
  /** `tool.started`; -1 for a todo tool. */
  readonly started: number
  /** `tool.completed`; -1 while the call goes on. */
  readonly completed: number
  readonly state: CallState
  /** When it was completed. */
  readonly time: number | undefined
  readonly todo: 'write' | 'tracker' | null
  /** The list it writes, or that its answer shows. */
  readonly list: { readonly items: readonly TodoItem[]; readonly body: number } | null
  /** The session id of the subagent that did the work. */
  readonly agentId: string | undefined
}

export type CallState = 'open' | 'done' | 'failed' | 'cancelled'

/** A `functionResponse` part: the result of a call, which the call's own record has as well, if it has a record. */
export interface ChatAnswer {
  readonly id: string
  /** Should the call have written todos. */
  readonly toolName: string
  readonly failed: boolean
  readonly completed: number
}

/** A record of 100 MB may hold millions of parts that nobody knows. */
const maxUnknownParts = 100

/** Collects what a record says while its parts are read. */
export class ChatBuilder {
  readonly drafts: EventDraft[] = []
  readonly issues: IssueDraft[] = []
  readonly line: number
  #unknownParts = 0

  constructor(line: number) {
    this.line = line
  }

  /** Adds a draft and gives its place. */
  draft(draft: EventDraft): number {
    return this.drafts.push(draft) - 1
  }

  /** Reports a part that is not read; of the first hundred each one, of the rest that there are more. */
  unknownPart(path: string, message: string): void {
    this.#unknownParts += 1
    if (this.#unknownParts > maxUnknownParts + 1) return
    const more = `more than ${maxUnknownParts} such parts in this record; further ones are not reported`
    const last = this.#unknownParts > maxUnknownParts
    this.issues.push({ code: 'UnknownBlock', path, message: last ? more : message })
  }
}
