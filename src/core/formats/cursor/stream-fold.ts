import { sameTodoItems, type TodoItem } from '../../events/todo.ts'
import { EventSequence } from '../event-sequence.ts'
import type { Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { OpenText } from '../open-text.ts'
import type { CursorDecoded, CursorStep } from './stream-json.ts'
import { mergedEntries, type TodoEntry } from './todo-entries.ts'

/** Calls kept until they are answered; the log of an agent that never gets an answer is damaged. */
const maxOpenCalls = 100

/** Joins the pieces of what the model thinks, leaves out those of a message that follows as a whole, and merges todo lists. */
export class CursorFold implements Fold<CursorDecoded> {
  private readonly sequence: EventSequence
  private readonly text: OpenText
  private of: 'thinking' | 'message' | null = null
  /** A message in pieces became too long to wait for its end, so it is said already. */
  private spilled = false
  private session: string | undefined
  private list: readonly TodoEntry[] = []
  /** The list before each call that is not answered yet. */
  private readonly before = new Map<string, readonly TodoEntry[]>()

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
    this.text = new OpenText(this.sequence)
  }

  add(at: LinePosition, decoded: CursorDecoded): FoldResult {
    const { step } = decoded
    if (step.kind === 'piece') return this.piece(at, decoded, step.of)
    if (step.kind === 'aside' && this.text.isOpen) {
      this.text.aside(at, decoded.drafts)
      return this.result(decoded.time)
    }
    const said = this.endText(step.kind === 'message')
    this.sequence.begin(at, decoded.time, decoded.sessionId)
    if (!said) this.step(decoded, step)
    return this.result(decoded.time)
  }

  end(): FoldResult {
    this.endText(false)
    return this.result(undefined)
  }

  private piece(at: LinePosition, decoded: CursorDecoded, of: 'thinking' | 'message'): FoldResult {
    const draft = decoded.drafts[0]
    if (this.of !== of) this.endText(false)
    if (draft?.type === 'text') {
      this.of = of
      this.sequence.begin(at, decoded.time, decoded.sessionId)
      this.text.piece(at, decoded.time, draft)
      if (of === 'message' && !this.text.isOpen) this.spilled = true
    }
    return this.result(decoded.time)
  }

  /** What was open is over. True if the whole message that follows has been said by its pieces. */
  private endText(wholeFollows: boolean): boolean {
    const said = this.spilled && wholeFollows
    if (wholeFollows && this.of === 'message' && !this.spilled) this.text.drop()
    else this.text.end()
    this.of = null
    this.spilled = false
    return said
  }

  private step(decoded: CursorDecoded, step: CursorStep): void {
    switch (step.kind) {
      case 'session':
        // A process that resumes a session says `init` again.
        if (decoded.sessionId !== undefined && decoded.sessionId === this.session) return
        this.session = decoded.sessionId
        this.list = []
        this.before.clear()
        break
      case 'write':
        this.before.set(step.id, this.list)
        for (const oldest of this.before.keys()) {
          if (this.before.size <= maxOpenCalls) break
          this.before.delete(oldest)
        }
        this.list = mergedEntries(step.merge ? this.list : [], step.patches)
        if (step.merge) this.give(step.id)
        break
      case 'written':
        this.written(decoded, step)
        return
    }
    for (const [body, draft] of decoded.drafts.entries()) this.sequence.emit(draft, body, undefined)
  }

  /** The answer to a call: what it says wins over what was called; a refusal brings back the list as it was. */
  private written(decoded: CursorDecoded, { id, rejected, entries }: CursorStep & { kind: 'written' }): void {
    const before = this.before.get(id)
    this.before.delete(id)
    if (rejected && before !== undefined) {
      this.list = before
      this.give(id)
    } else if (!rejected && entries !== null && !sameTodoItems(itemsOf(entries), itemsOf(this.list))) {
      this.list = entries
      const [draft] = decoded.drafts
      if (draft !== undefined) this.sequence.emit(draft, 0, undefined)
    }
  }

  private give(todoId: string): void {
    this.sequence.emit({ type: 'todo_list', todoId, items: itemsOf(this.list) }, -1, undefined)
  }

  private result(timestamp: number | undefined): FoldResult {
    const { events, issues } = this.sequence.take()
    return this.text.isOpen ? { events, issues, held: true, timestamp } : { events, issues, timestamp }
  }
}

function itemsOf(entries: readonly TodoEntry[]): readonly TodoItem[] {
  return entries.map(({ item }) => item)
}
