import { dropOldest } from '../../drop-oldest.ts'
import { tokensOf } from '../../requests/tokens.ts'
import { sameTodoItems, type TodoItem } from '../../events/todo.ts'
import { EventSequence } from '../event-sequence.ts'
import type { EventDraft, Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { textHash } from '../text-hash.ts'
import { OpenText } from '../open-text.ts'
import type { CursorDecoded, CursorStep } from './stream-decoded.ts'
import { mergedEntries, type TodoEntry, todoTool } from './todo-entries.ts'

/** Limit of open calls. Agents wait for results, so a log with more is damaged. */
const maxOpenCalls = 100

/** Limit of texts per turn; above it the text at its end counts as new. */
const maxTexts = 1000

/** Joins the pieces of thoughts, drops those of messages that follow whole, and merges todo lists. */
export class CursorFold implements Fold<CursorDecoded> {
  private readonly sequence: EventSequence
  private readonly text: OpenText
  private of: 'thinking' | 'message' | null = null
  /** A long message was emitted before its end. */
  private spilled = false
  private session: string | undefined
  private list: readonly TodoEntry[] = []
  /** The list before each open call. */
  private readonly before = new Map<string, readonly TodoEntry[]>()
  /** Texts of the current turn. */
  private turnTexts: { readonly length: number; readonly hash: number }[] = []
  /** The requested model. */
  private model: string | undefined

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
    this.text = new OpenText(this.sequence)
  }

  add(at: LinePosition, decoded: CursorDecoded): FoldResult {
    const { step } = decoded
    if (step.kind === 'piece') return this.piece(at, decoded, step.of)
    if (step.kind === 'aside' && this.text.isOpen) {
      this.text.aside(at, decoded.drafts)
      return this.text.drain(decoded.time)
    }
    const said = this.endText(step.kind === 'message')
    this.sequence.begin(at, decoded.time, decoded.sessionId)
    if (!said) this.step(decoded, step)
    else this.addText(decoded.drafts[0])
    return this.text.drain(decoded.time)
  }

  end(): FoldResult {
    this.endText(false)
    return this.text.drain(undefined)
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
    return this.text.drain(decoded.time)
  }

  /** Ends the open text. True if its pieces already emitted the whole message that follows. */
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
        this.turnTexts = []
        this.setModel(decoded.drafts[0])
        // A resumed session has another `init`.
        if (decoded.sessionId !== undefined && decoded.sessionId === this.session) return
        this.session = decoded.sessionId
        this.list = []
        this.before.clear()
        break
      case 'write':
        this.before.set(step.id, this.list)
        this.sequence.called(step.id)
        dropOldest(this.before, this.before.size - maxOpenCalls)
        this.list = mergedEntries(step.merge ? this.list : [], step.patches)
        if (step.merge) this.emitList(step.id)
        break
      case 'shown': {
        const isNews = !sameTodoItems(itemsOf(step.entries), itemsOf(this.list))
        this.list = step.entries
        this.before.clear()
        for (const [body, draft] of decoded.drafts.entries())
          if (body === 0 || isNews) this.sequence.emit(draft, body, undefined)
        return
      }
      case 'written':
        return this.written(decoded, step)
      case 'message':
        this.addText(decoded.drafts[0])
        break
      case 'end':
        return this.endTurn(decoded, step)
    }
    for (const [body, draft] of decoded.drafts.entries()) this.sequence.emit(draft, body, undefined)
  }

  private setModel(draft: EventDraft | undefined): void {
    if (draft?.type === 'session.started') this.model = draft.model
  }

  private addText(draft: EventDraft | undefined): void {
    if (draft?.type !== 'text') return
    this.turnTexts.push({ length: draft.text.length, hash: textHash(draft.text) })
    if (this.turnTexts.length > maxTexts) this.turnTexts.shift()
  }

  /** A turn's end repeats all or the last of its texts. Other text is new. */
  private endTurn({ drafts }: CursorDecoded, { repeats, usage }: CursorStep & { kind: 'end' }): void {
    const [text] = drafts
    const isRepeated = repeats && text?.type === 'text' && this.isRepetition(text.text)
    this.turnTexts = []
    for (const [body, draft] of drafts.entries())
      if (!isRepeated || body > 0) this.sequence.emit(draft, body, undefined)
    if (usage === undefined) return
    this.sequence.note({ about: 'turn', trackId: undefined, model: this.model, tokens: tokensOf(usage) })
  }

  private isRepetition(text: string): boolean {
    let end = text.length
    for (let i = this.turnTexts.length - 1; i >= 0 && end > 0; i--) {
      const { length, hash } = this.turnTexts[i] ?? { length: 0, hash: 0 }
      if (length > end || textHash(text.slice(end - length, end)) !== hash) return false
      end -= length
    }
    return end === 0
  }

  /** A result. Its list replaces the call's; a refusal restores the former list. */
  private written({ drafts }: CursorDecoded, { id, rejected, entries }: CursorStep & { kind: 'written' }): void {
    const before = this.before.get(id)
    this.before.delete(id)
    const [completed, list] = drafts
    if (!rejected && entries !== null) {
      const isNews = !sameTodoItems(itemsOf(entries), itemsOf(this.list))
      // Also where only their ids are news: a later call merges by them.
      this.list = entries
      if (list !== undefined && isNews) this.sequence.emit(list, 1, undefined)
    }
    if (completed !== undefined) this.sequence.emit(completed, 0, undefined, { toolName: todoTool })
    if (rejected && before !== undefined) {
      this.list = before
      this.emitList(id)
    }
  }

  private emitList(todoId: string): void {
    this.sequence.emit({ type: 'todo_list', todoId, items: itemsOf(this.list) }, -1, undefined)
  }
}

function itemsOf(entries: readonly TodoEntry[]): readonly TodoItem[] {
  return entries.map(({ item }) => item)
}
