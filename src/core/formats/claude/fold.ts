import type { EventDraft, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import type { ClaudeDecoded, ResultStep, Step } from './decoded.ts'
import { EventSequence } from '../event-sequence.ts'
import { TodoLists } from './tasks.ts'

/** What both Claude formats fold alike: time and session carried on, copied lines, todo lists, calls and their results. */
export class ClaudeFold {
  readonly #sequence: EventSequence
  readonly #todos = new TodoLists()
  readonly #seen = new Set<string>()

  constructor(context: FoldContext) {
    this.#sequence = new EventSequence(context)
  }

  get sessionId(): string | undefined {
    return this.#sequence.sessionId
  }

  /** Begins a line. False for a copy of an earlier one (formats.md 4.5): it stays a record. */
  begin(at: LinePosition, decoded: ClaudeDecoded): boolean {
    const uuid = saysSomething(decoded) ? decoded.uuid : undefined
    const copy = uuid !== undefined && this.#seen.has(uuid)
    if (uuid !== undefined) this.#seen.add(uuid)
    this.#sequence.begin(at, decoded.time, decoded.sessionId)
    return !copy
  }

  /** The line's result. `track`: whose record it is. */
  take(track?: string): FoldResult {
    return this.#sequence.take(track)
  }

  /** Gives an event made here, not by a record. */
  make(draft: EventDraft, track: string | undefined): void {
    this.#sequence.emit(draft, -1, track)
  }

  /** Gives the draft at `body` of its record; nothing for -1. */
  emit(decoded: ClaudeDecoded, body: number, track: string | undefined): void {
    const draft = decoded.drafts[body]
    if (draft !== undefined) this.#sequence.emit(draft, body, track)
  }

  /** Folds a step that means the same in both formats. */
  step(step: Step, decoded: ClaudeDecoded, track: string | undefined): void {
    switch (step.kind) {
      case 'todo-write':
        this.#todos.write(track ?? '', step.id, step.items)
        this.emit(decoded, step.body, track)
        return
      case 'task-call':
        this.#todos.call(step.id, step.call)
        this.emit(decoded, step.body, track)
        return
      case 'todo-resync':
        if (this.#todos.resync(track ?? '', step.items)) this.emit(decoded, step.body, track)
        return
      case 'result':
        this.#result(step, decoded, track)
        return
      case 'message-start':
      case 'block-text':
        return
      default:
        this.emit(decoded, step.body, track)
    }
  }

  #result(step: ResultStep, decoded: ClaudeDecoded, track: string | undefined): void {
    const { ordinary, list } = this.#todos.result(track ?? '', this.sessionId ?? '', step)
    if (ordinary) this.emit(decoded, step.body, track)
    if (list === null) return
    // The Task tools' list is the session's: it is shown with the main agent, whoever changed it.
    const owner = list.ofSession ? undefined : track
    if (list.body >= 0) this.emit(decoded, list.body, owner)
    else this.make({ type: 'todo_list', todoId: step.id, items: list.items }, owner)
  }
}

/** Streamed pieces and status lines are by far the most; what means nothing by itself need not be told from its copy. */
function saysSomething({ drafts, steps }: ClaudeDecoded): boolean {
  return drafts.length > 0 || steps.some((step) => step.kind === 'task-call')
}
