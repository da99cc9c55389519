import { sameTodoItems, type TodoItem } from '../../events/todo.ts'
import type { ChatCall } from './chat-decoded.ts'
import type { ChatSession } from './chat-session.ts'

/** A call that was made. */
export interface MadeCall {
  readonly session: ChatSession
  readonly todo: ChatCall['todo']
  answered: boolean
}

/** The tool calls of a run, by the id that its events have; and what its files share besides. */
export class ChatCalls {
  private readonly made = new Map<string, MadeCall>()
  private readonly ofAgent = new Map<string, string>()
  private tasks: readonly TodoItem[] = []

  get(toolId: string): MadeCall | undefined {
    return this.made.get(toolId)
  }

  make(toolId: string, session: ChatSession, todo: ChatCall['todo']): MadeCall {
    const made = { session, todo, answered: false }
    this.made.set(toolId, made)
    return made
  }

  /** The call says which subagent worked for it. The first one to say so keeps it. */
  workedBy(toolId: string, agentId: string): void {
    if (!this.ofAgent.has(agentId)) this.ofAgent.set(agentId, toolId)
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
