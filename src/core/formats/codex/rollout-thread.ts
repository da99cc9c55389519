import type { TurnCompleted } from '../../events/agent-event.ts'
import { type EventDraft, type LinePosition, placeOf } from '../log-format.ts'
import { IdSet } from '../id-set.ts'
import type { EventSequence } from '../event-sequence.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { WrittenList } from '../written-list.ts'
import type { PlanDraft, ResultStep, RolloutDecoded, Step, TurnEndStep } from './rollout-decoded.ts'
import { SpokenTwice } from './spoken-twice.ts'
import type { ThreadTracks } from './thread-tracks.ts'
import { TurnLines } from './turn-lines.ts'
import { TurnUsage } from './turn-usage.ts'

/** A message in the user's name that may be the prompt: no account of the interface has been met yet. */
interface HeldPrompt {
  readonly at: LinePosition
  readonly time: number | undefined
  readonly draft: EventDraft
  readonly body: number
}

/** One thread: the rollout of the main agent, or of one subagent. */
export class RolloutThread {
  readonly track: string | undefined
  private readonly sequence: EventSequence
  private readonly tracks: ThreadTracks
  private readonly lines: TurnLines
  private readonly spoken = new SpokenTwice()
  private readonly usage = new TurnUsage()
  private readonly list = new WrittenList()
  /** Ids of the calls met, and of those among them that write the todo list. */
  private readonly calls = new IdSet()
  /** Calls met whole, whose own record may still come. */
  private readonly whole = new Set<string>()
  private readonly plans = new IdSet()
  private readonly scripts = new IdSet()
  /** docs/formats/codex-rollout.md#the-interface-says-what-the-user-typed */
  private prompts: 'unknown' | 'interface' | 'messages' = 'unknown'
  private held: HeldPrompt[] = []
  private model: string | undefined
  /** The log says when turns begin and end. Before about 0.8x it does not: a prompt ends the turn before it. */
  private saysTurns = false
  /** The agent has done something since the turn began. */
  private answered = false
  /** The turn is over and no other has begun: what was under way when it was aborted is still written. */
  private over = false
  /** The line of the last thing the agent did. */
  private workedAt: LinePosition | null = null
  /** The hash of an error that nothing has followed. */
  private failure: number | undefined
  private compactions = 0

  constructor(sequence: EventSequence, tracks: ThreadTracks, file: string | undefined, track: string | undefined) {
    this.sequence = sequence
    this.tracks = tracks
    this.lines = new TurnLines(file)
    this.track = track
  }

  /** A line may be the prompt, which a later line tells. */
  get isHolding(): boolean {
    return this.held.length > 0
  }

  /** A line is added: before its own events come those of the lines held that it tells the meaning of. */
  settle({ steps }: RolloutDecoded): void {
    if (this.held.length === 0) return
    for (const step of steps) {
      if (step.kind === 'prompt') this.held = []
      else if (isWork(step)) this.giveHeld()
    }
  }

  /** What is held is all there is about what the user typed. */
  giveHeld(): void {
    const held = this.held
    if (held.length === 0) return
    this.held = []
    this.prompts = 'messages'
    for (const { at, time, draft, body } of held) {
      this.sequence.begin(at, time, undefined)
      this.prompt(draft, body)
    }
  }

  /** A line that only repeats others. */
  skip(at: LinePosition): void {
    this.lines.add(at)
  }

  /** Puts what a line says in order; the sequence is at it. */
  add(at: LinePosition, decoded: RolloutDecoded): void {
    this.lines.add(at)
    for (const step of decoded.steps) {
      if (isWork(step)) {
        if (!this.over) this.answered = true
        this.workedAt = this.sequence.here
        this.lines.goesOn()
        if (step.kind !== 'turn-end') this.failure = undefined
      }
      this.step(at, step, decoded)
    }
  }

  private step(at: LinePosition, step: Step, decoded: RolloutDecoded): void {
    switch (step.kind) {
      case 'said':
        if (this.spoken.isNew(step.hash, step.by)) this.emit(decoded, step.body)
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
      case 'result':
        return this.result(step, decoded)
      case 'whole-call':
        if (this.calls.has(step.id)) return
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

  /** What is about the conversation as a whole, and its turns. */
  private ofConversation(step: Step, decoded: RolloutDecoded): void {
    switch (step.kind) {
      case 'turn-start':
        if (!this.saysTurns && this.answered) this.closeTurnBefore()
        this.saysTurns = true
        this.beginTurn()
        return this.lines.mayBegin()
      case 'turn-end':
        return this.turnEnd(step, decoded)
      case 'context':
        this.model = step.model ?? this.model
        return
      case 'compacted':
        return this.compacted(step.echo, step.body, decoded)
      case 'rollback':
        this.emit(decoded, step.body)
        for (const at of this.lines.takeBack(step.turns)) this.sequence.mark(at, 'abandoned')
        return
      case 'spawn':
        return this.tracks.spawned(step.id, step.taskName)
      case 'thread':
        return this.tracks.linked(step.callId, step.thread)
    }
  }

  private noteTokens(step: Extract<Step, { kind: 'usage' }>): void {
    const taken = this.usage.note(step)
    // A record that repeats another one may be the one that states the window.
    if (taken === null && (step.window === undefined || step.total === undefined)) return
    const { track, model } = this
    const key = `${track ?? ''} ${this.usage.requests}`
    this.sequence.note({
      about: 'request',
      key,
      trackId: track,
      model,
      tokens: tokensOf(taken ?? {}),
      window: step.window
    })
  }

  private userItem(at: LinePosition, step: { body: number; sure: boolean }, decoded: RolloutDecoded): void {
    this.lines.mayBegin()
    if (step.sure) this.prompts = 'messages'
    const draft = decoded.drafts[step.body]
    if (draft === undefined || this.prompts === 'interface') return
    if (this.prompts === 'messages') this.prompt(draft, step.body)
    else this.held.push({ at: placeOf(at), time: decoded.time, draft, body: step.body })
  }

  /** The user says something: where the log does not tell turns, the one before is over. */
  private prompt(draft: EventDraft | undefined, body: number): void {
    if (!this.saysTurns) {
      if (this.answered) this.closeTurnBefore()
      this.beginTurn()
    }
    this.lines.prompted()
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
      if (step.thread !== undefined) this.tracks.linked(step.id, step.thread)
    }
    const isPlan = this.plans.has(step.id)
    // The call it belongs to may be in a part of the log that is not here.
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
    this.emit(decoded, body)
  }

  private turnEnd({ how, durationMs, firstTokenMs, error, silent }: TurnEndStep, decoded: RolloutDecoded): void {
    this.sequence.note({ about: 'turn', trackId: this.track, model: this.model, tokens: {}, firstTokenMs })
    if (how === 'aborted') {
      return this.closeTurn('cancelled', durationMs)
    }
    this.saysTurns = true
    if (error !== undefined && error.hash !== this.failure) this.emit(decoded, error.body)
    const failed = error !== undefined || (silent && this.failure !== undefined)
    this.closeTurn(failed ? 'error' : 'done', durationMs)
  }

  private closeTurn(how: 'done' | 'error' | 'cancelled', durationMs?: number): void {
    this.sequence.emit(this.turnCompleted(how, durationMs), -1, this.track)
    this.answered = false
    this.over = true
  }

  /** The turn was over before the line being added: it is not taken back with it. */
  private closeTurnBefore(): void {
    this.sequence.emitApart(this.turnCompleted('done'), this.track, this.workedAt)
    this.answered = false
    this.over = true
  }

  private turnCompleted(how: 'done' | 'error' | 'cancelled', durationMs?: number): TurnCompleted {
    const usage = this.usage.ofTurn()
    return {
      type: 'turn.completed',
      finishReason: how === 'done' && !this.saysTurns && this.failure !== undefined ? 'error' : how,
      ...(this.model === undefined ? undefined : { model: this.model }),
      ...(usage === undefined ? undefined : { usage }),
      ...(durationMs === undefined ? undefined : { durationMs })
    }
  }

  private beginTurn(): void {
    this.answered = false
    this.over = false
    this.failure = undefined
    this.compactions = 0
    this.spoken.clear()
    this.usage.start()
  }

  private emit({ drafts }: RolloutDecoded, body: number, toolName?: string): void {
    const draft = drafts[body]
    if (draft === undefined) return
    if (toolName === undefined) this.sequence.emit(draft, body, this.track)
    else this.sequence.emit(draft, body, this.track, { toolName })
  }
}

/** Whether a step is the agent's doing, or the end of it. */
function isWork({ kind }: Step): boolean {
  switch (kind) {
    case 'said':
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
