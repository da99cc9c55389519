import type { Decision } from '../../dialogue/permission-text.ts'
import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject } from '../../json.ts'
import type { Decoded, EventDraft } from '../log-format.ts'
import type { IssueDraft } from '../issue.ts'
import { malformedDrafts } from '../malformed.ts'
import { RecordBuilder } from '../record-builder.ts'
import type { Origin } from './subagent-tracks.ts'
import type { Task, TaskResult, TaskCall } from './todo-tools.ts'

/** The operations of a record, in order. `body` is an index into `drafts`; the fold decides which become events. */
export type Step =
  /** Always an event. */
  | { readonly kind: 'event'; readonly body: number }
  /** `system/init`. */
  | { readonly kind: 'session'; readonly body: number }
  /** A prompt by the user; ends the turn before. */
  | { readonly kind: 'prompt'; readonly body: number }
  /** "[Request interrupted by user]". */
  | { readonly kind: 'interrupt'; readonly body: number }
  /** A turn's end: a `result`, a `turn_duration`. */
  | TurnEndStep
  /** A compaction, with the tokens of the context before it, if stated. */
  | {
      readonly kind: 'compacted'
      readonly body: number
      readonly before: number | undefined
      readonly after: number | undefined
    }
  /** What the session cost so far. */
  | { readonly kind: 'cost'; readonly costUsd: number }
  /** The end of a background task, which `callId` started. */
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
  /** A call of a Task tool; `body` -1 if it has no event. */
  | { readonly kind: 'task-call'; readonly body: number; readonly id: string; readonly call: TaskCall }
  | ResultStep
  | AskStep
  /** A person's answer to an ask. */
  | { readonly kind: 'answer'; readonly body: number; readonly request: string; readonly decision: Decision }
  /** The program waits no longer for an answer. */
  | { readonly kind: 'withdrawn'; readonly request: string }
  /** What a result says of an ask about its call. */
  | { readonly kind: 'decided'; readonly callId: string; readonly decision: Decision }
  /** The current list of the Task tools, stated by a reminder to the model. */
  | { readonly kind: 'tasks-stated'; readonly id: string; readonly tasks: readonly Task[] }
  /** The current TodoWrite list, stated by a user line of a transcript, or by a reminder. */
  | { readonly kind: 'todo-resync'; readonly body: number; readonly items: readonly TodoItem[] }
  /** The start of a partial message (`stream_event`). */
  | { readonly kind: 'message-start'; readonly messageId: string | undefined }
  /** The final usage of the streamed message. */
  | { readonly kind: 'message-usage'; readonly usage: JsonObject }
  | { readonly kind: 'block-text'; readonly index: number; readonly block: TextBlockKind; readonly text: string }

/** The program asks whether a call may run. */
export interface AskStep {
  readonly kind: 'ask'
  readonly body: number
  readonly request: string
  readonly callId: string | undefined
  readonly of: 'tool' | 'question' | 'plan'
}

export interface TurnEndStep {
  readonly kind: 'turn-end'
  readonly body: number
  /** By model: context window in tokens. */
  readonly windows?: Readonly<Record<string, number>> | undefined
  /** Ms from the turn's first request to the first token of its answer. */
  readonly firstTokenMs?: number | undefined
}

export type TextBlockKind = 'text' | 'thinking'

/** A result. Only its call names the tool. */
export interface ResultStep {
  readonly kind: 'result'
  readonly body: number
  readonly id: string
  /** The call changed nothing: `is_error`, or a structured `success: false`. */
  readonly rejected: boolean
  /** `newTodos` of a TodoWrite result and their draft, or null. */
  readonly newTodos: { readonly items: readonly TodoItem[]; readonly body: number } | null
  /** Tasks in the result, by its shape, or null. */
  readonly tasks: TaskResult | null
  /** It looks like the result of a todo tool. */
  readonly aboutTodos: boolean
  /** The subagent's own id. */
  readonly agentId: string | undefined
}

/** The facts of an assistant message. */
export interface MessageFacts {
  readonly id: string | undefined
  readonly stopReason: string | undefined
  /** See `assistantVoice`. */
  readonly voice: 'model' | 'notice' | 'error'
  /** Undefined without a model (`<synthetic>`). */
  readonly model: string | undefined
  readonly usage: JsonObject | undefined
  /** The model request. */
  readonly requestId: string | undefined
  /** Characters by the model, if they may exceed `usage` (`isUnderstated`). */
  readonly written: number | undefined
  /** Blocks that may have been streamed before. */
  readonly blocks: readonly TextBlockKind[]
}

/** A decoded record of a Claude log. */
export interface ClaudeDecoded extends Decoded {
  readonly steps: readonly Step[]
  /** Ms since the epoch, if stated. */
  readonly time: number | undefined
  readonly sessionId: string | undefined
  readonly uuid: string | undefined
  /** Uuids of earlier lines that it retracts. */
  readonly retracts: readonly string[]
  /** The call of the subagent, if stated. */
  readonly parentToolUseId: string | undefined
  /** Set for assistant records. */
  readonly message: MessageFacts | undefined
}

/** A decoded line of a transcript. */
export interface TranscriptDecoded extends ClaudeDecoded {
  readonly origin: Origin
  /** The uuid of the line that this one, of a fork, is a copy of. */
  readonly copied: string | undefined
  /** `isMeta`: written by the harness in the user's name. */
  readonly meta: boolean
  readonly cwd: string | undefined
  readonly version: string | undefined
}

/** Collects the drafts, steps and issues of a record. */
export class DecodedBuilder extends RecordBuilder {
  readonly steps: Step[] = []

  /** Adds a draft that is always an event. */
  event(draft: EventDraft): void {
    this.steps.push({ kind: 'event', body: this.draft(draft) })
  }

  /** The current TodoWrite list; an event only if it is another one. */
  stateTodos(todoId: string, items: readonly TodoItem[]): void {
    this.steps.push({ kind: 'todo-resync', body: this.draft({ type: 'todo_list', todoId, items }), items })
  }
}

/** A line that is not JSON. */
export function malformedClaudeLine(text: string, issue: IssueDraft, cut: boolean): ClaudeDecoded {
  const drafts = malformedDrafts(text, issue, cut)
  return {
    drafts,
    issues: [issue],
    steps: drafts.map((_, body): Step => ({ kind: 'event', body })),
    time: undefined,
    sessionId: undefined,
    uuid: undefined,
    retracts: [],
    parentToolUseId: undefined,
    message: undefined
  }
}
