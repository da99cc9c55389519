import type { TodoItem } from '../../events/todo.ts'
import type { IssueDraft } from '../issue.ts'
import { WrittenList } from '../written-list.ts'
import { todoWords } from './write-todos.ts'
import { type TaskNote, type TrackerCall, TrackerList } from './tracker.ts'

/** The effect of a todo tool's result. */
export interface TodoOutcome {
  readonly toolName: string
  /** The list, if it changed. */
  readonly items: readonly TodoItem[] | null
  readonly issue: IssueDraft | null
}

/** The todo lists of one session (docs/formats/gemini-stream-json.md#todo-lists), and its calls of todo tools. */
export class SessionTodos {
  private readonly written = new WrittenList()
  private readonly tracked = new TrackerList()
  /** Keeps answered calls, as results may be repeated. */
  private readonly calls = new Map<
    string,
    { readonly toolName: string; readonly how: 'write' | 'track' | 'answered' }
  >()

  /** A call of `write_todos`. Without items it is rejected. */
  write(id: string, toolName: string, items: readonly TodoItem[] | null): void {
    this.calls.set(id, { toolName, how: 'write' })
    if (items !== null) this.written.call(id, items)
  }

  /** A call of a tracker tool that changes the list. */
  track(id: string, toolName: string, call: TrackerCall): void {
    this.calls.set(id, { toolName, how: 'track' })
    this.tracked.call(id, call)
  }

  /** A call's task has this id. */
  made(note: TaskNote): void {
    this.tracked.note(note)
  }

  /** A call of another tool, which takes over a reused id. */
  ordinary(id: string): void {
    this.calls.delete(id)
  }

  /** A result; null for other tools. */
  result(id: string, rejected: boolean, madeTask: string | undefined, output: string): TodoOutcome | null {
    const call = this.calls.get(id)
    if (call === undefined) return null
    const { toolName, how } = call
    if (how === 'answered') return { toolName, items: null, issue: null }
    this.calls.set(id, { toolName, how: 'answered' })
    if (how === 'track') return { toolName, ...this.tracked.result(id, rejected, madeTask) }
    return { toolName, items: this.written.settle(id, rejected, todoWords(output)), issue: null }
  }
}
