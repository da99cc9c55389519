import type { TodoItem } from '../../events/todo.ts'
import type { IssueDraft } from '../issue.ts'
import { WrittenList } from '../written-list.ts'
import { type TaskNote, type TrackerCall, TrackerList } from './tracker.ts'

/** What the result of a todo tool's call means. */
export interface TodoOutcome {
  readonly toolName: string
  /** The list, where it is another one now. */
  readonly items: readonly TodoItem[] | null
  readonly issue: IssueDraft | null
}

/** The todo lists of one session (docs/formats/gemini-stream-json.md#todo-lists), and which of its calls were of todo tools. */
export class SessionTodos {
  private readonly written = new WrittenList()
  private readonly tracked = new TrackerList()
  /** The same result may be delivered twice, so the calls answered are kept. */
  private readonly calls = new Map<
    string,
    { readonly toolName: string; readonly how: 'write' | 'track' | 'answered' }
  >()

  /** A call of `write_todos`. Without items it cannot be accepted. */
  write(id: string, toolName: string, items: readonly TodoItem[] | null): void {
    this.calls.set(id, { toolName, how: 'write' })
    if (items !== null) this.written.call(id, items)
  }

  /** A call of a tracker tool that changes its list. */
  track(id: string, toolName: string, call: TrackerCall): void {
    this.calls.set(id, { toolName, how: 'track' })
    this.tracked.call(id, call)
  }

  /** The call has made the task. */
  made(note: TaskNote): void {
    this.tracked.note(note)
  }

  /** A call of any other tool; should it have the id of a todo tool's, the results are its own from here on. */
  ordinary(id: string): void {
    this.calls.delete(id)
  }

  /** A tool answered; null where it was not a todo tool. */
  result(id: string, rejected: boolean, madeTask?: string): TodoOutcome | null {
    const call = this.calls.get(id)
    if (call === undefined) return null
    const { toolName, how } = call
    if (how === 'answered') return { toolName, items: null, issue: null }
    this.calls.set(id, { toolName, how: 'answered' })
    if (how === 'track') return { toolName, ...this.tracked.result(id, rejected, madeTask) }
    if (rejected) return { toolName, items: this.written.reject(id), issue: null }
    this.written.accept(id)
    return { toolName, items: null, issue: null }
  }
}
