import type { EventSequence } from './event-sequence.ts'
import type { IssueDraft } from './issue.ts'
import { type EventDraft, type FoldResult, type LinePosition, placeOf } from './log-format.ts'

/** Limits of one text, as its lines are held and all its bytes are read again to show it. */
const maxTextLength = 4 << 20
const maxTextLines = 5000
const maxTextBytes = 64 << 20

type TextDraft = EventDraft & { readonly type: 'text' }

interface Begun {
  /** Position and time of the first piece. */
  readonly at: LinePosition
  readonly time: number | undefined
  readonly first: TextDraft
  text: string
  pieces: number
  /** Lines since the first piece, including foreign lines between. */
  lines: number
  /** Byte offset of the last piece's line end. */
  end: number
  readonly asides: { readonly at: LinePosition; readonly drafts: readonly EventDraft[] }[]
}

/** A text in pieces (`FoldedEvent.joinedTo`). A fold holds its lines while `isOpen` (`FoldResult.held`). */
export class OpenText {
  private readonly sequence: EventSequence
  private begun: Begun | null = null

  constructor(sequence: EventSequence) {
    this.sequence = sequence
  }

  get isOpen(): boolean {
    return this.begun !== null
  }

  /** Adds a piece. The draft is `drafts[0]` of its record. A very long text ends here. */
  piece(at: LinePosition, time: number | undefined, draft: TextDraft): void {
    const end = at.offset + at.length
    const begun = this.begun
    if (begun === null) {
      const { text } = draft
      this.begun = { at: placeOf(at), time, first: draft, text, pieces: 1, lines: 1, end, asides: [] }
      return
    }
    begun.text += draft.text
    begun.pieces += 1
    begun.lines += 1
    begun.end = end
    this.endIfLong(begun, end)
  }

  /** Adds a foreign line between pieces. Its events follow the text. */
  aside(at: LinePosition, drafts: readonly EventDraft[]): void {
    const begun = this.begun
    if (begun === null) return
    begun.asides.push({ at: placeOf(at), drafts })
    begun.lines += 1
    this.endIfLong(begun, at.offset + at.length)
  }

  /** Emits the text and the lines between its pieces. `begin` the next line afterwards. */
  end(): void {
    this.close(true)
  }

  /** Emits only the lines between the pieces, as another record has the whole text. */
  drop(): void {
    this.close(false)
  }

  /** Drains the line's result, held while a text is open. */
  drain(timestamp: number | undefined, issues: readonly IssueDraft[] = []): FoldResult {
    const { events, tokens } = this.sequence.drain()
    const result: FoldResult = { events, issues, timestamp, ...(tokens && { tokens }) }
    return this.isOpen ? { ...result, held: true } : result
  }

  private endIfLong({ at, lines, text }: Begun, end: number): void {
    const long = lines >= maxTextLines || text.length >= maxTextLength || end - at.offset >= maxTextBytes
    if (long) this.close(true)
  }

  private close(said: boolean): void {
    const begun = this.begun
    if (begun === null) return
    this.begun = null
    if (said && begun.text !== '') {
      this.sequence.begin(begun.at, begun.time, undefined)
      if (begun.pieces === 1) this.sequence.emit(begun.first, 0, undefined)
      else this.sequence.emit(wholeOf(begun), 0, undefined, { joinedTo: begun.end })
    }
    for (const { at, drafts } of begun.asides) {
      this.sequence.begin(at, undefined, undefined)
      for (const [body, draft] of drafts.entries()) this.sequence.emit(draft, body, undefined)
    }
  }
}

function wholeOf({ first, text }: Begun): TextDraft {
  return { ...first, text }
}
