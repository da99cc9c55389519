import type { TurnCompleted } from '../../events/agent-event.ts'
import type { TodoItem } from '../../events/todo.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { EventSequence } from '../event-sequence.ts'
import type { EventDraft, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { placeOf, scopedId } from '../log-format.ts'
import type { ChatAsks } from './chat-asks.ts'
import type { ChatCalls, MadeCall } from './chat-calls.ts'
import type { ChatAnswer, ChatCall, ChatDecoded, ChatMessage, ChatRecord } from './chat-decoded.ts'
import type { ChatSession } from './chat-session.ts'
import { ChatTurn } from './chat-turn.ts'
import { todoWords } from './write-todos.ts'

type Header = Extract<ChatRecord, { kind: 'header' }>
type Checkpoint = Extract<ChatRecord, { kind: 'checkpoint' }>

const noLine: LinePosition = { line: 0, offset: 0, length: 0 }
const nothing: ChatDecoded = { drafts: [], issues: [], record: { kind: 'other', sessionId: undefined } }

/** One file of a run: the main agent's chat, or a subagent's. */
export class ChatFile {
  private readonly calls: ChatCalls
  private readonly sequence: EventSequence
  private readonly sessions = new Map<string, ChatSession>()
  private readonly turn = new ChatTurn()
  /** It is not the main file of its run. */
  private readonly beside: boolean
  /** The call of this file's subagent, if a companion file states it. */
  private readonly callId: string | undefined
  private session: ChatSession
  private track: string | undefined
  private at = noLine
  private decoded = nothing
  /** The last line of the main agent's turn. */
  private turnLine: LinePosition | null = null

  constructor(context: FoldContext, calls: ChatCalls, name: string | undefined) {
    this.calls = calls
    this.sequence = new EventSequence(context)
    this.session = calls.newSession(undefined)
    this.beside = name !== undefined
    this.callId = this.beside ? context.files?.find((file) => file.name === name)?.callId : undefined
    this.track = this.callId ?? name
  }

  get sessionId(): string | undefined {
    return this.session.id
  }

  add(at: LinePosition, decoded: ChatDecoded): FoldResult {
    this.at = at
    this.decoded = decoded
    this.setTime(decoded.time)
    this.record(decoded.record)
    const result = this.sequence.drain(this.track)
    // Releases the record, which may be large, and the line's bytes, which the caller owns.
    this.decoded = nothing
    this.at = placeOf(at)
    return result
  }

  /** A line of a dialogue among those of the chat: the end of the last turn stands on the last line, whichever that is. */
  addAsk(at: LinePosition, decoded: ChatDecoded, asks: ChatAsks): FoldResult {
    this.at = placeOf(at)
    return asks.add(this.sequence, at, decoded, this.sessionId)
  }

  /** Ends the last turn, if it was answered. */
  end(): FoldResult {
    this.endTurn(this.turn.end())
    return this.sequence.drain(this.track)
  }

  private record(record: ChatRecord): void {
    switch (record.kind) {
      case 'header':
        return this.header(record)
      case 'message':
        return this.message(record.message)
      case 'checkpoint':
        return this.checkpoint(record)
      case 'rewind':
        return this.rewind(record.id)
      case 'prompt':
        if (record.sessionId !== undefined && this.enter(record.sessionId)) this.emitOwn({ type: 'session.started' })
        return this.emit(record.body)
      case 'ask':
      case 'decision':
        // `ChatAsks` has them.
        return
      case 'other':
        this.sequence.begin(this.at, this.decoded.time, record.sessionId)
        for (let body = 0; body < this.decoded.drafts.length; body += 1) this.emit(body)
    }
  }

  private header({ sessionId, subagent, body, messages }: Header): void {
    // A header means that the program started, perhaps with the same session.
    this.endTurn(this.turn.end())
    const begins = this.enter(sessionId)
    if (this.beside || subagent) this.calls.addLog(sessionId)
    this.setTime(this.decoded.time)
    this.session.starting = true
    if (begins && this.beside) this.track = this.callId ?? this.calls.callOf(sessionId) ?? sessionId
    else if (subagent) this.track = sessionId
    // A subagent of a run is no session of its own.
    if (begins && !this.beside) this.emitOn(undefined, body)
    for (const [index, message] of messages.entries()) {
      this.setTime(message.time)
      this.addMessage(this.session.message(this.keyOf(message, index)), message, true)
    }
    if (messages.length > 0) this.session.starting = false
  }

  /** Switches to a session. True if it is new. */
  private enter(id: string): boolean {
    if (this.session.id === id) return false
    const known = this.sessions.get(id)
    // A document may state the session after the messages.
    if (this.session.id !== undefined) {
      this.endTurn(this.turn.end())
      this.session = known ?? this.calls.newSession(id)
    }
    this.session.id = id
    this.sessions.set(id, this.session)
    this.sequence.begin(this.at, this.decoded.time, id)
    return known === undefined
  }

  private message(message: ChatMessage): void {
    const said = this.session.message(this.keyOf(message))
    this.session.addLine(said, this.at.offset)
    this.session.starting = false
    this.addMessage(said, message, true)
  }

  private checkpoint({ messages, sessionId }: Checkpoint): void {
    this.sequence.begin(this.at, this.decoded.time, sessionId)
    const { starting } = this.session
    // Every session starts with injected context.
    if (starting && messages.every((message) => message.kind === 'harness' && message.text < 0)) return
    const keys = messages.map((message, index) => this.keyOf(message, index))
    const known = messages.map((message, index) => this.knows(message, keys[index] ?? ''))
    const dropped = this.abandon(this.session.replace(keys))
    const rest = dropped > 0 ? `; ${dropped} dropped` : ''
    this.emitStatus(`Checkpoint: the conversation now has ${countOf(messages.length)}${rest}`)
    for (const [index, message] of messages.entries()) {
      const said = this.session.message(keys[index] ?? '')
      if (known[index] === true) {
        this.session.setEmitted(said, 'text')
        this.session.setThoughts(said, Math.max(this.session.thoughtsOf(said), message.thoughts))
        continue
      }
      this.setTime(message.time)
      // In a running session the program wrote it; a starting one resumes it.
      this.addMessage(said, message, starting)
    }
  }

  private knows(message: ChatMessage, key: string): boolean {
    return (
      this.session.knows(key) || message.calls.some((call) => this.calls.get(call.id)?.session === this.session.number)
    )
  }

  private rewind(id: string): void {
    const unknown = this.session.knows(id) ? '' : ' to the start'
    const dropped = this.abandon(this.session.rewind(id))
    this.emitStatus(`Rewound${unknown}: ${countOf(dropped)} dropped`)
  }

  private abandon(dropped: readonly number[]): number {
    const { file } = this.at
    for (const message of dropped) {
      for (const offset of this.session.drainLines(message)) {
        this.sequence.mark(file === undefined ? { offset } : { file, offset }, 'abandoned')
      }
    }
    return dropped.length
  }

  /** Emits the new parts of a message. `asks`: a prompt ends the turn before. */
  private addMessage(said: number, message: ChatMessage, asks: boolean): void {
    if (message.kind === 'prompt' && asks && !this.session.hasEmitted(said, 'text') && this.track === undefined) {
      this.endTurn(this.turn.prompt())
      this.setTime(message.time)
    }
    if (this.track === undefined) {
      this.turn.add(message)
      this.turnLine = this.sequence.here
    }
    this.noteTokens(said, message)
    if (message.tokens !== undefined && !this.session.hasEmitted(said, 'tokens')) {
      this.session.setEmitted(said, 'tokens')
      this.turn.addTokens(message.tokens)
    }
    const thoughts = this.session.thoughtsOf(said)
    for (let thought = thoughts; thought < message.thoughts; thought += 1) this.emit(message.firstThought + thought)
    this.session.setThoughts(said, Math.max(thoughts, message.thoughts))
    for (const answer of message.answers) this.addAnswer(answer)
    if (message.text >= 0 && !this.session.hasEmitted(said, 'text')) {
      this.session.setEmitted(said, 'text')
      if (message.kind === 'summary') {
        this.sequence.note({ about: 'compaction', trackId: this.track, before: undefined })
      }
      this.emit(message.text)
    }
    this.callsOf(message)
  }

  /** A message is one answer of the model; resumed sessions repeat it with its id. */
  private noteTokens(said: number, { id, model, tokens }: ChatMessage): void {
    if (tokens === undefined) return
    const key = id ?? `${this.session.number}.${said}`
    this.sequence.note({ about: 'request', key, trackId: this.track, model, tokens: tokensOf(tokens) })
  }

  /**
   * Up to 0.3x one message has the calls of several answers, so each call is emitted with its result, at the time of
   * the previous result. That gives an order, but no durations.
   */
  private callsOf({ calls, time }: ChatMessage): void {
    let madeAt = time
    for (const call of calls) {
      if (madeAt !== time) this.setTime(madeAt)
      const completedAt = call.time ?? madeAt
      this.call(call, completedAt, calls.length === 1)
      if (completedAt !== undefined && (madeAt === undefined || completedAt > madeAt)) madeAt = completedAt
    }
  }

  /** `alone`: the only call of its message, so the message's time is its start. */
  private call(call: ChatCall, completedAt: number | undefined, alone: boolean): void {
    let made = this.calls.get(call.id)
    const idScope = this.scopeOf(made)
    const toolId = scopedId(idScope, call.id)
    if (idScope !== undefined) made = this.calls.get(toolId)
    if (call.agentId !== undefined) this.calls.setAgent(toolId, call.agentId)
    if (made?.answered === true) return
    // Only the result shows whether a todo tool shows a list.
    let number = made?.call ?? -1
    if (made?.todo !== call.todo) {
      number = this.calls.add(toolId, this.session, call.todo)
      this.emitCall(call, idScope)
      this.sequence.idScope = idScope
      if (!alone) this.sequence.calledSometime(call.id)
      else if (call.todo !== null) this.sequence.called(call.id)
    }
    if (call.state === 'open') return
    this.calls.setAnswered(number)
    this.setTime(completedAt)
    this.emitResult(call, idScope)
  }

  private emitCall(call: ChatCall, idScope: string | undefined): void {
    if (call.todo === null) this.emit(call.started, idScope)
    else if (call.todo === 'write' && call.list !== null) {
      this.session.todos.call(call.id, call.list.items)
      this.emit(call.list.body, idScope)
    }
  }

  private emitResult(
    { id, toolName, todo, list, stated, state, completed }: ChatCall,
    idScope: string | undefined
  ): void {
    if (todo !== 'write' && list !== null && state === 'done' && this.calls.setTasks(list.items)) {
      // The tracker's list belongs to the session, so it is shown with the main agent.
      this.emitOn(undefined, list.body, idScope)
    }
    this.emit(completed, idScope, todo === null ? undefined : toolName)
    if (todo === 'write') this.settleList(id, state !== 'done', stated, idScope)
  }

  /** Adds the result of a call whose own record has none. */
  private addAnswer(answer: ChatAnswer): void {
    const idScope = this.scopeOf(this.calls.get(answer.id))
    const made = this.calls.get(scopedId(idScope, answer.id))
    // A tracker's list is only in the call's own record.
    if (made === undefined || made.answered || made.todo === 'tracker') return
    this.calls.setAnswered(made.call)
    this.emit(answer.completed, idScope, made.todo === null ? undefined : answer.toolName)
    if (made.todo !== 'write') return
    const said = this.decoded.drafts[answer.completed]
    const stated = said?.type === 'tool.completed' ? todoWords(said.output ?? '') : null
    this.settleList(answer.id, answer.failed, stated, idScope)
  }

  private settleList(
    id: string,
    refused: boolean,
    stated: readonly TodoItem[] | null,
    idScope: string | undefined
  ): void {
    const items = this.session.todos.settle(id, refused, stated)
    if (items !== null) this.emitOwn({ type: 'todo_list', todoId: id, items }, idScope)
  }

  /** docs/formats/gemini-chat.md#a-call-id-of-another-session-gets-a-scope */
  private scopeOf(made: MadeCall | undefined): string | undefined {
    return made === undefined || made.session === this.session.number ? undefined : (this.session.id ?? 'log')
  }

  private endTurn(completed: TurnCompleted | null): void {
    if (completed === null || this.track !== undefined) return
    // Ends at the last message, not at the next prompt.
    this.setTime(undefined)
    this.sequence.idScope = undefined
    this.sequence.emitApart(completed, undefined, this.turnLine)
  }

  private emitStatus(text: string): void {
    this.emitOwn({ type: 'text', text, role: 'system', category: 'status' })
  }

  /** Emits an event of the fold, without a record. */
  private emitOwn(draft: EventDraft, idScope?: string): void {
    this.sequence.idScope = idScope
    this.sequence.emit(draft, -1, this.track)
  }

  /** Emits the draft at `body`; nothing for -1. */
  private emit(body: number, idScope?: string, toolName?: string): void {
    this.emitOn(this.track, body, idScope, toolName)
  }

  private emitOn(track: string | undefined, body: number, idScope?: string, toolName?: string): void {
    const draft = this.decoded.drafts[body]
    if (draft === undefined) return
    this.sequence.idScope = idScope
    this.sequence.emit(draft, body, track, { toolName })
  }

  /** Sets the time of the following events of the line. */
  private setTime(time: number | undefined): void {
    this.sequence.begin(this.at, time, undefined)
  }

  /** The key of a message; unique without an id. */
  private keyOf(message: ChatMessage, index = 0): string {
    return message.id ?? `${this.at.offset}.${index}`
  }
}

function countOf(messages: number): string {
  return `${messages} ${messages === 1 ? 'message' : 'messages'}`
}
