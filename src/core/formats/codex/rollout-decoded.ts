import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject } from '../../json.ts'
import type { Decoded, EventDraft } from '../log-format.ts'
import type { HostedCall } from './hosted-calls.ts'
import { RecordBuilder } from '../record-builder.ts'
import type { RequestTier } from '../../requests/request-note.ts'

/** The operations of a record. `body` is an index into `drafts`; the fold decides which become events. */
export type Step =
  /** Always an event. */
  | { readonly kind: 'event'; readonly body: number }
  | SessionStep
  /** The turn's model and tier. `tier`: as `tierIn`. */
  | {
      readonly kind: 'context'
      readonly model: string | undefined
      readonly tier: RequestTier | null | undefined
    }
  | { readonly kind: 'turn-start' }
  | TurnEndStep
  /** A text of the model, which may be recorded twice, as an item and as an event. */
  | { readonly kind: 'model-text'; readonly body: number; readonly hash: number; readonly by: 'item' | 'event' }
  /** A typed prompt, recorded by the interface; `body` -1 if empty. */
  | { readonly kind: 'prompt'; readonly body: number }
  /** A message in the user's name; `body` -1 if all of it is injected. `sure`: no better record can follow. */
  | { readonly kind: 'user-item'; readonly body: number; readonly sure: boolean }
  | { readonly kind: 'call'; readonly body: number; readonly id: string; readonly plans: readonly PlanDraft[] }
  /** A request for a subagent; precedes its call. */
  | { readonly kind: 'spawn'; readonly id: string; readonly taskName: string | undefined }
  /** An event states the list. */
  | { readonly kind: 'plan-stated'; readonly body: number; readonly items: readonly TodoItem[] }
  /** `update_plan`; `items` null without a list. */
  | { readonly kind: 'plan'; readonly body: number; readonly id: string; readonly items: readonly TodoItem[] | null }
  | ResultStep
  /** A call with its result; ignored if another record has the call. */
  | {
      readonly kind: 'whole-call'
      readonly started: number
      readonly completed: number
      readonly id: string
      readonly hosted?: HostedCall
    }
  /** The thread of a call of `spawn_agent`. */
  | { readonly kind: 'thread'; readonly callId: string; readonly thread: string }
  /** Tokens of the turn, of the thread so far, and of the last request. */
  | {
      readonly kind: 'usage'
      readonly turn?: JsonObject | undefined
      readonly total?: JsonObject | undefined
      readonly last?: JsonObject | undefined
      readonly window?: number | undefined
    }
  | { readonly kind: 'error'; readonly body: number; readonly hash: number }
  /** A compaction; `echo`: a repetition. */
  | { readonly kind: 'compacted'; readonly body: number; readonly echo: boolean }
  /** The last `turns` turns of the user are rolled back. */
  | { readonly kind: 'rollback'; readonly body: number; readonly turns: number }

export interface PlanDraft {
  readonly body: number
  readonly items: readonly TodoItem[]
}

export interface SessionStep {
  readonly kind: 'session'
  readonly body: number
  readonly id: string | undefined
  /** The session is a subagent's. */
  readonly isSubagent: boolean
  /** `/root/reviewer`: ends with the `task_name` of the call. */
  readonly agentPath: string | undefined
}

export interface TurnEndStep {
  readonly kind: 'turn-end'
  readonly how: 'complete' | 'aborted'
  readonly durationMs: number | undefined
  /** Ms from the turn's first request to the first token of its answer. */
  readonly firstTokenMs: number | undefined
  /** The error and the hash of its text, if the turn failed. */
  readonly error: { readonly body: number; readonly hash: number } | undefined
  /** The turn has no last message. */
  readonly silent: boolean
}

/** A result. Only its call names the tool. */
export interface ResultStep {
  readonly kind: 'result'
  readonly body: number
  readonly id: string
  readonly failed: boolean
  /** It accepts an `update_plan`. */
  readonly planAccepted: boolean
  /** The thread of a spawn's result. */
  readonly thread: string | undefined
}

/** A decoded record of a rollout. */
export interface RolloutDecoded extends Decoded {
  readonly steps: readonly Step[]
  /** The turn, if stated. */
  readonly turnId: string | undefined
  /** The id of a response item, and a hash that differs for other items of this id. */
  readonly itemId: string | undefined
  readonly itemHash: number
}

/** Collects the meaning of a record. */
export class RolloutBuilder extends RecordBuilder implements RolloutDecoded {
  readonly steps: Step[] = []
  time: number | undefined = undefined
  turnId: string | undefined = undefined
  itemId: string | undefined = undefined
  itemHash = 0
  /** JSON path of the payload. */
  readonly path: string
  readonly line: number

  constructor(path: string, line: number) {
    super()
    this.path = path
    this.line = line
  }

  /** Adds a draft that is always an event. */
  event(draft: EventDraft): void {
    this.steps.push({ kind: 'event', body: this.draft(draft) })
  }

  /** Adds a status of the harness. */
  status(text: string): void {
    if (text !== '') this.event({ type: 'text', text, role: 'system', category: 'status' })
  }

  notice(code: 'UnknownSubtype' | 'UnknownBlock', path: string, message: string): void {
    this.issues.push({ code, path, message })
  }
}
