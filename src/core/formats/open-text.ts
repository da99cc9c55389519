import type { EventSequence } from './event-sequence.ts'
import { type EventDraft, type LinePosition, placeOf } from './log-format.ts'

/**
 * A text longer than this, on more lines or on more bytes of the log, goes on in another event: until it ends its lines are held, and
 * to be shown it is read again from its first byte to its last.
 */
const maxTextLength = 4 << 20
const maxTextLines = 5000
const maxTextBytes = 64 << 20

type TextDraft = EventDraft & { readonly type: 'text' }

interface Begun {
  /** Where it begins, and when. */
  readonly at: LinePosition
  readonly time: number | undefined
  readonly first: TextDraft
  text: string
  pieces: number
  /** Lines since it began: its own, and those that something else wrote between them. */
  lines: number
  /** Where the line of its last piece ends. */
  end: number
  readonly asides: { readonly at: LinePosition; readonly drafts: readonly EventDraft[] }[]
}

/**
 * A text that stands in pieces on several lines, and becomes one event at the first of them (`FoldedEvent.joinedTo`). A fold holds its
 * lines (`FoldResult.held`) while one `isOpen`.
 */
export class OpenText {
  private readonly sequence: EventSequence
  private begun: Begun | null = null

  constructor(sequence: EventSequence) {
    this.sequence = sequence
  }

  get isOpen(): boolean {
    return this.begun !== null
  }

  /** The text goes on, or begins. The draft is `drafts[0]` of its record. It may end here, when it has become very long. */
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

  /** A line that something else wrote between the pieces. Its events come after the text, whose end is still to come. */
  aside(at: LinePosition, drafts: readonly EventDraft[]): void {
    const begun = this.begun
    if (begun === null) return
    begun.asides.push({ at: placeOf(at), drafts })
    begun.lines += 1
    this.endIfLong(begun, at.offset + at.length)
  }

  /** The text has ended: gives its event, and those of the lines between its pieces. The next line has to `begin` after this. */
  end(): void {
    this.close(true)
  }

  /** Another record says the text: it gives no event, only the lines between its pieces do. */
  drop(): void {
    this.close(false)
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
