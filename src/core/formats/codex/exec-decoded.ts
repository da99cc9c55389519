import type { TodoItem } from '../../events/todo.ts'
import type { IssueDraft } from '../issue.ts'
import type { Decoded, EventDraft } from '../log-format.ts'
import type { TokenCounts } from './token-counts.ts'

/** How far an item is. The first sight of one may be any of them. */
export type ItemPhase = 'started' | 'updated' | 'completed'

/** What a record asks of the fold. Which of its drafts become events, the fold says. */
export type ExecStep =
  /** All drafts as they stand. */
  | { readonly kind: 'say' }
  /** A process begins, of a thread that may have had others. */
  | { readonly kind: 'session'; readonly threadId: string | undefined }
  | { readonly kind: 'turn-start' }
  /** `totals` are those of the thread, all its processes together. */
  | { readonly kind: 'turn-end'; readonly totals: TokenCounts | null }
  /** The last draft ends the turn; a draft before it says why, which an error before may have said. */
  | { readonly kind: 'turn-failed'; readonly hash: number | null }
  | { readonly kind: 'error'; readonly hash: number }
  /** The drafts are the call and, when completed, its result. */
  | { readonly kind: 'tool'; readonly id: string; readonly phase: ItemPhase }
  | { readonly kind: 'todo'; readonly id: string; readonly phase: ItemPhase; readonly items: readonly TodoItem[] }
  /** Of the older form: what was asked, stated before the first event, and perhaps again by one. */
  | { readonly kind: 'prompt'; readonly hash: number }
  | { readonly kind: 'prompt-again'; readonly hash: number }
  /** Of the older form: totals stand on lines of their own, and the end of a turn does not say whether it failed. */
  | { readonly kind: 'totals'; readonly totals: TokenCounts }
  | { readonly kind: 'task-end'; readonly cancelled: boolean }

/** What one record of a Codex exec log says on its own. */
export interface ExecDecoded extends Decoded {
  /** Null for a record that changes nothing. */
  readonly step: ExecStep | null
  /** Of an item: n of `item_<n>`, which counts from 0 in each process, or -1; null for a record that is no item. */
  readonly itemNumber: number | null
}

export const noDrafts: readonly EventDraft[] = []
export const noIssues: readonly IssueDraft[] = []

const say: ExecStep = { kind: 'say' }

/** A record without events. */
export function silent(issues: readonly IssueDraft[], itemNumber: number | null = null): ExecDecoded {
  return { drafts: noDrafts, issues, time: undefined, step: null, itemNumber }
}

/** A record whose drafts are its events, whatever stood before. */
export function said(
  drafts: readonly EventDraft[],
  issues: readonly IssueDraft[],
  itemNumber: number | null = null
): ExecDecoded {
  return { drafts, issues, time: undefined, step: say, itemNumber }
}

/** A record whose events the fold picks. */
export function stepped(
  drafts: readonly EventDraft[],
  issues: readonly IssueDraft[],
  step: ExecStep,
  itemNumber: number | null = null
): ExecDecoded {
  return { drafts, issues, time: undefined, step, itemNumber }
}
