import type { TodoItem } from '../../events/todo.ts'
import { stated } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import type { Decoded, EventDraft } from '../log-format.ts'
import type { TokenCounts } from './token-counts.ts'

/** The phase of an item. The first record of an item may have any phase. */
export type ItemPhase = 'started' | 'updated' | 'completed'

/** The operation of a record. The fold decides which drafts become events. */
export type ExecStep =
  /** Emits all drafts. */
  | { readonly kind: 'emit' }
  /** A process starts; its thread may have had others. */
  | { readonly kind: 'session'; readonly threadId: string | undefined }
  | { readonly kind: 'turn-start' }
  /** `totals` of the thread, over all its processes. */
  | { readonly kind: 'turn-end'; readonly totals: TokenCounts | null }
  /** The last draft ends the turn; a draft before it is the error, which may be a repetition. */
  | { readonly kind: 'turn-failed'; readonly hash: number | null }
  | { readonly kind: 'error'; readonly hash: number }
  /** Drafts: the call and, when completed, its result. */
  | { readonly kind: 'tool'; readonly id: string; readonly phase: ItemPhase }
  | { readonly kind: 'todo'; readonly id: string; readonly phase: ItemPhase; readonly items: readonly TodoItem[] }
  /** Older form: the prompt, stated before the first event and perhaps again by one. */
  | { readonly kind: 'prompt'; readonly hash: number }
  | { readonly kind: 'prompt-again'; readonly hash: number }
  /** Older form: totals have records of their own, and a turn's end does not state a failure. */
  | { readonly kind: 'totals'; readonly totals: TokenCounts }
  | { readonly kind: 'task-end'; readonly cancelled: boolean }

/** A decoded record of a Codex exec log. */
export interface ExecDecoded extends Decoded {
  /** Null without an effect. */
  readonly step: ExecStep | null
  /** n of `item_<n>`, which restarts at 0 in each process; -1 for other ids; null without an item. */
  readonly itemNumber: number | null
}

const uuid7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** A thread starts or continues. From October 2025 on its id is a UUID of version 7 (RFC 9562 5.7) with the start time. */
export function threadStarted(
  threadId: string | undefined,
  model: string | undefined,
  issues: readonly IssueDraft[]
): ExecDecoded {
  const parts = uuid7.exec(threadId ?? '')
  const time = parts === null ? undefined : parseInt(`${parts[1]}${parts[2]}`, 16)
  const drafts: readonly EventDraft[] = [{ type: 'session.started', ...stated({ model }) }]
  return { drafts, issues, time, step: { kind: 'session', threadId }, itemNumber: null }
}

export const noDrafts: readonly EventDraft[] = []
export const noIssues: readonly IssueDraft[] = []

const emit: ExecStep = { kind: 'emit' }

/** A record without events. */
export function withoutEvents(issues: readonly IssueDraft[], itemNumber: number | null = null): ExecDecoded {
  return { drafts: noDrafts, issues, time: undefined, step: null, itemNumber }
}

/** A record whose drafts are all events. */
export function withEvents(
  drafts: readonly EventDraft[],
  issues: readonly IssueDraft[],
  itemNumber: number | null = null
): ExecDecoded {
  return { drafts, issues, time: undefined, step: emit, itemNumber }
}

/** A record whose events the fold selects. */
export function withStep(
  drafts: readonly EventDraft[],
  issues: readonly IssueDraft[],
  step: ExecStep,
  itemNumber: number | null = null
): ExecDecoded {
  return { drafts, issues, time: undefined, step, itemNumber }
}
