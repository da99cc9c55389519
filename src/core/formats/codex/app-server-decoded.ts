import type { Decision } from '../../dialogue/permission-text.ts'
import type { TodoItem } from '../../events/todo.ts'
import type { JsonValue } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import type { Decoded, EventDraft } from '../log-format.ts'
import type { TokenCounts } from './token-counts.ts'
import type { RequestTier } from '../../requests/request-note.ts'

/** As `tierIn`. */
type Tier = RequestTier | null | undefined

/** The operation of a record. The fold decides which drafts become events. */
export type ServerStep =
  /** Emits all drafts. */
  | { readonly kind: 'emit' }
  /** Another process begins. */
  | { readonly kind: 'process' }
  /** Of a thread that starts or continues, which may be said twice; the draft begins its session. */
  | { readonly kind: 'thread'; readonly isSubagent: boolean; readonly model: string | undefined; readonly tier: Tier }
  | { readonly kind: 'model'; readonly model: string | undefined; readonly tier: Tier }
  | { readonly kind: 'turn-start' }
  /** The last draft ends the turn; a draft before it is its error, with `hash`. */
  | { readonly kind: 'turn-end'; readonly how: TurnEnd; readonly hash: number | null }
  | { readonly kind: 'error'; readonly hash: number }
  /** A piece of the text of an item that is not complete. */
  | { readonly kind: 'piece'; readonly itemId: string; readonly category: PieceCategory; readonly text: string }
  /** The whole text of an item. */
  | { readonly kind: 'text'; readonly itemId: string }
  /** Drafts: the call and, when completed, its result. */
  | ToolStep
  /** The call that started a thread. */
  | { readonly kind: 'link'; readonly callId: string; readonly thread: string }
  | { readonly kind: 'plan'; readonly items: readonly TodoItem[] }
  | { readonly kind: 'usage'; readonly total: TokenCounts; readonly last: TokenCounts; readonly window?: number }
  | { readonly kind: 'compacted' }
  | AskStep
  /** The server waits no longer for an answer. */
  | { readonly kind: 'resolved'; readonly request: string }
  /** A person's answer; the draft tells it. */
  | { readonly kind: 'answer'; readonly request: string }

export type TurnEnd = 'done' | 'cancelled' | 'error'
export type PieceCategory = 'assistant-message' | 'reasoning' | 'status'

export interface ToolStep {
  readonly kind: 'tool'
  readonly id: string
  /** Of a call that may be asked about without saying what it is. */
  readonly about: string | undefined
  /** What the status tells of an ask about the call. */
  readonly decision: Decision
  /** It may start threads; those that it says it started. */
  readonly spawns: readonly string[] | undefined
}

export interface AskStep {
  readonly kind: 'ask'
  readonly request: string
  readonly itemId: string | undefined
  /** The end of the item tells what was decided. */
  readonly isOfItem: boolean
  /** The tool, where the call tells what is asked, and not the request. */
  readonly tool: string | undefined
}

/** A decoded record of `codex app-server`, or of what was sent to it. */
export interface ServerDecoded extends Decoded {
  /** Null without an effect. */
  readonly step: ServerStep | null
  readonly threadId: string | undefined
}

export const noDrafts: readonly EventDraft[] = []
export const noIssues: readonly IssueDraft[] = []
export const emitAll: ServerStep = { kind: 'emit' }

/** The meaning of a record, without its time, place and thread. */
export interface Meaning {
  readonly drafts: readonly EventDraft[]
  readonly issues: readonly IssueDraft[]
  readonly step: ServerStep | null
}

export function nothing(issues: readonly IssueDraft[] = noIssues): Meaning {
  return { drafts: noDrafts, issues, step: null }
}

export function step(of: ServerStep, drafts: readonly EventDraft[], issues: readonly IssueDraft[]): Meaning {
  return { drafts, issues, step: of }
}

/** The id of a request, as JSON text: `0` and `"0"` differ. */
export function requestId(id: JsonValue | undefined): string {
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : ''
}
