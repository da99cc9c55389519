import type { EventBody, ToolCompleted } from '../events/agent-event.ts'
import { type FoldedEvent, scopedId } from '../formats/log-format.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import type { RequestList } from '../requests/request-list.ts'
import type { StateClass } from '../state/saved-state.ts'
import { Call, callTraits, mayMask, type OpenCall, openCall } from './call.ts'
import { saysFailed } from './check-result.ts'
import { FileChanges } from './file-changes.ts'
import { type Finding, FindingEvents, findingRules, maxFindings, type RuleName, ruleNames } from './finding.ts'
import { OpenCalls } from './open-calls.ts'
import { outcomeOf, statedExitCode } from './outcome.ts'
import { doneTraits, FoundFindings, type Rule, type RunState } from './rule.ts'
import type { CallEnd, SeenEvent, TodoEvent, TurnEnd } from './seen-event.ts'
import { cacheLost, type EventsOfRows } from './rules/cache-lost.ts'
import { CallWithoutResult } from './rules/call-without-result.ts'
import { Compacted } from './rules/compaction.ts'
import { Destructive } from './rules/destructive.ts'
import { EditCheckFail } from './rules/edit-check-fail.ts'
import { FailureSeries } from './rules/failure-series.ts'
import { Idle } from './rules/idle.ts'
import { LargeResult, mayBeLarge } from './rules/large-result.ts'
import { LastTestFailed } from './rules/last-test-failed.ts'
import { Refused } from './rules/refused.ts'
import { RepeatedFailure } from './rules/repeated-failure.ts'
import { SubagentFailed } from './rules/subagent-failed.ts'
import { TodoCompletedIdle } from './rules/todo-completed-idle.ts'
import { TodoForgotten } from './rules/todo-forgotten.ts'
import { TodoOpenAtEnd } from './rules/todo-open-at-end.ts'
import { TodoTwoInProgress } from './rules/todo-two-in-progress.ts'
import { TurnEndsOnFailure } from './rules/turn-ends-on-failure.ts'
import { TurnFailed } from './rules/turn-failed.ts'
import { WriteSensitive } from './rules/write-sensitive.ts'

const ruleClasses = [
  TurnFailed,
  SubagentFailed,
  Refused,
  CallWithoutResult,
  TurnEndsOnFailure,
  EditCheckFail,
  LastTestFailed,
  RepeatedFailure,
  FailureSeries,
  TodoOpenAtEnd,
  TodoForgotten,
  TodoCompletedIdle,
  TodoTwoInProgress,
  Destructive,
  WriteSensitive,
  Compacted,
  LargeResult,
  Idle
]

/** The classes in the state of `RunFindings`. */
export const findingClasses: readonly StateClass[] = [
  FoundFindings,
  FindingEvents,
  OpenCalls,
  FileChanges,
  ...ruleClasses
]

const kindsOf = (...kinds: readonly RowKind[]): readonly boolean[] => rowKinds.map((kind) => kinds.includes(kind))
const otherKinds = kindsOf('prompt', 'status', 'session', 'unparsed')
const answerKinds = kindsOf('assistant', 'reasoning')
const ofCallTraits = callTraits.destroys | callTraits.edits | callTraits.reads
const promptKind = rowKinds.indexOf('prompt')
const failedKind = rowKinds.indexOf('tool-error')

/** All findings of a run so far. */
export interface FindingList {
  /** In the order of their first events; at most `maxFindings`. */
  readonly list: readonly Finding[]
  /** By rule: findings that are only counted. */
  readonly further: ReadonlyMap<RuleName, number>
}

/** Tells the findings of a run from its events, in log order. Bounded for any log; `forkState` copies it. */
export class RunFindings {
  private readonly run: RunState = {
    ...{ found: new FoundFindings(), calls: new OpenCalls(), changes: new FileChanges() },
    looks: 0
  }
  private readonly rules: readonly Rule[]

  // By what they look at, since most rules look at few events.
  private readonly ofEvents: readonly Rule[]
  private readonly ofCalls: readonly Rule[]
  private readonly ofEnds: readonly Rule[]
  private readonly ofAnswers: readonly Rule[]

  constructor() {
    const rules: readonly Rule[] = ruleClasses.map((Class) => new Class(this.run))
    this.rules = rules
    this.ofEvents = rules.filter(({ event }) => event !== undefined)
    this.ofCalls = rules.filter(({ call }) => call !== undefined)
    this.ofEnds = rules.filter(({ end }) => end !== undefined)
    this.ofAnswers = rules.filter(({ answer }) => answer !== undefined)
  }

  /**
   * Adds event `seq`, which is no copy of an earlier one. `kind`: of its row, an index in `rowKinds`. `atEnd`: no record
   * shows it, the log just ends (`Fold.end`).
   */
  add(folded: FoldedEvent, seq: number, kind: number, atEnd = false): void {
    const { draft } = folded
    const track = draft.trackId ?? folded.trackId ?? ''
    const isWork = otherKinds[kind] !== true
    const seen: SeenEvent = { seq, track, time: statedTime(folded), isWork }
    for (const rule of this.ofEvents) rule.event?.(seen)
    if (draft.type !== 'text') return this.act(seen, draft, folded, kind, atEnd)
    if (kind === promptKind) {
      const { calls } = this.run
      calls.give(track, seq)
      calls.setLooks(track, calls.looksOf(track) & ~doneTraits.inTrouble)
      for (const rule of this.rules) rule.prompt?.(seen)
    } else if (answerKinds[kind] === true) {
      this.run.calls.act(track)
      for (const rule of this.ofAnswers) rule.answer?.(seen)
    }
  }

  /** The log says that the conversation of a track was compacted, by event `seq`. */
  compacted(track: string, seq: number): void {
    for (const rule of this.rules) rule.compaction?.({ seq, track, time: null, isWork: true })
  }

  private act(
    seen: SeenEvent,
    draft: EventBody,
    { idScope, at, body }: FoldedEvent,
    kind: number,
    atEnd: boolean
  ): void {
    // No spread, which is ten times as slow.
    const { seq, track, time, isWork } = seen
    const { calls } = this.run
    switch (draft.type) {
      case 'tool.started': {
        const call = openCall(seq, track, draft.toolName, draft.input, at.length)
        calls.start(scopedId(idScope, draft.toolId), call)
        for (const rule of this.ofCalls) rule.call?.(call)
        return
      }
      case 'tool.completed': {
        const open = calls.end(scopedId(idScope, draft.toolId))
        if (open === undefined) return
        calls.give(track, seq)
        this.end(seen, open, draft, kind === failedKind, body < 0 ? null : at.length)
        return
      }
      case 'turn.completed': {
        const turn: TurnEnd = { seq, track, time, isWork, finishReason: draft.finishReason, isAssumed: atEnd }
        for (const rule of this.rules) rule.turn?.(turn)
        return
      }
      case 'todo_list': {
        const todos: TodoEvent = { seq, track, time, isWork, items: draft.items }
        for (const rule of this.rules) rule.todos?.(todos)
        return
      }
      case 'error':
        for (const rule of this.rules) rule.error?.(seen, draft.code, draft.error)
        if (draft.code === 'JSONL_PARSE_ERROR') for (const rule of this.rules) rule.damage?.()
        return
    }
  }

  private end(seen: SeenEvent, open: OpenCall, draft: ToolCompleted, failed: boolean, lineBytes: number | null): void {
    const text = draft.error ?? draft.output ?? ''
    const ofTrack = this.run.calls.looksOf(open.track)
    const mayHideFailure = mayMask(open) && saysFailed(text)
    let looks = ofTrack | this.run.looks | (open.traits & ofCallTraits)
    if (mayHideFailure) looks |= doneTraits.mayHideFailure
    if (mayBeLarge(text, lineBytes)) looks |= doneTraits.mayBeLarge
    if (!failed && looks === 0) return
    const { seq, track, time, isWork } = seen
    const call = new Call(open)
    const outcome = outcomeOf(draft, failed)
    const counts = countsAs(call, outcome)
    const end: CallEnd = { seq, track, time, isWork, call, outcome, counts, mayHideFailure }
    for (const rule of this.ofEnds) if (failed || (rule.looksAt & looks) !== 0) rule.end?.(end)
    if (failed || (ofTrack & doneTraits.inTrouble) !== 0) this.run.changes.end(end)
    let next = ofTrack
    if (failed || mayHideFailure) next |= doneTraits.inTrouble
    if (counts === 'failed') next |= doneTraits.followsFailure
    else if (counts === 'done') next &= ~doneTraits.followsFailure
    if (next !== ofTrack) this.run.calls.setLooks(open.track, next)
  }

  /** The findings of the events so far. What speaks of the end of the log may change when it goes on. `requests`: of the same run. */
  all(requests: RequestList, events: EventsOfRows): FindingList {
    const { found } = this.run
    const known = [...found.list, ...this.rules.flatMap((rule) => rule.open?.() ?? [])]
    const lost = cacheLost(requests, events, Math.max(0, maxFindings - known.length))
    const list = [...known, ...lost.list]
    const first = ({ events }: Finding): number => events[0] ?? 0
    const order = (rule: RuleName): number => ruleNames.indexOf(rule)
    const further = new Map(found.further)
    if (lost.further > 0) further.set('cache-lost', lost.further)
    for (const { rule } of list.slice(maxFindings)) further.set(rule, (further.get(rule) ?? 0) + 1)
    return {
      list: list.slice(0, maxFindings).sort((a, b) => first(a) - first(b) || order(a.rule) - order(b.rule)),
      further
    }
  }
}

/** The time that the event's own record states; null if it states none. */
function statedTime({ timestamp, timestampFrom, draft }: FoldedEvent): number | null {
  const from = draft.timestampFrom ?? timestampFrom ?? 'record'
  return from !== 'record' || timestamp === 0 || Number.isNaN(timestamp) ? null : timestamp
}

/** Whether a finding is more than information. */
export function isInformation({ rule }: Finding): boolean {
  return findingRules[rule].level === 'information'
}

function countsAs(call: Call, outcome: ReturnType<typeof outcomeOf>): 'failed' | 'done' | 'neither' {
  if (!outcome.failed) return 'done'
  if (outcome.cancelled || call.asks || call.stops) return 'neither'
  return call.saysNo !== 0 && answersNo(call.saysNo, outcome.text) ? 'done' : 'failed'
}

/** Whether a failed command only answers no. Some logs do not state the status; then its text must not be an error. */
function answersNo(status: number, text: string): boolean {
  const code = statedExitCode(text)
  return code === null ? !/^(?:fatal|error|usage|[\w./-]{1,40}): /im.test(text.slice(0, 2000)) : code === status
}
