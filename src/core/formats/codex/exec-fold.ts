import { sameTodoItems, type TodoItem } from '../../events/todo.ts'
import { EventSequence } from '../event-sequence.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { IdSet } from '../id-set.ts'
import type { Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import type { ExecDecoded, ExecStep } from './exec-decoded.ts'
import { type TokenCounts, tokensSince } from './token-counts.ts'

/** The fold of an exec log: processes of a thread, items first seen in any phase, token totals. */
export class ExecFold implements Fold<ExecDecoded> {
  private readonly sequence: EventSequence
  /** Number of processes by thread. */
  private readonly processes = new Map<string, number>()
  /** Token totals by thread at the end of its last turn. */
  private readonly spent = new Map<string, TokenCounts>()
  private started = false
  /** Tool items of this process. */
  private seen = new IdSet()
  private todo: { readonly id: string; readonly items: readonly TodoItem[] } | null = null
  /** Greater than all item numbers of this process. */
  private nextItem = 0
  /** No item since the turn started. */
  private turnIsNew = false
  /** Hash of the turn's last error that is not transient. */
  private errorHash: number | null = null
  private promptHash: number | null = null
  /** Older form: the last totals. */
  private totals: TokenCounts | null = null
  /** Number of requests by these totals. */
  private requests = 0

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  add(at: LinePosition, decoded: ExecDecoded): FoldResult {
    const { step } = decoded
    if (step?.kind === 'session') this.session(at, step.threadId, decoded)
    else {
      this.sequence.begin(at, decoded.time, undefined)
      if (decoded.itemNumber !== null) this.item(decoded.itemNumber)
      if (step !== null) this.step(step, decoded)
    }
    return this.sequence.drain()
  }

  end(): FoldResult {
    return this.sequence.drain()
  }

  private step(step: ExecStep, decoded: ExecDecoded): void {
    switch (step.kind) {
      case 'emit':
        return this.emitAll(decoded)
      case 'tool':
        return this.tool(step.id, decoded)
      case 'todo':
        return this.todoList(step, decoded)
      case 'turn-start':
        this.turnIsNew = true
        this.errorHash = null
        return
      case 'turn-end':
        return this.endTurn(step.totals, decoded)
      case 'turn-failed':
        return this.failTurn(step.hash, decoded)
      case 'error':
        this.errorHash = step.hash
        return this.emitAll(decoded)
      case 'prompt':
        this.promptHash = step.hash
        return this.emitAll(decoded)
      case 'prompt-again':
        if (this.promptHash !== step.hash) this.emitAll(decoded)
        this.promptHash = null
        return
      case 'totals':
        this.noteRequest(step.totals)
        this.totals = step.totals
        return
      case 'task-end':
        return this.endTask(step.cancelled, decoded)
      case 'session':
        return
    }
  }

  /** Emitted once per thread, not per process. */
  private session(at: LinePosition, threadId: string | undefined, decoded: ExecDecoded): void {
    const resumed = this.started && threadId !== undefined && threadId === this.sequence.sessionId
    // The thread's start time is not that of a later process.
    const time = threadId !== undefined && this.processes.has(threadId) ? undefined : decoded.time
    this.sequence.begin(at, time, threadId)
    this.beginProcess()
    this.started = true
    if (!resumed) this.emitAll(decoded)
  }

  /** Starts a process, in which item numbers restart at 0. */
  private beginProcess(): void {
    const thread = this.sequence.sessionId ?? ''
    this.processes.set(thread, (this.processes.get(thread) ?? 0) + 1)
    this.sequence.idScope = undefined
    this.seen = new IdSet()
    this.todo = null
    this.nextItem = 0
    this.turnIsNew = false
    this.errorHash = null
  }

  /** A process has one turn, so numbers that restart in a turn show a process without its first line. */
  private item(number: number): void {
    if (this.turnIsNew && number >= 0 && number < this.nextItem) this.beginProcess()
    if (number >= 0) this.turnIsNew = false
    if (number >= this.nextItem) this.nextItem = number + 1
    if (this.sequence.idScope !== undefined) return
    const thread = this.sequence.sessionId
    const count = this.processes.get(thread ?? '') ?? 1
    this.processes.set(thread ?? '', count)
    this.sequence.idScope = `${thread ?? 'log'}:${count}`
  }

  /** docs/formats/codex-exec-json.md#the-first-sight-of-a-call-starts-it */
  private tool(id: string, decoded: ExecDecoded): void {
    const [started, completed] = decoded.drafts
    if (started !== undefined && !this.seen.has(id)) {
      this.seen.add(id)
      this.sequence.emit(started, 0, undefined)
    }
    if (completed !== undefined) this.sequence.emit(completed, 1, undefined)
  }

  /** docs/formats/codex-exec-json.md#the-todo-list-does-not-say-what-is-under-way */
  private todoList({ id, phase, items }: Extract<ExecStep, { kind: 'todo' }>, decoded: ExecDecoded): void {
    const known = this.todo
    if (phase === 'completed' && known !== null && known.id === id && sameTodoItems(known.items, items)) return
    this.todo = { id, items }
    this.emitAll(decoded)
  }

  private endTurn(totals: TokenCounts | null, decoded: ExecDecoded): void {
    this.errorHash = null
    const thread = this.sequence.sessionId ?? ''
    const before = this.spent.get(thread)
    if (totals !== null) this.spent.set(thread, totals)
    const usage = totals === null ? null : tokensSince(totals, before ?? {})
    this.noteTurn(usage)
    if (usage === null || before === undefined) this.emitAll(decoded)
    else this.sequence.emit({ type: 'turn.completed', finishReason: 'done', usage }, -1, undefined)
  }

  /** The older form states totals after each request, and again if only a limit has changed. */
  private noteRequest(totals: TokenCounts): void {
    const thread = this.sequence.sessionId ?? ''
    const before = this.totals ?? this.spent.get(thread) ?? {}
    const taken = tokensSince(totals, before)
    if (Object.values(taken).every((count) => count === 0)) return
    this.requests += 1
    const key = `${thread} ${this.requests}`
    this.sequence.note({ about: 'request', key, trackId: undefined, tokens: tokensOf(taken) })
  }

  private noteTurn(usage: TokenCounts | null): void {
    if (usage === null) return
    this.sequence.note({ about: 'turn', trackId: undefined, model: undefined, tokens: tokensOf(usage) })
  }

  /** The turn's failure may repeat the error before it. */
  private failTurn(hash: number | null, decoded: ExecDecoded): void {
    const repeats = hash !== null && hash === this.errorHash
    this.errorHash = null
    for (let body = repeats ? 1 : 0; body < decoded.drafts.length; body += 1) this.emit(decoded, body)
  }

  private endTask(cancelled: boolean, decoded: ExecDecoded): void {
    const finishReason = cancelled ? 'cancelled' : this.errorHash === null ? 'done' : 'error'
    this.errorHash = null
    const thread = this.sequence.sessionId ?? ''
    const totals = this.totals
    const usage = totals === null ? null : tokensSince(totals, this.spent.get(thread) ?? {})
    if (totals !== null) this.spent.set(thread, totals)
    if (usage !== null) this.sequence.emit({ type: 'turn.completed', finishReason, usage }, -1, undefined)
    else if (finishReason === 'error') this.sequence.emit({ type: 'turn.completed', finishReason }, -1, undefined)
    else this.emitAll(decoded)
  }

  private emitAll(decoded: ExecDecoded): void {
    for (let body = 0; body < decoded.drafts.length; body += 1) this.emit(decoded, body)
  }

  private emit(decoded: ExecDecoded, body: number): void {
    const draft = decoded.drafts[body]
    if (draft !== undefined) this.sequence.emit(draft, body, undefined)
  }
}
