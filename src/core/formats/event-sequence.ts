import type { EventDraft, FoldContext, FoldedEvent, FoldResult, LineMark, LinePosition, RowMark } from './log-format.ts'

const nothing: FoldResult = { events: [], issues: [] }

/** The events of the line being added, and what is carried from line to line: the time and the session. */
export class EventSequence {
  readonly #now: (() => number) | undefined
  #at: LinePosition = { line: 0, offset: 0, length: 0 }
  #ordinal = 0
  #events: FoldedEvent[] = []
  #marks: LineMark[] = []
  #recordTime: number | undefined
  #lastTime = 0
  #sessionId: string | undefined
  /** Carried from line to line: `FoldedEvent.idScope`. */
  idScope: string | undefined

  constructor(context: FoldContext) {
    this.#now = context.now
  }

  /** The session of the line being added. */
  get sessionId(): string | undefined {
    return this.#sessionId
  }

  /** A line begins. `time` and `sessionId` are what its record states. */
  begin(at: LinePosition, time: number | undefined, sessionId: string | undefined): void {
    // In a document several records may stand on one line.
    if (at.line !== this.#at.line || at.file !== this.#at.file) this.#ordinal = 0
    this.#at =
      at.file === undefined
        ? { line: at.line, offset: at.offset, length: at.length }
        : { file: at.file, line: at.line, offset: at.offset, length: at.length }
    this.#recordTime = time
    if (sessionId !== undefined) this.#sessionId = sessionId
  }

  /** Gives an event. `body` as in `FoldedEvent`. */
  emit(draft: EventDraft, body: number, trackId: string | undefined): void {
    const timestampFrom = this.#advance()
    this.#events.push({
      at: this.#at,
      ordinal: this.#ordinal,
      draft,
      body,
      timestamp: this.#lastTime,
      ...(timestampFrom === undefined ? undefined : { timestampFrom }),
      ...(this.#sessionId === undefined ? undefined : { sessionId: this.#sessionId }),
      ...(trackId === undefined ? undefined : { trackId }),
      ...(this.idScope === undefined ? undefined : { idScope: this.idScope })
    })
    this.#ordinal += 1
  }

  /** Marks the rows of a line added before, or of the one being added. */
  mark(at: LinePosition, mark: RowMark): void {
    this.#marks.push({ at, mark })
  }

  /** The events and marks given since the last call; if there is no event, the time and the track of the record. */
  take(trackId?: string): FoldResult {
    const marks = this.#marks
    if (marks.length > 0) this.#marks = []
    if (this.#events.length === 0) {
      const timestamp = this.#recordTime
      if (marks.length > 0) return { events: nothing.events, issues: nothing.issues, timestamp, trackId, marks }
      if (timestamp === undefined && trackId === undefined) return nothing
      return { events: nothing.events, issues: nothing.issues, timestamp, trackId }
    }
    const events = this.#events
    this.#events = []
    return marks.length > 0 ? { events, issues: [], marks } : { events, issues: [] }
  }

  /** Moves the clock to the event being given; says where its time comes from. */
  #advance(): 'previous' | 'observed' | undefined {
    if (this.#recordTime !== undefined) {
      this.#lastTime = this.#recordTime
      return undefined
    }
    if (this.#now === undefined) return 'previous'
    this.#lastTime = this.#now()
    return 'observed'
  }
}
