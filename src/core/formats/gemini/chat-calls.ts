import { Column } from '../../column.ts'
import { sameTodoItems, type TodoItem } from '../../events/todo.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import type { MissingLogs } from '../log-format.ts'
import { textHash } from '../text-hash.ts'
import type { ChatCall } from './chat-decoded.ts'
import { ChatSession } from './chat-session.ts'

const todos = [null, 'write', 'tracker'] as const
const todoMask = 3
const answeredFlag = 4

/** A call that was made. */
export interface MadeCall {
  readonly call: number
  /** The number of its session. */
  readonly session: number
  readonly todo: ChatCall['todo']
  readonly answered: boolean
}

/** The tool calls of a run, by the id that its events have: about 20 bytes each; and what its files share besides. */
export class ChatCalls {
  private readonly ids = new HashNumbers()
  private readonly sessionOf = new Column('uint32', 12)
  /** What kind of todo tool it is, and whether it was answered. */
  private readonly states = new Column('uint8', 12)
  private readonly ofAgent = new Map<string, string>()
  /** Subagents whose chats are in the run. */
  private readonly logged = new Set<string>()
  private tasks: readonly TodoItem[] = []
  private sessions = 0

  /** Begins a session of the run. */
  newSession(id: string | undefined): ChatSession {
    this.sessions += 1
    return new ChatSession(this.sessions, id)
  }

  get(toolId: string): MadeCall | undefined {
    const call = this.ids.numberOf(textHash(toolId))
    if (call < 0) return undefined
    const state = this.states.at(call)
    return {
      call,
      session: this.sessionOf.at(call),
      todo: todos[state & todoMask] ?? null,
      answered: (state & answeredFlag) !== 0
    }
  }

  /** Gives the call's number, -1 where there is no room to remember it. */
  make(toolId: string, session: ChatSession, todo: ChatCall['todo']): number {
    const hash = textHash(toolId)
    const added = this.ids.add(hash)
    const call = added ?? this.ids.numberOf(hash)
    if (call < 0) return call
    if (added !== null) {
      this.sessionOf.push(0)
      this.states.push(0)
    }
    this.sessionOf.set(call, session.number)
    this.states.set(call, todos.indexOf(todo))
    return call
  }

  /** The call of this number has its result. */
  answered(call: number): void {
    if (call >= 0) this.states.set(call, this.states.at(call) | answeredFlag)
  }

  /** The call says which subagent worked for it. The first one to say so keeps it. */
  workedBy(toolId: string, agentId: string): void {
    if (!this.ofAgent.has(agentId)) this.ofAgent.set(agentId, toolId)
  }

  /** The chat of this subagent is in the run. */
  hasLog(agentId: string): void {
    this.logged.add(agentId)
  }

  /** Logs up to 0.37 name no subagents: nothing tells there that one is missing. */
  get missing(): MissingLogs {
    let named = 0
    for (const agentId of this.ofAgent.keys()) if (!this.logged.has(agentId)) named += 1
    return { named, perhaps: false }
  }

  /** The call for which the subagent of this session id works. */
  callOf(agentId: string): string | undefined {
    return this.ofAgent.get(agentId)
  }

  /** The tracker's list, one for the run, is this now; whether that is news. Calls made at once all show what came of them. */
  listed(items: readonly TodoItem[]): boolean {
    const before = this.tasks
    this.tasks = items
    return !sameTodoItems(before, items)
  }
}
