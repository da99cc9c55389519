import { EventSequence } from '../event-sequence.ts'
import type { IssueDraft } from '../issue.ts'
import type { Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { OpenText } from '../open-text.ts'
import { SessionTodos } from './session-todos.ts'
import type { StreamDecoded } from './stream-decoded.ts'

const noIssues: readonly IssueDraft[] = []

/** Joins the pieces of what the model says; follows the todo lists of each session (formats.md 8, 9). */
export class StreamFold implements Fold<StreamDecoded> {
  private readonly sequence: EventSequence
  private readonly text: OpenText
  private session: string | undefined
  private todos = new SessionTodos()

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
    this.text = new OpenText(this.sequence)
  }

  add(at: LinePosition, decoded: StreamDecoded): FoldResult {
    const { step, drafts, time } = decoded
    const [draft] = drafts
    if (step.kind === 'piece' && draft?.type === 'text') {
      this.text.piece(at, time, draft)
      return this.result(noIssues, time)
    }
    if (step.kind === 'aside' && this.text.isOpen) {
      this.text.aside(at, drafts)
      return this.result(noIssues, time)
    }
    this.text.end()
    this.sequence.begin(at, time, decoded.sessionId)
    return this.result(this.step(decoded), time)
  }

  end(): FoldResult {
    this.text.end()
    return this.result(noIssues, undefined)
  }

  /** Gives the record's events. What it gives back are issues that only the lines before could tell. */
  private step({ drafts, step, sessionId }: StreamDecoded): readonly IssueDraft[] {
    switch (step.kind) {
      case 'session':
        // A process that resumes a session says `init` again.
        if (sessionId !== undefined && sessionId === this.session) return noIssues
        this.session = sessionId
        this.todos = new SessionTodos()
        break
      case 'call':
        this.todos.ordinary(step.id)
        break
      case 'write':
        this.todos.write(step.id, step.items)
        break
      case 'track':
        this.todos.track(step.id, step.call)
        break
      case 'result': {
        const outcome = this.todos.result(step.id, step.rejected)
        if (outcome === null) break
        const { items, issue } = outcome
        if (items !== null) this.sequence.emit({ type: 'todo_list', todoId: step.id, items }, -1, undefined)
        return issue === null ? noIssues : [issue]
      }
    }
    for (const [body, draft] of drafts.entries()) this.sequence.emit(draft, body, undefined)
    return noIssues
  }

  private result(issues: readonly IssueDraft[], timestamp: number | undefined): FoldResult {
    const { events } = this.sequence.take()
    return this.text.isOpen ? { events, issues, held: true, timestamp } : { events, issues, timestamp }
  }
}
