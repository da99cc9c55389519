import type { TodoItem } from '../../events/todo.ts'
import type { IssueDraft } from '../issue.ts'
import { WrittenList } from '../written-list.ts'
import { type TrackerCall, TrackerList } from './tracker.ts'

/** What the result of a todo tool's call means. */
export interface TodoOutcome {
  /** The list, where it is another one now. */
  readonly items: readonly TodoItem[] | null
  readonly issue: IssueDraft | null
}

const settled: TodoOutcome = { items: null, issue: null }

/** The todo lists of one session, and which of its calls were of todo tools (formats.md 9). */
export class SessionTodos {
  private readonly written = new WrittenList()
  private readonly tracked = new TrackerList()
  /** The same result may be delivered twice, so the calls answered are kept. */
  private readonly calls = new Map<string, 'write' | 'track' | 'answered'>()

  /** A call of `write_todos`. Without items it cannot be accepted. */
  write(id: string, items: readonly TodoItem[] | null): void {
    this.calls.set(id, 'write')
    if (items !== null) this.written.call(id, items)
  }

  /** A call of a tracker tool that changes its list. */
  track(id: string, call: TrackerCall): void {
    this.calls.set(id, 'track')
    this.tracked.call(id, call)
  }

  /** A call of any other tool; should it have the id of a todo tool's, the results are its own from here on. */
  ordinary(id: string): void {
    this.calls.delete(id)
  }

  /** A tool answered; null where it was not a todo tool. */
  result(id: string, rejected: boolean): TodoOutcome | null {
    const call = this.calls.get(id)
    if (call === undefined) return null
    if (call === 'answered') return settled
    this.calls.set(id, 'answered')
    if (call === 'track') return this.tracked.result(id, rejected)
    if (rejected) return { items: this.written.reject(id), issue: null }
    this.written.accept(id)
    return settled
  }
}
