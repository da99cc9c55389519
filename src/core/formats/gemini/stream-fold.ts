import type { EventDraft, Fold, FoldContext, FoldedEvent, FoldResult, LinePosition } from '../log-format.ts'
import type { IssueDraft } from '../issue.ts'
import { EventSequence } from '../event-sequence.ts'
import { SessionTodos } from './session-todos.ts'
import type { StreamDecoded } from './stream-decoded.ts'

/**
 * A text longer than this, on more lines or on more bytes of the log, goes on in another event: until it ends its lines are held, and
 * to be shown it is read again from its first byte to its last.
 */
const maxTextLength = 4 << 20
const maxTextLines = 5000
const maxTextBytes = 64 << 20

/** What the model is saying, piece by piece. */
interface OpenText {
  /** Where it begins, and when. */
  readonly at: LinePosition
  readonly time: number | undefined
  readonly first: EventDraft
  text: string
  pieces: number
  /** Lines since it began: its own, and those that something else wrote between them. */
  lines: number
  /** Where the line of its last piece ends. */
  end: number
  readonly asides: { readonly at: LinePosition; readonly drafts: readonly EventDraft[] }[]
}

const noEvents: readonly FoldedEvent[] = []
const noIssues: readonly IssueDraft[] = []

/** Joins the pieces of what the model says; follows the todo lists of each session (formats.md 8, 9). */
export class StreamFold implements Fold<StreamDecoded> {
  readonly #sequence: EventSequence
  #text: OpenText | null = null
  #session: string | undefined
  #todos = new SessionTodos()

  constructor(context: FoldContext) {
    this.#sequence = new EventSequence(context)
  }

  add(at: LinePosition, decoded: StreamDecoded): FoldResult {
    const { kind } = decoded.step
    if (kind === 'piece') return this.#piece(at, decoded)
    if (kind === 'aside' && this.#text !== null) return this.#aside(this.#text, at, decoded)
    this.#endText()
    this.#sequence.begin(at, decoded.time, decoded.sessionId)
    return this.#result(this.#step(decoded), decoded.time)
  }

  end(): FoldResult {
    this.#endText()
    return this.#result(noIssues, undefined)
  }

  #piece(at: LinePosition, decoded: StreamDecoded): FoldResult {
    const draft = decoded.drafts[0]
    if (draft?.type !== 'text') return this.#result(noIssues, decoded.time)
    const end = at.offset + at.length
    const open = this.#text
    if (open === null) {
      const { text } = draft
      this.#text = { at: placeOf(at), time: decoded.time, first: draft, text, pieces: 1, lines: 1, end, asides: [] }
    } else {
      open.text += draft.text
      open.pieces += 1
      open.lines += 1
      open.end = end
    }
    return this.#holding(at, decoded.time)
  }

  /** Its events come after the text, whose end is still to come. */
  #aside(open: OpenText, at: LinePosition, decoded: StreamDecoded): FoldResult {
    open.asides.push({ at: placeOf(at), drafts: decoded.drafts })
    open.lines += 1
    return this.#holding(at, decoded.time)
  }

  #holding(at: LinePosition, time: number | undefined): FoldResult {
    const open = this.#text
    if (open === null || !isFull(open, at)) {
      return { events: noEvents, issues: noIssues, held: true, timestamp: time }
    }
    this.#endText()
    return this.#result(noIssues, time)
  }

  #endText(): void {
    const open = this.#text
    if (open === null) return
    this.#text = null
    if (open.text !== '') {
      this.#sequence.begin(open.at, open.time, undefined)
      if (open.pieces === 1) this.#sequence.emit(open.first, 0, undefined)
      else this.#sequence.emit(textOf(open.text), 0, undefined, open.end)
    }
    for (const { at, drafts } of open.asides) {
      this.#sequence.begin(at, undefined, undefined)
      this.#sayAll(drafts)
    }
  }

  #sayAll(drafts: readonly EventDraft[]): void {
    for (const [body, draft] of drafts.entries()) this.#sequence.emit(draft, body, undefined)
  }

  /** Gives the record's events. What it gives back are issues that only the lines before could tell. */
  #step({ drafts, step, sessionId }: StreamDecoded): readonly IssueDraft[] {
    switch (step.kind) {
      case 'session':
        // A process that resumes a session says `init` again.
        if (sessionId !== undefined && sessionId === this.#session) return noIssues
        this.#session = sessionId
        this.#todos = new SessionTodos()
        break
      case 'call':
        this.#todos.ordinary(step.id)
        break
      case 'write':
        this.#todos.write(step.id, step.items)
        break
      case 'track':
        this.#todos.track(step.id, step.call)
        break
      case 'result': {
        const outcome = this.#todos.result(step.id, step.rejected)
        if (outcome === null) break
        const { items, issue } = outcome
        if (items !== null) this.#sequence.emit({ type: 'todo_list', todoId: step.id, items }, -1, undefined)
        return issue === null ? noIssues : [issue]
      }
    }
    this.#sayAll(drafts)
    return noIssues
  }

  #result(issues: readonly IssueDraft[], timestamp: number | undefined): FoldResult {
    return { events: this.#sequence.take().events, issues, timestamp }
  }
}

function isFull({ at, lines, text }: OpenText, last: LinePosition): boolean {
  return lines >= maxTextLines || text.length >= maxTextLength || last.offset + last.length - at.offset >= maxTextBytes
}

function textOf(text: string): EventDraft {
  return { type: 'text', text, role: 'assistant', category: 'assistant-message' }
}

/** A line's place without its bytes, which are the caller's. */
function placeOf({ file, line, offset, length }: LinePosition): LinePosition {
  return file === undefined ? { line, offset, length } : { file, line, offset, length }
}
