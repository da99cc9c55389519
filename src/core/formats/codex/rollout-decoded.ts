import type { TodoItem } from '../../events/todo.ts'
import type { JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import type { Decoded, EventDraft } from '../log-format.ts'

/**
 * What a record asks of the fold. `body` is an index into `Decoded.drafts`; whether that draft becomes an event is the fold's to
 * say.
 */
export type Step =
  /** Says what it says, whatever stood before. */
  | { readonly kind: 'event'; readonly body: number }
  | SessionStep
  /** What holds for the turn: its model. */
  | { readonly kind: 'context'; readonly model: string | undefined }
  | { readonly kind: 'turn-start' }
  | TurnEndStep
  /** The model spoke. The same text may be there a second time, as the other of the two. */
  | { readonly kind: 'said'; readonly body: number; readonly hash: number; readonly by: 'item' | 'event' }
  /** What the user typed, by the interface's own account; `body` -1 where it is empty. */
  | { readonly kind: 'prompt'; readonly body: number }
  /** A message in the user's name; `body` -1 where all of it is injected. `sure`: no better account of it can follow. */
  | { readonly kind: 'user-item'; readonly body: number; readonly sure: boolean }
  /** A tool was called. */
  | { readonly kind: 'call'; readonly body: number; readonly id: string; readonly plans: readonly PlanDraft[] }
  /** A subagent is asked for; stands before its call. */
  | { readonly kind: 'spawn'; readonly id: string; readonly taskName: string | undefined }
  /** `update_plan`; `items` null where the arguments have no list. */
  | { readonly kind: 'plan'; readonly body: number; readonly id: string; readonly items: readonly TodoItem[] | null }
  | ResultStep
  /** A call and its answer in one record: they count where no other record has the call. */
  | { readonly kind: 'whole-call'; readonly started: number; readonly completed: number; readonly id: string }
  /** Which thread works on a call of `spawn_agent`. */
  | { readonly kind: 'thread'; readonly callId: string; readonly thread: string }
  /** Tokens: of the turn, of the thread so far, and of the request that was answered last. */
  | {
      readonly kind: 'usage'
      readonly turn?: JsonObject | undefined
      readonly total?: JsonObject | undefined
      readonly last?: JsonObject | undefined
      readonly window?: number | undefined
    }
  | { readonly kind: 'error'; readonly body: number; readonly hash: number }
  /** The history was compacted; `echo`: a record that says so again. */
  | { readonly kind: 'compacted'; readonly body: number; readonly echo: boolean }
  /** The last `turns` turns of the user are taken back. */
  | { readonly kind: 'rollback'; readonly body: number; readonly turns: number }

export interface PlanDraft {
  readonly body: number
  readonly items: readonly TodoItem[]
}

export interface SessionStep {
  readonly kind: 'session'
  readonly body: number
  readonly id: string | undefined
  /** It is a subagent's. */
  readonly isSubagent: boolean
  /** `/root/reviewer`: ends with the task's name in the call that asked for it. */
  readonly agentPath: string | undefined
}

export interface TurnEndStep {
  readonly kind: 'turn-end'
  readonly how: 'complete' | 'aborted'
  readonly durationMs: number | undefined
  /** From the first request of the turn to the first token of its answer. */
  readonly firstTokenMs: number | undefined
  /** The error draft and the hash of its text, where the turn failed. */
  readonly error: { readonly body: number; readonly hash: number } | undefined
  /** The turn ended without a last word. */
  readonly silent: boolean
}

/** A tool answered. Which tool, only the call can tell. */
export interface ResultStep {
  readonly kind: 'result'
  /** The `tool.completed` draft. */
  readonly body: number
  readonly id: string
  readonly failed: boolean
  /** The answer of `update_plan` that says it was accepted. */
  readonly planAccepted: boolean
  /** The thread a spawn answers with. */
  readonly thread: string | undefined
}

/** What one record of a rollout says on its own. */
export interface RolloutDecoded extends Decoded {
  readonly steps: readonly Step[]
  /** The turn the record states. */
  readonly turnId: string | undefined
  /** The id of a response item, and a number that differs where items of one id say different things. */
  readonly itemId: string | undefined
  readonly itemHash: number
}

/** Collects what a record says while it is read. */
export class RolloutBuilder implements RolloutDecoded {
  readonly drafts: EventDraft[] = []
  readonly steps: Step[] = []
  readonly issues: IssueDraft[] = []
  time: number | undefined = undefined
  turnId: string | undefined = undefined
  itemId: string | undefined = undefined
  itemHash = 0
  /** JSON path of the payload. */
  readonly path: string
  readonly line: number

  constructor(path: string, line: number) {
    this.path = path
    this.line = line
  }

  /** Adds a draft and gives its place. */
  draft(draft: EventDraft): number {
    return this.drafts.push(draft) - 1
  }

  /** Adds a draft that becomes an event, whatever stood before. */
  say(draft: EventDraft): void {
    this.steps.push({ kind: 'event', body: this.draft(draft) })
  }

  /** A status text of the harness. */
  status(text: string): void {
    if (text !== '') this.say({ type: 'text', text, role: 'system', category: 'status' })
  }

  notice(code: 'UnknownSubtype' | 'UnknownBlock', path: string, message: string): void {
    this.issues.push({ code, path, message })
  }
}
