import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject } from '../../json.ts'
import type { Decoded, EventDraft } from '../log-format.ts'
import type { IssueDraft } from '../issue.ts'
import type { Origin } from './subagent-tracks.ts'
import type { TaskAnswer, TaskCall } from './todo-tools.ts'

/**
 * What one block or record asks of the fold, in the order of the record. `body` is an index into `Decoded.drafts`;
 * whether that draft becomes an event is the fold's to say.
 */
export type Step =
  /** Says what it says, whatever stood before. */
  | { readonly kind: 'event'; readonly body: number }
  /** `system/init`. */
  | { readonly kind: 'session'; readonly body: number }
  /** A genuine user prompt: the turn before it is over. */
  | { readonly kind: 'prompt'; readonly body: number }
  /** "[Request interrupted by user]". */
  | { readonly kind: 'interrupt'; readonly body: number }
  /** The turn is over: a `result`, a `turn_duration`. */
  | TurnEndStep
  /** The end of a background task: `callId` is the call that started it. */
  | { readonly kind: 'notification'; readonly body: number; readonly callId: string | undefined }
  /** A call of `Task` or `Agent`. */
  | { readonly kind: 'agent-call'; readonly body: number; readonly id: string; readonly promptHash: number | undefined }
  /** A call of `TodoWrite`. */
  | {
      readonly kind: 'todo-write'
      readonly body: number
      readonly id: string
      readonly items: readonly TodoItem[] | null
    }
  /** A call of a Task tool; `body` is -1 where the call has no event of its own. */
  | { readonly kind: 'task-call'; readonly body: number; readonly id: string; readonly call: TaskCall }
  | ResultStep
  /** The current TodoWrite list, as a user line of a transcript states it. */
  | { readonly kind: 'todo-resync'; readonly body: number; readonly items: readonly TodoItem[] }
  /** A partial message begins, or goes on (`stream_event`). */
  | { readonly kind: 'message-start'; readonly messageId: string | undefined }
  /** What the message that is streamed has taken, once it is whole. */
  | { readonly kind: 'message-usage'; readonly usage: JsonObject }
  | { readonly kind: 'block-text'; readonly index: number; readonly block: SpokenBlock; readonly text: string }

export interface TurnEndStep {
  readonly kind: 'turn-end'
  readonly body: number
  /** By model: tokens that fit into its context. */
  readonly windows?: Readonly<Record<string, number>> | undefined
  /** From the first request of the turn to the first token of its answer. */
  readonly firstTokenMs?: number | undefined
}

export type SpokenBlock = 'text' | 'thinking'

/** A tool answered. Which tool, only the call can tell. */
export interface ResultStep {
  readonly kind: 'result'
  /** The `tool.completed` draft. */
  readonly body: number
  readonly id: string
  /** The call changed nothing: `is_error`, or a structured `success: false`. */
  readonly rejected: boolean
  /** `newTodos` of a TodoWrite result, and the draft that says so; null when it has none. */
  readonly newTodos: { readonly items: readonly TodoItem[]; readonly body: number } | null
  /** What the result says about tasks, by its shape; null for nothing. */
  readonly tasks: TaskAnswer | null
  /** It reads like the answer of a todo tool. */
  readonly aboutTodos: boolean
  /** The subagent that answered, by its own id. */
  readonly agentId: string | undefined
}

/** An assistant message, as far as the lines around it need to know. */
export interface SaidMessage {
  readonly id: string | undefined
  readonly stopReason: string | undefined
  /** Who speaks: `assistantVoice`. */
  readonly voice: 'model' | 'notice' | 'error'
  /** Undefined where no model answered (`<synthetic>`). */
  readonly model: string | undefined
  readonly usage: JsonObject | undefined
  /** Of the request that it answers. */
  readonly requestId: string | undefined
  /** Characters of what the model wrote, where they may be more than `usage` tells of (`isUnderstated`). */
  readonly written: number | undefined
  /** Blocks it completes that may have been streamed before. */
  readonly blocks: readonly SpokenBlock[]
}

/** What one record of a Claude log says on its own. */
export interface ClaudeDecoded extends Decoded {
  readonly steps: readonly Step[]
  /** ms since the epoch, where the record states a time. */
  readonly time: number | undefined
  readonly sessionId: string | undefined
  readonly uuid: string | undefined
  /** The uuids of lines before it that it takes back. */
  readonly retracts: readonly string[]
  /** The tool call whose subagent the record belongs to, where the record states it. */
  readonly parentToolUseId: string | undefined
  /** Set for assistant records. */
  readonly message: SaidMessage | undefined
}

/** What one line of a transcript says on its own. */
export interface TranscriptDecoded extends ClaudeDecoded {
  readonly origin: Origin
  /** `isMeta`: the harness speaks to the model in the user's name. */
  readonly meta: boolean
  readonly cwd: string | undefined
  readonly version: string | undefined
}

/** A line of 100 MB may hold millions of blocks that nobody knows. */
const maxUnknownBlocks = 100

/** Collects what a record says while its blocks are read. */
export class DecodedBuilder {
  readonly drafts: EventDraft[] = []
  readonly steps: Step[] = []
  readonly issues: IssueDraft[] = []
  #unknownBlocks = 0

  /** Reports a block that is not read; of the first `maxUnknownBlocks` each one, of the rest that there are more. */
  unknownBlock(path: string, message: string): void {
    this.#unknownBlocks += 1
    if (this.#unknownBlocks > maxUnknownBlocks + 1) return
    const more = `more than ${maxUnknownBlocks} such blocks in this line; further ones are not reported`
    this.issues.push({
      code: 'UnknownBlock',
      path,
      message: this.#unknownBlocks > maxUnknownBlocks ? more : message
    })
  }

  /** Adds a draft and gives its place. */
  draft(draft: EventDraft): number {
    return this.drafts.push(draft) - 1
  }

  /** Adds a draft that becomes an event, whatever stood before. */
  say(draft: EventDraft): void {
    this.steps.push({ kind: 'event', body: this.draft(draft) })
  }
}
