import type { TurnCompleted } from '../../events/agent-event.ts'
import { EventSequence } from '../event-sequence.ts'
import type { FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import type { ChatCalls } from './chat-calls.ts'
import type { ChatAnswer, ChatCall, ChatDecoded, ChatMessage, ChatRecord } from './chat-decoded.ts'
import { ChatSession, type SaidMessage } from './chat-session.ts'
import { ChatTurn } from './chat-turn.ts'

type Header = Extract<ChatRecord, { kind: 'header' }>
type Checkpoint = Extract<ChatRecord, { kind: 'checkpoint' }>

const before: LinePosition = { line: 0, offset: 0, length: 0 }
const nothing: ChatDecoded = { drafts: [], issues: [], record: { kind: 'other', sessionId: undefined } }

/** One file of a run: the main agent's chat, or a subagent's. */
export class ChatFile {
  readonly #calls: ChatCalls
  readonly #sequence: EventSequence
  readonly #sessions = new Map<string, ChatSession>()
  readonly #turn = new ChatTurn()
  /** Lies beside the main file of its run. */
  readonly #beside: boolean
  /** The call for which this file's subagent works, where something beside the file says so. */
  readonly #callId: string | undefined
  #session = new ChatSession(undefined)
  #track: string | undefined
  #at = before
  #decoded = nothing

  constructor(context: FoldContext, calls: ChatCalls, name: string | undefined) {
    this.#calls = calls
    this.#sequence = new EventSequence(context)
    this.#beside = name !== undefined
    this.#callId = this.#beside ? context.files?.find((file) => file.name === name)?.callId : undefined
    this.#track = this.#callId ?? name
  }

  add(at: LinePosition, decoded: ChatDecoded): FoldResult {
    // The position may come with the line's bytes, which are the caller's.
    const { file, line, offset, length } = at
    this.#at = file === undefined ? { line, offset, length } : { file, line, offset, length }
    this.#decoded = decoded
    this.#setTime(decoded.time)
    this.#record(decoded.record)
    return this.#sequence.take(this.#track)
  }

  /** The source has ended: so has the last turn, if it was answered. */
  end(): FoldResult {
    this.#endTurn(this.#turn.end())
    return this.#sequence.take(this.#track)
  }

  #record(record: ChatRecord): void {
    switch (record.kind) {
      case 'header':
        this.#header(record)
        return
      case 'message':
        this.#message(record.message)
        return
      case 'checkpoint':
        this.#checkpoint(record)
        return
      case 'rewind':
        this.#rewind(record.id)
        return
      case 'prompt':
        if (record.sessionId !== undefined && this.#enter(record.sessionId)) this.#make({ type: 'session.started' })
        this.#emit(record.body)
        return
      case 'other':
        this.#sequence.begin(this.#at, this.#decoded.time, record.sessionId)
        for (let body = 0; body < this.#decoded.drafts.length; body += 1) this.#emit(body)
    }
  }

  #header({ sessionId, subagent, body, messages }: Header): void {
    const begins = this.#enter(sessionId)
    this.#session.starting = true
    if (begins && this.#beside) this.#track = this.#callId ?? this.#calls.callOf(sessionId) ?? sessionId
    else if (subagent) this.#track = sessionId
    // A subagent of a run is the work of a call, no session of its own.
    if (begins && !this.#beside)
      this.#sequence.emit(this.#decoded.drafts[body] ?? { type: 'session.started' }, body, undefined)
    for (const [index, message] of messages.entries()) {
      this.#setTime(message.time)
      this.#say(this.#session.message(this.#keyOf(message, index)), message, true)
    }
    if (messages.length > 0) this.#session.starting = false
  }

  /** The session of this id goes on; whether it begins. */
  #enter(id: string): boolean {
    if (this.#session.id === id) return false
    const known = this.#sessions.get(id)
    // A document may say whose its messages are after them.
    if (this.#session.id !== undefined) {
      this.#endTurn(this.#turn.end())
      this.#session = known ?? new ChatSession(id)
    }
    this.#session.id = id
    this.#sessions.set(id, this.#session)
    this.#sequence.begin(this.#at, this.#decoded.time, id)
    return known === undefined
  }

  #message(message: ChatMessage): void {
    const said = this.#session.message(this.#keyOf(message))
    said.lines.push(this.#at)
    this.#session.starting = false
    this.#say(said, message, true)
  }

  #checkpoint({ messages, sessionId }: Checkpoint): void {
    this.#sequence.begin(this.#at, this.#decoded.time, sessionId)
    const { starting } = this.#session
    // How every session starts: with the context that no one has typed.
    if (starting && messages.every((message) => message.kind === 'harness' && message.text < 0)) return
    const keys = messages.map((message, index) => this.#keyOf(message, index))
    const known = messages.map((message, index) => this.#knows(message, keys[index] ?? ''))
    const dropped = this.#abandon(this.#session.replace(keys))
    this.#sayStatus(
      `Checkpoint: the conversation is now ${countOf(messages.length)}${dropped > 0 ? `, ${countOf(dropped)} dropped` : ''}`
    )
    for (const [index, message] of messages.entries()) {
      const said = this.#session.message(keys[index] ?? '')
      if (known[index] === true) {
        said.text = true
        said.thoughts = Math.max(said.thoughts, message.thoughts)
        continue
      }
      this.#setTime(message.time)
      // What a running session gets here is made by the program; what a starting one gets is what it resumes.
      this.#say(said, message, starting)
    }
  }

  #knows(message: ChatMessage, key: string): boolean {
    return this.#session.knows(key) || message.calls.some((call) => this.#calls.get(call.id)?.session === this.#session)
  }

  #rewind(id: string): void {
    const unknown = this.#session.knows(id) ? '' : ' to the start'
    const dropped = this.#abandon(this.#session.rewind(id))
    this.#sayStatus(`Rewound${unknown}: ${countOf(dropped)} dropped`)
  }

  #abandon(dropped: readonly SaidMessage[]): number {
    for (const message of dropped) {
      for (const line of message.lines) this.#sequence.mark(line, 'abandoned')
      message.lines = []
    }
    return dropped.length
  }

  /** What is new in a message. `asks`: a prompt in it ends the turn before. */
  #say(said: SaidMessage, message: ChatMessage, asks: boolean): void {
    if (message.kind === 'prompt' && asks && !said.text && this.#track === undefined) {
      this.#endTurn(this.#turn.prompt())
      this.#setTime(message.time)
    }
    if (this.#track === undefined) this.#turn.said(message)
    if (message.tokens !== undefined && !said.tokens) {
      said.tokens = true
      this.#turn.count(message.tokens)
    }
    for (; said.thoughts < message.thoughts; said.thoughts += 1) this.#emit(message.firstThought + said.thoughts)
    if (message.text >= 0 && !said.text) {
      said.text = true
      this.#emit(message.text)
    }
    // All calls of a message are made before the first one is answered.
    for (const call of message.calls) this.#call(call)
    for (const call of message.calls) {
      if (call.state !== 'open') this.#answered(call, message.time)
    }
    for (const answer of message.answers) this.#answer(answer)
  }

  #call(call: ChatCall): void {
    const qualified = this.#calls.taken(call.id, this.#session) ? 1 : 0
    const toolId = qualified === 1 ? call.qualifiedId : call.id
    if (call.agentId !== undefined) this.#calls.workedBy(toolId, call.agentId)
    let made = this.#calls.get(toolId)
    // Only its answer tells that a todo tool shows no list.
    if (made !== undefined && (made.todo === call.todo || made.answered)) return
    if (made === undefined) made = this.#calls.make(toolId, this.#session, call.todo)
    else made.todo = call.todo
    if (call.todo === null) this.#emit(call.started + qualified)
    else if (call.todo === 'write' && call.list !== null) {
      this.#session.todos.call(toolId, call.list.items)
      this.#emit(call.list.body + qualified)
    }
  }

  #answered(call: ChatCall, time: number | undefined): void {
    const qualified = this.#calls.taken(call.id, this.#session) ? 1 : 0
    const toolId = qualified === 1 ? call.qualifiedId : call.id
    const made = this.#calls.get(toolId)
    if (made === undefined || made.answered) return
    made.answered = true
    this.#setTime(call.time ?? time)
    if (call.todo === 'write') this.#settle(toolId, call.state !== 'done')
    else if (call.todo === null) this.#emit(call.completed + qualified)
    if (call.todo !== 'write' && call.list !== null && call.state === 'done' && this.#calls.listed(call.list.items)) {
      // The tracker's list is the session's: it is shown with the main agent, whoever changed it.
      const body = call.list.body + qualified
      const draft = this.#decoded.drafts[body]
      if (draft !== undefined) this.#sequence.emit(draft, body, undefined)
    }
  }

  /** A `functionResponse` part answers a call whose own record never said what came of it. */
  #answer({ id, failed, completed }: ChatAnswer): void {
    const made = this.#calls.get(id)
    if (made === undefined || made.answered || made.session !== this.#session || made.todo === 'tracker') return
    made.answered = true
    if (made.todo === 'write') this.#settle(id, failed)
    else this.#emit(completed)
  }

  /** A refused `write_todos` has changed nothing: the list is what it was before. */
  #settle(toolId: string, refused: boolean): void {
    const { todos } = this.#session
    if (!refused) {
      todos.accept(toolId)
      return
    }
    const items = todos.reject(toolId)
    if (items !== null) this.#sequence.emit({ type: 'todo_list', todoId: toolId, items }, -1, this.#track)
  }

  #endTurn(completed: TurnCompleted | null): void {
    if (completed === null || this.#track !== undefined) return
    // It was over when the last thing was said, not when the next was typed.
    this.#setTime(undefined)
    this.#make(completed)
  }

  #sayStatus(text: string): void {
    this.#sequence.emit({ type: 'text', text, role: 'system', category: 'status' }, -1, this.#track)
  }

  #make(draft: TurnCompleted | { type: 'session.started' }): void {
    this.#sequence.emit(draft, -1, this.#track)
  }

  #emit(body: number): void {
    const draft = this.#decoded.drafts[body]
    if (draft !== undefined) this.#sequence.emit(draft, body, this.#track)
  }

  /** When the events that follow on this line happened. */
  #setTime(time: number | undefined): void {
    this.#sequence.begin(this.#at, time, undefined)
  }

  /** A message without an id is one of its own. */
  #keyOf(message: ChatMessage, index = 0): string {
    return message.id ?? `${this.#at.offset}.${index}`
  }
}

function countOf(messages: number): string {
  return `${messages} ${messages === 1 ? 'message' : 'messages'}`
}
