import { dropOldest } from '../../drop-oldest.ts'
import { tokenCategories } from '../../requests/tokens.ts'
import { readsTodos, todoWords } from '../agents.ts'
import { EventSequence } from '../event-sequence.ts'
import {
  type Fold,
  type FoldContext,
  type FoldResult,
  type LinePosition,
  type MissingLogs,
  noMissingLogs,
  placeOf,
  scopedId
} from '../log-format.ts'
import { type TodoCall, WrittenList } from '../written-list.ts'
import type { TokenNote } from '../../requests/request-note.ts'
import type { Act, AtifDecoded, Final, Head, Part, Result, Step } from './decode.ts'
import type { OwnRequest } from './own-export.ts'

const before: LinePosition = { line: 0, offset: 0, length: 0 }
/** Subagents whose calls are remembered. */
const mostSubagents = 10_000
/** Calls of a track that write its list and may be answered later. */
const mostTodoCalls = 100

type Facts = Partial<Pick<Head, 'model' | 'agentType' | 'isOwn' | 'hasUniqueIds'>>

/** The trajectory of one agent, as it is read. */
export class Track {
  readonly id: string | undefined
  readonly model: string | undefined
  readonly agentType: string | undefined
  /** Each turn's end is stated, so the end of the trajectory ends none. */
  readonly isOwn: boolean
  /** Within it, the ids of its calls are unique; undefined: in the whole document. */
  readonly idScope: string | undefined
  readonly todos = new WrittenList()
  /** Calls that write or read the list. */
  readonly todoCalls = new Map<string, TodoCall>()
  /** Some step states tokens. */
  hasTokens = false
  /** The end of some turn states a cost. */
  hasTurnCost = false
  steps = 0

  constructor(id: string | undefined, { model, agentType, isOwn, hasUniqueIds }: Facts = {}) {
    this.id = id
    this.isOwn = isOwn ?? false
    this.idScope = hasUniqueIds === true ? undefined : id
    this.model = model
    this.agentType = agentType
  }
}

/** Puts the steps of a trajectory in order, and those of its subagents on tracks of their own: docs/formats/atif.md. */
export class AtifFold implements Fold<AtifDecoded> {
  private readonly sequence: EventSequence
  private main = new Track(undefined)
  private hasHead = false
  private sessionId: string | undefined
  /** What the end of the main trajectory states. */
  private final: Final | null = null
  /** By the id of its trajectory: the call that a subagent works for. */
  private readonly callOf = new Map<string, string>()
  private readonly logged = new Set<string>()
  private at = before
  private decoded: AtifDecoded = { drafts: [], issues: [], part: null }

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  add(at: LinePosition, decoded: AtifDecoded): FoldResult {
    this.at = at
    this.decoded = decoded
    this.begin(decoded.time)
    const { part } = decoded
    const isSubagent = part?.head?.trajectoryId !== undefined && this.hasHead
    if (part === null) for (let body = 0; body < decoded.drafts.length; body++) this.emit(body, this.main)
    else if (isSubagent) this.subagent(part)
    else this.trajectory(part)
    const result = this.sequence.drain(isSubagent ? this.trackOf(part) : undefined)
    // The record may be large, and the position may come with the line's bytes, which are the caller's.
    this.decoded = { drafts: [], issues: [], part: null }
    this.at = placeOf(at)
    return result
  }

  end(): FoldResult {
    this.endRun()
    return this.sequence.drain()
  }

  missing(): MissingLogs {
    let named = 0
    for (const id of this.callOf.keys()) if (!this.logged.has(id)) named++
    return named === 0 ? noMissingLogs : { named, perhaps: false }
  }

  /** The main trajectory, or what a record has of it. */
  private trajectory({ head, steps, subagents, final, continued }: Part): void {
    if (head !== null) {
      if (this.hasHead) this.endRun()
      this.hasHead = true
      this.main = new Track(undefined, head)
      this.sessionId = head.sessionId ?? head.trajectoryId
      this.begin(steps[0]?.time)
      if (head.started !== null) this.act(head.started, this.main, steps[0]?.time)
    }
    for (const step of steps) this.step(step, this.main, steps.length === 1)
    for (const one of subagents) this.subagent(one)
    this.begin(undefined)
    this.emit(continued, this.main)
    this.final = final ?? this.final
    if (final !== null && this.main.isOwn) this.noteRunCost(final)
  }

  private subagent(part: Part): void {
    const { head, steps, subagents, final } = part
    if (head === null) return
    if (head.trajectoryId !== undefined) this.logged.add(head.trajectoryId)
    if (head.sessionId !== undefined) this.logged.add(head.sessionId)
    const track = new Track(this.trackOf(part), head)
    for (const step of steps) this.step(step, track, false)
    for (const one of subagents) this.subagent(one)
    if (!track.hasTokens) this.noteTotal(track, final)
  }

  private trackOf({ head }: Part): string {
    if (head?.hasUniqueIds === true && head.trajectoryId !== undefined) return head.trajectoryId
    const ids = [head?.trajectoryId, head?.sessionId].filter((id) => id !== undefined)
    const call = ids.map((id) => this.callOf.get(id)).find((id) => id !== undefined)
    return call ?? ids[0] ?? 'subagent'
  }

  /** `isAlone`: it is all of its record. */
  private step(step: Step, track: Track, isAlone: boolean): void {
    track.steps++
    const first = this.sequence.count
    for (const act of step.acts) this.act(act, track, step.time)
    this.begin(step.time)
    const events = { first, last: this.sequence.count - 1 }
    const { own } = step
    // The rows of a record have one mark.
    const mark = step.isCopy ? 'duplicate' : own.mark
    if (mark !== null && isAlone) this.sequence.markHere(mark)
    for (const sizes of own.compactions)
      this.sequence.note({ about: 'compaction', trackId: track.id, ...sizes, events })
    if (own.request !== null) this.noteOwn(own.request, track, events)
    else if (!step.isCopy) this.noteTokens(step, track, events)
  }

  /** `time`: of the step. */
  private act({ body, time, seq, sessionId, agentType, call, result }: Act, track: Track, stepTime?: number): void {
    // Without a number, an event has the time of its step.
    this.sequence.begin(this.at, seq === undefined ? (time ?? stepTime) : time, sessionId ?? this.sessionId)
    const reads = call !== undefined && readsTodos(call.toolName) && this.decoded.drafts[body]?.eventId === undefined
    if (call !== undefined && (call.items !== null || reads)) {
      this.sequence.idScope = track.idScope
      if (call.items !== null) {
        this.sequence.called(call.id)
        track.todos.call(call.id, call.items)
      } else track.todos.read(call.id)
      track.todoCalls.set(call.id, { toolName: call.toolName, writes: call.items !== null })
      if (track.todoCalls.size > mostTodoCalls) dropOldest(track.todoCalls, mostTodoCalls / 2)
    }
    const todoCall = track.todoCalls.get(result?.callId ?? '')
    const tool = result && (todoCall?.writes === true ? todoCall.toolName : result.toolName)
    this.emit(body, track, tool, agentType)
    // Its length stands at the result.
    if (call !== undefined && this.decoded.drafts[body]?.eventId !== undefined) this.sequence.calledSometime(call.id)
    if (result !== undefined) this.result(result, track, body)
  }

  private result({ callId, failed, subagents }: Result, track: Track, body: number): void {
    if (callId === undefined) return
    const call = track.todoCalls.get(callId)
    const draft = this.decoded.drafts[body]
    const output = draft?.type === 'tool.completed' ? (draft.output ?? '') : ''
    if (call !== undefined && call.isAnswered !== true)
      this.settle(callId, call, failed ? 'former' : todoWords(call.toolName, output), track)
    for (const id of subagents)
      if (this.callOf.size < mostSubagents) this.callOf.set(id, scopedId(track.idScope, callId))
  }

  private settle(id: string, call: TodoCall, words: ReturnType<typeof todoWords>, track: Track): void {
    track.todoCalls.set(id, { ...call, isAnswered: true })
    const list = words === 'former' ? null : words
    const items = track.todos.settle(id, words === 'former', list)
    if (items === null || (items !== list && !call.writes)) return
    this.sequence.idScope = track.idScope
    this.sequence.emit({ type: 'todo_list', todoId: id, items }, -1, track.id)
  }

  private noteTokens({ id, tokens, model, costUsd }: Step, track: Track, events: TokenNote['events']): void {
    if (tokenCategories.every((category) => tokens[category] === undefined)) return
    track.hasTokens = true
    const key = this.keyOf(track, id ?? `${this.at.offset}.${track.steps}`)
    const trackId = track.id
    this.sequence.note({ about: 'request', key, trackId, model: model ?? track.model, tokens, costUsd, events })
  }

  private noteOwn({ number, ...facts }: OwnRequest, track: Track, events: TokenNote['events']): void {
    track.hasTokens = true
    const key = this.keyOf(track, number === undefined ? `step ${track.steps}` : `request ${number}`)
    this.sequence.note({ about: 'request', key, trackId: track.id, ...facts, events })
  }

  private keyOf(track: Track, name: string | number): string {
    return `${this.sessionId ?? ''}/${track.id ?? ''}/${name}`
  }

  /** Where no step states tokens the end does, of all of them. */
  private noteTotal(track: Track, final: Final | null): void {
    if (final === null) return
    this.sequence.note({ about: 'turn', trackId: track.id, model: track.model, tokens: final.tokens })
  }

  /** The end of the main trajectory: docs/formats/atif.md#final-metrics-end-the-run. */
  private endRun(): void {
    const { final, main } = this
    this.final = null
    if (final === null || main.isOwn) return
    this.begin(undefined)
    this.sequence.idScope = undefined
    this.sequence.agentType = main.agentType
    const { usage, costUsd } = final
    const counts = Object.keys(usage).length > 0 && { usage }
    this.sequence.emit(
      {
        type: 'turn.completed',
        finishReason: 'done',
        ...(main.model !== undefined && { model: main.model }),
        ...counts,
        ...(costUsd !== undefined && { costUsd })
      },
      -1,
      undefined
    )
    if (!main.hasTokens) this.noteTotal(main, final)
  }

  /** In an export of Playhead the total is the cost of the run, where the ends of its turns state none. */
  private noteRunCost({ costUsd }: Final): void {
    if (costUsd !== undefined && !this.main.hasTurnCost) this.sequence.note({ about: 'cost', costUsd, ofNamed: true })
  }

  private begin(time: number | undefined): void {
    this.sequence.begin(this.at, time, this.sessionId)
  }

  private emit(body: number, track: Track, toolName?: string, agentType = track.agentType): void {
    const draft = this.decoded.drafts[body]
    if (draft === undefined) return
    this.sequence.idScope = track.idScope
    this.sequence.agentType = agentType
    if (draft.type === 'turn.completed' && draft.costUsd !== undefined) this.main.hasTurnCost = true
    this.sequence.emit(draft, body, track.id, { toolName })
  }
}
