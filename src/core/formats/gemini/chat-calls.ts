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

export interface MadeCall {
  readonly call: number
  /** Number of its session. */
  readonly session: number
  readonly todo: ChatCall['todo']
  readonly answered: boolean
}

/** The tool calls of a run by id, about 20 bytes each, and the other state that its files share. */
export class ChatCalls {
  private readonly ids = new HashNumbers()
  private readonly sessionOf = new Column('uint32', 12)
  /** Kind of todo tool, and whether the call has a result. */
  private readonly states = new Column('uint8', 12)
  private readonly ofAgent = new Map<string, string>()
  /** Subagents with a chat in the run. */
  private readonly logged = new Set<string>()
  private tasks: readonly TodoItem[] = []
  private sessions = 0

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

  /** Returns the call's number, -1 if there is no room. */
  add(toolId: string, session: ChatSession, todo: ChatCall['todo']): number {
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

  /** Sets that the call has a result. */
  setAnswered(call: number): void {
    if (call >= 0) this.states.set(call, this.states.at(call) | answeredFlag)
  }

  /** Links a subagent to its call; the first link stays. */
  setAgent(toolId: string, agentId: string): void {
    if (!this.ofAgent.has(agentId)) this.ofAgent.set(agentId, toolId)
  }

  /** Adds a subagent whose chat is in the run. */
  addLog(agentId: string): void {
    this.logged.add(agentId)
  }

  /** Logs up to 0.37 name no subagents. */
  get missing(): MissingLogs {
    let named = 0
    for (const agentId of this.ofAgent.keys()) if (!this.logged.has(agentId)) named += 1
    return { named, perhaps: false }
  }

  /** The call of a subagent, by its session id. */
  callOf(agentId: string): string | undefined {
    return this.ofAgent.get(agentId)
  }

  /** Sets the tracker's list, one per run. False if it is unchanged, as parallel calls all show the same list. */
  setTasks(items: readonly TodoItem[]): boolean {
    const before = this.tasks
    this.tasks = items
    return !sameTodoItems(before, items)
  }
}
