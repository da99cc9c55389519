import { askedText, type Decision, decisionText } from '../../dialogue/permission-text.ts'
import { dropOldest } from '../../drop-oldest.ts'
import type { EventBody } from '../../events/agent-event.ts'
import { stated } from '../../json.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { EventSequence } from '../event-sequence.ts'
import type { Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { toolCompleted } from '../tool-completed.ts'
import type { AskStep, PieceCategory, ServerDecoded, ServerStep, ToolStep, TurnEnd } from './app-server-decoded.ts'
import { IdSet } from '../id-set.ts'
import { ThreadTracks } from './thread-tracks.ts'
import { TurnUsage } from './turn-usage.ts'
import type { RequestTier } from '../../requests/request-note.ts'

/** Limits of what is open; above one the oldest is forgotten. */
const mostThreads = 1000
const mostCalls = 1000
const mostAsks = 1000
const mostTexts = 1000

interface Thread {
  readonly id: string
  readonly trackId: string | undefined
  readonly usage: TurnUsage
  model: string | undefined
  tier: RequestTier | undefined
  /** A turn has begun in this process. */
  hasTurns: boolean
  /** Hash of the turn's last error. */
  errorHash: number | null
}

interface OpenCall {
  readonly thread: Thread
  readonly about: string
}

interface OpenAsk {
  readonly thread: Thread
  readonly callId: string | undefined
  readonly isOfItem: boolean
  /** It was answered, but how is not said yet. */
  resolved: boolean
}

interface OpenText {
  readonly thread: Thread
  readonly category: PieceCategory
  readonly pieces: string[]
}

/** The fold of `codex app-server`: threads, calls that end with their turn, asks and what was decided. */
export class AppServerFold implements Fold<ServerDecoded> {
  private readonly sequence: EventSequence
  private readonly tracks = new ThreadTracks([])
  private readonly threads = new Map<string, Thread>()
  /** Threads whose session has begun. */
  private readonly begun = new IdSet()
  /** Calls that were started. */
  private readonly seen = new IdSet()
  private readonly calls = new Map<string, OpenCall>()
  /** By the request's id. */
  private readonly asks = new Map<string, OpenAsk>()
  /** By the item's id. */
  private readonly texts = new Map<string, OpenText>()
  /** The thread of the latest record that names one. */
  private thread: Thread

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
    this.thread = newThread('', undefined)
  }

  add(at: LinePosition, decoded: ServerDecoded): FoldResult {
    const { step, threadId } = decoded
    if (step?.kind === 'thread' && step.isSubagent && threadId !== undefined) this.subagent(threadId)
    else if (threadId !== undefined) this.thread = this.threads.get(threadId) ?? this.newMain(threadId)
    const { trackId, id } = this.thread
    this.sequence.begin(at, decoded.time, trackId === undefined && id !== '' ? id : undefined)
    if (step !== null) this.step(step, decoded)
    return this.sequence.drain(decoded.threadId === undefined ? undefined : this.thread.trackId)
  }

  end(): FoldResult {
    this.drainTexts(null)
    return this.sequence.drain()
  }

  private step(step: ServerStep, decoded: ServerDecoded): void {
    const { thread } = this
    switch (step.kind) {
      case 'emit':
        return this.emitAll(decoded)
      case 'process':
        return this.beginProcess()
      case 'thread':
        thread.model = step.model ?? thread.model
        if (step.tier !== undefined) thread.tier = step.tier ?? undefined
        if (thread.trackId !== undefined || this.begun.has(thread.id)) return
        this.begun.add(thread.id)
        return this.emitAll(decoded)
      case 'model':
        thread.model = step.model ?? thread.model
        if (step.tier !== undefined) thread.tier = step.tier ?? undefined
        return
      case 'turn-start':
        thread.hasTurns = true
        thread.errorHash = null
        return thread.usage.start()
      case 'turn-end':
        return this.endTurn(step.how, step.hash, decoded)
      case 'error':
        thread.errorHash = step.hash
        return this.emitAll(decoded)
      case 'piece':
        return this.piece(step.itemId, step.category, step.text)
      case 'text':
        this.texts.delete(step.itemId)
        return this.emitAll(decoded)
      case 'tool':
        return this.tool(step, decoded)
      case 'link':
        return this.tracks.link(step.callId, step.thread)
      case 'plan':
        return this.emitAll(decoded)
      case 'usage':
        return this.noteUsage(step)
      case 'compacted':
        this.sequence.note({ about: 'compaction', trackId: thread.trackId, before: undefined })
        return this.emitAll(decoded)
      case 'ask':
        return this.ask(step, decoded)
      case 'resolved':
        return this.resolve(step.request)
      case 'answer':
        return this.answer(step.request, decoded)
    }
  }

  /** A thread that was started by another one has its call as its track, which never changes. */
  private subagent(id: string): void {
    const known = this.threads.get(id)
    this.thread =
      known ??
      this.addThread(
        id,
        this.tracks.trackOf('', { kind: 'session', body: -1, isSubagent: true, id, agentPath: undefined })
      )
  }

  private newMain(id: string): Thread {
    return this.addThread(id, undefined)
  }

  private addThread(id: string, trackId: string | undefined): Thread {
    const thread = newThread(id, trackId)
    this.threads.set(id, thread)
    dropOldest(this.threads, this.threads.size - mostThreads)
    return thread
  }

  /** Of the process before, nothing goes on. */
  private beginProcess(): void {
    this.drainTexts(null)
    this.asks.clear()
    this.calls.clear()
    for (const thread of this.threads.values()) thread.hasTurns = false
  }

  private piece(itemId: string, category: PieceCategory, text: string): void {
    const open = this.texts.get(itemId)
    if (open !== undefined) {
      open.pieces.push(text)
      return
    }
    this.texts.set(itemId, { thread: this.thread, category, pieces: [text] })
    dropOldest(this.texts, this.texts.size - mostTexts)
  }

  /** Texts that came in pieces, and never whole. `thread`: null for all. */
  private drainTexts(thread: Thread | null): void {
    for (const [itemId, open] of this.texts) {
      if (thread !== null && open.thread !== thread) continue
      this.texts.delete(itemId)
      const text = open.pieces.join('')
      if (text !== '') this.own({ type: 'text', text, role: 'assistant', category: open.category }, open.thread)
    }
  }

  /** docs/formats/codex-app-server.md#a-call-ends-with-its-item-or-its-turn */
  private tool({ id, about, decision, spawns }: ToolStep, decoded: ServerDecoded): void {
    const { thread } = this
    const [started, completed] = decoded.drafts
    if (spawns !== undefined) {
      if (!this.seen.has(id)) this.tracks.addSpawn(id, undefined)
      for (const spawned of spawns) this.tracks.link(id, spawned)
    }
    if (started !== undefined && !this.seen.has(id)) {
      this.seen.add(id)
      this.sequence.emit(started, 0, thread.trackId)
    }
    if (completed === undefined) {
      this.calls.set(id, { thread, about: about ?? '' })
      dropOldest(this.calls, this.calls.size - mostCalls)
      return
    }
    this.calls.delete(id)
    for (const [request, ask] of this.asks) if (ask.callId === id) this.decide(request, ask, decision)
    this.sequence.emit(completed, 1, thread.trackId)
  }

  private ask({ request, itemId, isOfItem, tool }: AskStep, decoded: ServerDecoded): void {
    const { thread } = this
    this.asks.set(request, { thread, callId: itemId, isOfItem, resolved: false })
    dropOldest(this.asks, this.asks.size - mostAsks)
    const about = tool === undefined ? '' : (this.calls.get(itemId ?? '')?.about ?? '')
    const rest = { callId: itemId }
    if (tool !== undefined && about !== '') this.sequence.emit(askedText(tool, about), -1, thread.trackId, rest)
    else if (decoded.drafts[0] !== undefined) this.sequence.emit(decoded.drafts[0], 0, thread.trackId, rest)
  }

  /** The answer is not printed. The end of a call tells it; of another request nothing does. */
  private resolve(request: string): void {
    const ask = this.asks.get(request)
    if (ask === undefined) return
    if (ask.isOfItem && this.calls.has(ask.callId ?? '')) ask.resolved = true
    else this.decide(request, ask, { kind: 'answered', text: '' })
  }

  /** docs/formats/codex-app-server.md#answers-stand-beside-the-output */
  private answer(request: string, decoded: ServerDecoded): void {
    const ask = this.asks.get(request)
    const [draft] = decoded.drafts
    // It came too late.
    if (ask === undefined || draft === undefined) return
    this.asks.delete(request)
    this.sequence.emit(draft, 0, ask.thread.trackId, { callId: ask.callId })
  }

  private decide(request: string, ask: OpenAsk, decision: Decision): void {
    this.asks.delete(request)
    this.own(decisionText(decision), ask.thread, ask.callId)
  }

  private noteUsage({ total, last, window }: Extract<ServerStep, { kind: 'usage' }>): void {
    const { usage, hasTurns, trackId, model, tier, id } = this.thread
    const taken = usage.note({ turn: undefined, total, last })
    // A thread that goes on begins with the count of its last request, which another process made.
    if (taken === null || !hasTurns) return
    const key = [id, ...Object.values(total)].join(' ')
    this.sequence.note({ about: 'request', key, trackId, model, tokens: tokensOf(taken), ...stated({ window, tier }) })
  }

  private endTurn(how: TurnEnd, hash: number | null, decoded: ServerDecoded): void {
    const { thread } = this
    this.drainTexts(thread)
    this.endAsks(thread)
    if (how !== 'done') this.endCalls(thread, how)
    const repeats = hash !== null && hash === thread.errorHash
    thread.errorHash = null
    const { drafts } = decoded
    const error = drafts.length > 1 && !repeats ? drafts[0] : undefined
    if (error !== undefined) this.sequence.emit(error, 0, thread.trackId)
    const end = drafts.at(-1)
    if (end?.type !== 'turn.completed') return
    const found = stated({ usage: thread.hasTurns ? thread.usage.ofTurn() : undefined, model: thread.model })
    if (Object.keys(found).length > 0) this.own({ ...end, ...found }, thread)
    else this.sequence.emit(end, drafts.length - 1, thread.trackId)
  }

  private endAsks(thread: Thread): void {
    for (const [request, ask] of this.asks) {
      if (ask.thread !== thread) continue
      // A command that was allowed runs on when its turn ends.
      this.decide(request, ask, ask.resolved ? { kind: 'allowed', scope: 'unsaid' } : { kind: 'withdrawn' })
    }
  }

  private endCalls(thread: Thread, how: TurnEnd): void {
    for (const [id, call] of this.calls) {
      if (call.thread !== thread) continue
      this.calls.delete(id)
      const error = how === 'cancelled' ? 'Interrupted with its turn' : 'Ended with its turn, which failed'
      this.own(toolCompleted(id, true, error), thread)
    }
  }

  /** Emits an event that the record does not state. */
  private own(draft: EventBody, { trackId }: Thread, callId?: string): void {
    this.sequence.emit(draft, -1, trackId, { callId })
  }

  private emitAll(decoded: ServerDecoded): void {
    for (const [body, draft] of decoded.drafts.entries()) {
      this.sequence.emit(draft, body, decoded.threadId === undefined ? undefined : this.thread.trackId)
    }
  }
}

function newThread(id: string, trackId: string | undefined): Thread {
  return { id, trackId, usage: new TurnUsage(), model: undefined, tier: undefined, hasTurns: false, errorHash: null }
}
