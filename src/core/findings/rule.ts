import { callTraits, type OpenCall } from './call.ts'
import type { FileChanges } from './file-changes.ts'
import { type Finding, maxFindings, type RuleName } from './finding.ts'
import type { OpenCalls } from './open-calls.ts'
import type { CallEnd, SeenEvent, TodoEvent, TurnEnd } from './seen-event.ts'

/** What the rules share. */
export interface RunState {
  /** Final findings. */
  readonly found: FoundFindings
  readonly calls: OpenCalls
  readonly changes: FileChanges
  /** Bits of `doneTraits` that hold for all calls now. */
  looks: number
}

/** Why a rule looks at a call that did its work. Most calls have none of these, and cost next to nothing. */
export const doneTraits = {
  destroys: callTraits.destroys,
  edits: callTraits.edits,
  reads: callTraits.reads,
  /** Its output may be longer than `large-result` allows. */
  mayBeLarge: 64,
  /** It may be a check that failed, though its status does not say so. */
  mayHideFailure: 128,
  /** The call of its track before it failed. */
  followsFailure: 256,
  /** A call of its track failed since the prompt. */
  inTrouble: 512,
  /** The last test failed. */
  afterTest: 1024
} as const

/**
 * A rule over the events of a run, in log order. It keeps a bounded state of plain fields, which `forkState` copies. What
 * it gives to `found` is final; what may still change when the log goes on is `open`. A rule sees the call of a result as
 * ended, and the changes of files before it.
 */
export abstract class Rule {
  protected readonly run: RunState

  /** Of a call that did its work: bits of `doneTraits` without which `end` is not called. Others are always shown. */
  readonly looksAt: number = 0

  constructor(run: RunState) {
    this.run = run
  }

  /** Every event, before what it means. */
  event?(event: SeenEvent): void
  call?(call: OpenCall): void
  /** A result. */
  end?(end: CallEnd): void
  prompt?(event: SeenEvent): void
  compaction?(event: SeenEvent): void
  turn?(turn: TurnEnd): void
  todos?(event: TodoEvent): void
  /** A text of the model. */
  answer?(event: SeenEvent): void
  error?(event: SeenEvent, code: string | undefined, error: string): void
  /** A line that is damaged. */
  damage?(): void
  /** The findings that the log shows so far and that may still change. */
  open?(): readonly Finding[]
}

/** The final findings of a run. */
export class FoundFindings {
  readonly list: Finding[] = []
  /** By rule: findings that are only counted. */
  readonly further = new Map<RuleName, number>()

  add(finding: Finding): void {
    if (this.list.length < maxFindings) this.list.push(Object.freeze(finding))
    else this.further.set(finding.rule, (this.further.get(finding.rule) ?? 0) + 1)
  }
}
