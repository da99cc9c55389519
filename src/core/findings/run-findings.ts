import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import { rowMarks } from '../index/row-mark.ts'
import type { RunIndex } from '../index/run-index.ts'
import { toolOutput } from '../index/tool-output.ts'
import { Call } from './call.ts'
import { type Finding, findingRules, maxFindings, type RuleName, ruleNames } from './finding.ts'
import { outcomeOf, statedExitCode } from './outcome.ts'
import { FoundFindings, type Rule, type SeenEvent } from './rule.ts'
import { CacheLost } from './rules/cache-lost.ts'
import { CallWithoutResult } from './rules/call-without-result.ts'
import { Compacted } from './rules/compaction.ts'
import { Destructive } from './rules/destructive.ts'
import { EditCheckFail } from './rules/edit-check-fail.ts'
import { FailureSeries } from './rules/failure-series.ts'
import { Idle } from './rules/idle.ts'
import { LargeResult } from './rules/large-result.ts'
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
  CacheLost,
  Compacted,
  LargeResult,
  Idle
]

const kindsOf = (...kinds: readonly RowKind[]): readonly boolean[] => rowKinds.map((kind) => kinds.includes(kind))
const otherKinds = kindsOf('prompt', 'status', 'session', 'unparsed')
const answerKinds = kindsOf('assistant', 'reasoning')
/** Of the others, the columns tell enough. */
const readKinds = kindsOf('tool', 'tool-result', 'tool-error', 'turn', 'error', 'todo')
const promptKind = rowKinds.indexOf('prompt')
const failedKind = rowKinds.indexOf('tool-error')
const duplicate = rowMarks.indexOf('duplicate')

/** Limit of open calls; above, the oldest half is forgotten. */
const maxOpen = 2000
/** Longer outputs are not searched for whether their command still runs. */
const longOutput = 100_000

/** All findings of a run so far. */
export interface FindingList {
  /** In the order of their first events; at most `maxFindings`. */
  readonly list: readonly Finding[]
  /** By rule: findings that are only counted. */
  readonly further: ReadonlyMap<RuleName, number>
}

/** Tells the findings of a run from its events, in log order. Bounded for any log; `forkState` copies it. */
export class RunFindings {
  private readonly found = new FoundFindings()
  private readonly rules: readonly Rule[]
  /** Open calls by their ids. */
  private readonly calls = new Map<string, Call>()
  private seen = 0
  /** Requests looked at so far. */
  private requests = 0
  /** Compactions before the last row. */
  private compactions = 0

  // By what they look at, since most rules look at few events.
  private readonly ofEvents: readonly Rule[]
  private readonly ofCalls: readonly Rule[]
  private readonly ofEnds: readonly Rule[]
  private readonly ofAnswers: readonly Rule[]
  private readonly ofRequests: readonly Rule[]

  constructor() {
    const rules: readonly Rule[] = ruleClasses.map((Class) => new Class(this.found))
    this.rules = rules
    this.ofEvents = rules.filter(({ event }) => event !== undefined)
    this.ofCalls = rules.filter(({ call }) => call !== undefined)
    this.ofEnds = rules.filter(({ end }) => end !== undefined)
    this.ofAnswers = rules.filter(({ answer }) => answer !== undefined)
    this.ofRequests = rules.filter(({ request }) => request !== undefined)
  }

  /** Rows looked at so far. */
  get rows(): number {
    return this.seen
  }

  /** Whether the next row must be read for `add`. */
  needsEvent({ rows }: RunIndex): boolean {
    return readKinds[rows.kindAt(this.seen)] === true && rows.markAt(this.seen) !== duplicate
  }

  /** Adds the next row of the index, which must not change any more. `event`: null unless `needsEvent`. */
  add(index: RunIndex, event: AgentEvent | null): void {
    const { rows } = index
    const row = this.seen++
    const seq = rows.seqOf(row)
    // A copy of an earlier line tells nothing new.
    if (seq >= 0 && rows.markAt(row) !== duplicate) {
      const track = rows.trackAt(row)
      const kind = rows.kindAt(row)
      const seen: SeenEvent = {
        seq,
        track: track === 0 ? '' : (rows.tracks[track]?.trackId ?? ''),
        time: rows.statedTime(row),
        isWork: otherKinds[kind] !== true
      }
      this.event(seen, kind, event)
      if (this.isCompaction(index, row)) for (const rule of this.rules) rule.compaction?.(seen)
    }
    this.addRequests(index, row)
  }

  private isCompaction({ requests }: RunIndex, row: number): boolean {
    const known = requests.compactionCount
    while (this.compactions < known && requests.compactionRow(this.compactions) < row) this.compactions++
    return this.compactions < known && requests.compactionRow(this.compactions) === row
  }

  private addRequests({ rows, requests }: RunIndex, row: number): void {
    for (; this.requests < requests.length; this.requests++) {
      const request = requests.at(this.requests)
      if (request.rowFirst > row) return
      const seq = rows.seqOf(request.rowFirst)
      if (request.of !== 'request' || seq < 0) continue
      const seen: SeenEvent = {
        seq,
        track: request.trackId ?? '',
        time: rows.statedTime(request.rowFirst),
        isWork: true
      }
      for (const rule of this.ofRequests) rule.request?.(request, seen)
    }
  }

  private event(seen: SeenEvent, kind: number, event: AgentEvent | null): void {
    for (const rule of this.ofEvents) rule.event?.(seen)
    if (answerKinds[kind] === true) for (const rule of this.ofAnswers) rule.answer?.(seen)
    if (kind === promptKind) for (const rule of this.rules) rule.prompt?.(seen)
    if (event !== null) this.act(seen, kind, event)
  }

  private act(seen: SeenEvent, kind: number, draft: AgentEvent): void {
    const { seq } = seen
    switch (draft.type) {
      case 'tool.started': {
        const call = new Call(seq, seen.track, draft.toolName, draft.input)
        const id = draft.toolId
        // A reused id is another call.
        this.calls.delete(id)
        this.calls.set(id, call)
        if (this.calls.size > maxOpen) dropOldest(this.calls, maxOpen / 2)
        for (const rule of this.ofCalls) rule.call?.(call)
        return
      }
      case 'tool.completed': {
        const id = draft.toolId
        const call = this.calls.get(id)
        if (call === undefined) return
        this.calls.delete(id)
        const outcome = outcomeOf(draft, kind === failedKind)
        const running =
          call.check !== null &&
          draft.output !== undefined &&
          draft.output.length < longOutput &&
          toolOutput(draft.output).running
        const end = { ...seen, call, outcome, counts: countsAs(call, outcome), running }
        for (const rule of this.ofEnds) rule.end?.(end)
        return
      }
      case 'turn.completed': {
        const turn = { ...seen, finishReason: draft.finishReason }
        for (const rule of this.rules) rule.turn?.(turn)
        return
      }
      case 'todo_list': {
        const todos = { ...seen, items: draft.items }
        for (const rule of this.rules) rule.todos?.(todos)
        return
      }
      case 'error':
        for (const rule of this.rules) rule.error?.(seen, draft.code, draft.error)
        if (draft.code === 'JSONL_PARSE_ERROR') for (const rule of this.rules) rule.damage?.()
        return
    }
  }

  /** The findings of the events so far. What speaks of the end of the log may change when it goes on. */
  get all(): FindingList {
    const list = [...this.found.list, ...this.rules.flatMap((rule) => rule.open?.() ?? [])]
    const first = ({ events }: Finding): number => events[0] ?? 0
    const order = (rule: RuleName): number => ruleNames.indexOf(rule)
    const further = new Map(this.found.further)
    for (const { rule } of list.slice(maxFindings)) further.set(rule, (further.get(rule) ?? 0) + 1)
    return {
      list: list.slice(0, maxFindings).sort((a, b) => first(a) - first(b) || order(a.rule) - order(b.rule)),
      further
    }
  }
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
