import {
  type EventDraft,
  type FoldContext,
  type FoldedEvent,
  type FoldResult,
  type LineMark,
  type LinePosition,
  type LineStart,
  placeOf,
  type RowMark
} from './log-format.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

const nothing: FoldResult = { events: [], issues: [] }

/** The events of the line being added, and what is carried from line to line: the time and the session. */
export class EventSequence {
  private readonly now: (() => number) | undefined
  private at: LinePosition = { line: 0, offset: 0, length: 0 }
  /** Where events and marks of the line say they stand; the line itself holds bytes that are not theirs to keep. */
  private place: LinePosition | null = null
  private ordinal = 0
  private events: FoldedEvent[] = []
  private marks: LineMark[] = []
  private recordTime: number | undefined
  private lastTime = 0
  private session: string | undefined
  /** Carried from line to line: `FoldedEvent.idScope`. */
  idScope: string | undefined

  constructor(context: FoldContext) {
    this.now = context.now
  }

  /** The session of the line being added. */
  get sessionId(): string | undefined {
    return this.session
  }

  /** A line begins. `time` and `sessionId` are what its record states. */
  begin(at: LinePosition, time: number | undefined, sessionId: string | undefined): void {
    // In a document several records may stand on one line.
    if (at.line !== this.at.line || at.file !== this.at.file) this.ordinal = 0
    this.at = at
    this.place = null
    this.recordTime = time
    if (sessionId !== undefined) this.session = sessionId
  }

  /** Gives an event. `body` and `joinedTo` as in `FoldedEvent`. */
  emit(draft: EventDraft, body: number, trackId: string | undefined, joinedTo?: number): void {
    const timestampFrom = this.advance()
    const event: Writable<FoldedEvent> = {
      at: this.here,
      ordinal: this.ordinal,
      draft,
      body,
      timestamp: this.lastTime
    }
    if (timestampFrom !== undefined) event.timestampFrom = timestampFrom
    if (this.session !== undefined) event.sessionId = this.session
    if (trackId !== undefined) event.trackId = trackId
    if (joinedTo !== undefined) event.joinedTo = joinedTo
    if (this.idScope !== undefined) event.idScope = this.idScope
    this.events.push(event)
    this.ordinal += 1
  }

  /** Gives an event made here that is not marked with its line: `FoldedEvent.markedWith`. */
  emitApart(draft: EventDraft, trackId: string | undefined, markedWith: LinePosition | null): void {
    this.emit(draft, -1, trackId)
    const event: Writable<FoldedEvent> | undefined = this.events.at(-1)
    if (event !== undefined) event.markedWith = markedWith
  }

  /** Marks the rows of the line being added. */
  markHere(mark: RowMark): void {
    this.marks.push({ at: this.here, mark })
  }

  /** Marks the rows of a line added before. */
  mark(at: LineStart, mark: RowMark): void {
    this.marks.push({ at, mark })
  }

  /** The events and marks given since the last call; if there is no event, the time and the track of the record. */
  take(trackId?: string): FoldResult {
    // The line's bytes are the caller's, and no part of what a fold keeps.
    this.at = this.here
    const marks = this.marks
    if (marks.length > 0) this.marks = []
    if (this.events.length === 0) {
      const timestamp = this.recordTime
      if (marks.length > 0) return { events: nothing.events, issues: nothing.issues, timestamp, trackId, marks }
      if (timestamp === undefined && trackId === undefined) return nothing
      return { events: nothing.events, issues: nothing.issues, timestamp, trackId }
    }
    const events = this.events
    this.events = []
    return marks.length > 0 ? { events, issues: [], marks } : { events, issues: [] }
  }

  /** Where the line being added stands, without its bytes. */
  get here(): LinePosition {
    return (this.place ??= placeOf(this.at))
  }

  /** Moves the clock to the event being given; says where its time comes from. */
  private advance(): 'previous' | 'observed' | undefined {
    if (this.recordTime !== undefined) {
      this.lastTime = this.recordTime
      return undefined
    }
    if (this.now === undefined) return 'previous'
    this.lastTime = this.now()
    return 'observed'
  }
}
