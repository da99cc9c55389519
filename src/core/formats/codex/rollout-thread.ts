import type { TurnCompleted } from '../../events/agent-event.ts'
import { stated } from '../../json.ts'
import { type EventDraft, type LinePosition, placeOf } from '../log-format.ts'
import { IdSet } from '../id-set.ts'
import type { EventSequence } from '../event-sequence.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { WrittenList } from '../written-list.ts'
import { HostedCalls } from './hosted-calls.ts'
import type { PlanDraft, ResultStep, RolloutDecoded, Step, TurnEndStep } from './rollout-decoded.ts'
import { RepeatedTexts } from './repeated-texts.ts'
import type { ThreadTracks } from './thread-tracks.ts'
import { TurnLines } from './turn-lines.ts'
import { TurnUsage } from './turn-usage.ts'
import type { RequestTier } from '../../requests/request-note.ts'

/** A message in the user's name that may be the prompt, before any record of the interface. */
interface HeldPrompt {
  readonly at: LinePosition
  readonly time: number | undefined
  readonly draft: EventDraft
  readonly body: number
}

/** One thread: the main agent's rollout, or a subagent's. */
export class RolloutThread {
  readonly track: string | undefined
  private readonly sequence: EventSequence
  private readonly tracks: ThreadTracks
  private readonly lines: TurnLines
  private readonly repeated = new RepeatedTexts()
  private readonly hosted = new HostedCalls()
  private readonly usage = new TurnUsage()
  private readonly list = new WrittenList()
  /** Ids of all calls. */
  private readonly calls = new IdSet()
  /** Calls recorded with their result, whose own record may follow. */
  private readonly whole = new Set<string>()
  private readonly plans = new IdSet()
  private readonly scripts = new IdSet()
  /** docs/formats/codex-rollout.md#the-interface-says-what-the-user-typed */
  private prompts: 'unknown' | 'interface' | 'messages' = 'unknown'
  private held: HeldPrompt[] = []
  private model: string | undefined
  private tier: RequestTier | undefined
  /** The log has turn events. Before about 0.8x a prompt ends the turn before it. */
  private hasTurnEvents = false
  /** The agent acted since the turn started. */
  private answered = false
  /** The turn ended and no other started; work in progress at an abort is still written. */
  private turnEnded = false
  /** The line of the agent's last act. */
  private workedAt: LinePosition | null = null
  /** The hash of the last record, if it is an error. */
  private failure: number | undefined
  private compactions = 0

  constructor(sequence: EventSequence, tracks: ThreadTracks, file: string | undefined, track: string | undefined) {
    this.sequence = sequence
    this.tracks = tracks
    this.lines = new TurnLines(file)
    this.track = track
  }

  /** A held line may be the prompt, which a later line decides. */
  get isHolding(): boolean {
    return this.held.length > 0
  }

  /** Resolves held lines that depend on the next line. Call before the events of that line. */
  resolveHeld({ steps }: RolloutDecoded): void {
    if (this.held.length === 0) return
    for (const step of steps) {
      if (step.kind === 'prompt') this.held = []
      else if (isWork(step)) this.flushHeld()
    }
  }

  /** Emits the held messages as prompts, as there is no better record. */
  flushHeld(): void {
    const held = this.held
    if (held.length === 0) return
    this.held = []
    this.prompts = 'messages'
    for (const { at, time, draft, body } of held) {
      this.sequence.begin(at, time, undefined)
      this.prompt(draft, body)
    }
  }

  /** Adds a copied line. */
  skip(at: LinePosition): void {
    this.lines.add(at)
  }

  /** Applies a line; the sequence has begun it. */
  add(at: LinePosition, decoded: RolloutDecoded): void {
    this.lines.add(at)
    for (const step of decoded.steps) {
      if (isWork(step)) {
        if (!this.turnEnded) this.answered = true
        this.workedAt = this.sequence.here
        this.lines.clearStart()
        if (step.kind !== 'turn-end') this.failure = undefined
      }
      this.step(at, step, decoded)
    }
  }

  private step(at: LinePosition, step: Step, decoded: RolloutDecoded): void {
    switch (step.kind) {
      case 'model-text':
        if (this.repeated.isNew(step.hash, step.by)) this.emit(decoded, step.body)
        return
      case 'prompt':
        this.prompts = 'interface'
        return this.prompt(decoded.drafts[step.body], step.body)
      case 'user-item':
        return this.userItem(at, step, decoded)
      case 'call':
        return this.call(step, decoded)
      case 'plan':
        this.plans.add(step.id)
        this.sequence.called(step.id)
        if (step.items !== null) this.list.call(step.id, step.items)
        return this.emit(decoded, step.body)
      case 'plan-stated':
        if (this.list.stand(step.items)) this.emit(decoded, step.body)
        return
      case 'result':
        return this.result(step, decoded)
      case 'whole-call':
        if (this.calls.has(step.id)) {
          if (step.hosted !== undefined) this.hosted.drop(step.hosted)
          return
        }
        if (step.hosted !== undefined && this.hosted.isSecond(step.hosted)) return
        this.calls.add(step.id)
        this.whole.add(step.id)
        this.emit(decoded, step.started)
        return this.emit(decoded, step.completed)
      case 'error':
        this.failure = step.hash
        this.answered = true
        return this.emit(decoded, step.body)
      case 'event':
        return this.emit(decoded, step.body)
      case 'usage':
        return this.noteTokens(step)
      default:
        this.ofConversation(step, decoded)
    }
  }

  /** Steps about the conversation and its turns. */
  private ofConversation(step: Step, decoded: RolloutDecoded): void {
    switch (step.kind) {
      case 'turn-start':
        if (!this.hasTurnEvents && this.answered) this.closeTurnBefore()
        this.hasTurnEvents = true
        this.beginTurn()
        return this.lines.possibleStart()
      case 'turn-end':
        return this.turnEnd(step, decoded)
      case 'context':
        this.model = step.model ?? this.model
        if (step.tier !== undefined) this.tier = step.tier ?? undefined
        return
      case 'compacted':
        return this.compacted(step.echo, step.body, decoded)
      case 'rollback':
        this.emit(decoded, step.body)
        for (const at of this.lines.rollBack(step.turns)) this.sequence.mark(at, 'abandoned')
        return
      case 'spawn':
        return this.tracks.addSpawn(step.id, step.taskName)
      case 'thread':
        return this.tracks.link(step.callId, step.thread)
    }
  }

  private noteTokens(step: Extract<Step, { kind: 'usage' }>): void {
    const taken = this.usage.note(step)
    // A repeated record may add the window.
    if (taken === null && (step.window === undefined || step.total === undefined)) return
    const { track, model, tier } = this
    const key = `${track ?? ''} ${this.usage.requests}`
    const tokens = tokensOf(taken ?? {})
    this.sequence.note({ about: 'request', key, trackId: track, model, tokens, window: step.window, tier })
  }

  private userItem(at: LinePosition, step: { body: number; sure: boolean }, decoded: RolloutDecoded): void {
    this.lines.possibleStart()
    if (step.sure) this.prompts = 'messages'
    const draft = decoded.drafts[step.body]
    if (draft === undefined || this.prompts === 'interface') return
    if (this.prompts === 'messages') this.prompt(draft, step.body)
    else this.held.push({ at: placeOf(at), time: decoded.time, draft, body: step.body })
  }

  /** A prompt by the user; without turn events it ends the turn before. */
  private prompt(draft: EventDraft | undefined, body: number): void {
    if (!this.hasTurnEvents) {
      if (this.answered) this.closeTurnBefore()
      this.beginTurn()
    }
    this.lines.addTurn()
    if (draft !== undefined) this.sequence.emit(draft, body, this.track)
  }

  private call(step: { body: number; id: string; plans: readonly PlanDraft[] }, decoded: RolloutDecoded): void {
    this.calls.add(step.id)
    if (!this.whole.delete(step.id)) this.emit(decoded, step.body)
    for (const plan of step.plans) this.emit(decoded, plan.body)
    const last = step.plans.at(-1)
    if (last === undefined) return
    this.scripts.add(step.id)
    this.list.call(step.id, last.items)
  }

  private result(step: ResultStep, decoded: RolloutDecoded): void {
    if (this.tracks.isSpawn(step.id)) {
      this.tracks.result(step.id)
      if (step.thread !== undefined) this.tracks.link(step.id, step.thread)
    }
    const isPlan = this.plans.has(step.id)
    // Its call may be missing in the log.
    const ofPlan = isPlan || (step.planAccepted && !this.calls.has(step.id))
    this.emit(decoded, step.body, ofPlan ? 'update_plan' : undefined)
    if (isPlan) this.settleList(step.id, step.planAccepted)
    else if (this.scripts.has(step.id)) this.settleList(step.id, !step.failed)
  }

  /** docs/formats/README.md#a-refused-call-changes-nothing */
  private settleList(id: string, accepted: boolean): void {
    if (accepted) {
      this.list.accept(id)
      return
    }
    const items = this.list.reject(id)
    if (items !== null) this.sequence.emit({ type: 'todo_list', todoId: id, items }, -1, this.track)
  }

  private compacted(echo: boolean, body: number, decoded: RolloutDecoded): void {
    if (!echo) this.compactions += 1
    else if (this.compactions > 0) {
      this.compactions -= 1
      return
    }
    this.sequence.note({ about: 'compaction', trackId: this.track, before: undefined })
    this.emit(decoded, body)
  }

  private turnEnd({ how, durationMs, firstTokenMs, error, silent }: TurnEndStep, decoded: RolloutDecoded): void {
    this.sequence.note({ about: 'turn', trackId: this.track, model: this.model, tokens: {}, firstTokenMs })
    if (how === 'aborted') {
      return this.closeTurn('cancelled', durationMs)
    }
    this.hasTurnEvents = true
    if (error !== undefined && error.hash !== this.failure) this.emit(decoded, error.body)
    const failed = error !== undefined || (silent && this.failure !== undefined)
    this.closeTurn(failed ? 'error' : 'done', durationMs)
  }

  private closeTurn(how: 'done' | 'error' | 'cancelled', durationMs?: number): void {
    this.sequence.emit(this.turnCompleted(how, durationMs), -1, this.track)
    this.answered = false
    this.turnEnded = true
  }

  /** Ends the turn before the current line, so it is not rolled back with it. */
  private closeTurnBefore(): void {
    this.sequence.emitApart(this.turnCompleted('done'), this.track, this.workedAt)
    this.answered = false
    this.turnEnded = true
  }

  private turnCompleted(how: 'done' | 'error' | 'cancelled', durationMs?: number): TurnCompleted {
    return {
      type: 'turn.completed',
      finishReason: how === 'done' && !this.hasTurnEvents && this.failure !== undefined ? 'error' : how,
      ...stated({ model: this.model, usage: this.usage.ofTurn(), durationMs })
    }
  }

  private beginTurn(): void {
    this.answered = false
    this.turnEnded = false
    this.failure = undefined
    this.compactions = 0
    this.repeated.clear()
    this.hosted.clear()
    this.usage.start()
  }

  private emit({ drafts }: RolloutDecoded, body: number, toolName?: string): void {
    const draft = drafts[body]
    if (draft !== undefined)
      this.sequence.emit(draft, body, this.track, toolName === undefined ? undefined : { toolName })
  }
}

/** Whether a step is an act of the agent, or its end. */
function isWork({ kind }: Step): boolean {
  switch (kind) {
    case 'model-text':
    case 'call':
    case 'plan':
    case 'result':
    case 'whole-call':
    case 'turn-end':
      return true
    default:
      return false
  }
}
