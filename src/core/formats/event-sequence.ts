import { dropOldest } from '../drop-oldest.ts'
import type { TokenNote } from '../requests/request-note.ts'
import {
  type EventDraft,
  type FoldContext,
  type FoldedEvent,
  type FoldResult,
  type LineMark,
  type LinePosition,
  type LineStart,
  placeOf,
  type RowMark,
  scopedId
} from './log-format.ts'

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

const nothing: FoldResult = { events: [], issues: [] }

/** Limit of open calls; above it the oldest get no duration. */
const maxOpenCalls = 10_000

/** The events of the current line, and the state carried from line to line: time, session, open calls. */
export class EventSequence {
  private readonly now: (() => number) | undefined
  private at: LinePosition = { line: 0, offset: 0, length: 0 }
  /** The current position without the line's bytes. */
  private place: LinePosition | null = null
  private ordinal = 0
  /** By file: its last line and the next ordinal there. Records may share a line, with those of other files between. */
  private readonly lastLines = new Map<string | undefined, { line: number; ordinal: number }>()
  private events: FoldedEvent[] = []
  private marks: LineMark[] = []
  private tokens: TokenNote[] = []
  private recordTime: number | undefined
  private lastTime = 0
  private session: string | undefined
  /** Carried from line to line: `FoldedEvent.agentType`. */
  agentType: string | undefined
  /** Start times of open calls, stated by records. */
  private readonly madeAt = new Map<string, number>()
  /** Carried from line to line: `FoldedEvent.idScope`. */
  idScope: string | undefined

  constructor(context: FoldContext) {
    this.now = context.now
  }

  /** The session of the current line. */
  get sessionId(): string | undefined {
    return this.session
  }

  /** Starts a line. `time` and `sessionId` are stated by its record. */
  begin(at: LinePosition, time: number | undefined, sessionId: string | undefined): void {
    if (at.line !== this.at.line || at.file !== this.at.file) this.ordinal = this.ordinalAt(at)
    this.at = at
    this.place = null
    this.recordTime = time
    if (sessionId !== undefined) this.session = sessionId
  }

  /** The ordinal of the next event of another line than the current one. */
  private ordinalAt(at: LinePosition): number {
    const { file, line } = this.at
    const left = this.lastLines.get(file)
    if (left === undefined) this.lastLines.set(file, { line, ordinal: this.ordinal })
    else if (line >= left.line) {
      left.line = line
      left.ordinal = this.ordinal
    }
    const last = this.lastLines.get(at.file)
    return last?.line === at.line ? last.ordinal : 0
  }

  /** Emits an event. `body` and `rest` as in `FoldedEvent`. */
  emit(
    draft: EventDraft,
    body: number,
    trackId: string | undefined,
    rest?: {
      readonly joinedTo?: number
      readonly toolName?: string | undefined
      readonly callId?: string | undefined
    }
  ): void {
    const timestampFrom = this.advance()
    if (draft.type === 'tool.started') this.called(draft.toolId)
    const event: Writable<FoldedEvent> = {
      at: this.here,
      ordinal: this.ordinal,
      draft,
      body,
      timestamp: this.lastTime
    }
    if (timestampFrom !== undefined) event.timestampFrom = timestampFrom
    if (this.session !== undefined) event.sessionId = this.session
    if (this.agentType !== undefined) event.agentType = this.agentType
    if (trackId !== undefined) event.trackId = trackId
    if (rest?.joinedTo !== undefined) event.joinedTo = rest.joinedTo
    if (rest?.toolName !== undefined) event.toolName = rest.toolName
    if (rest?.callId !== undefined) event.callId = rest.callId
    if (this.idScope !== undefined) event.idScope = this.idScope
    if (draft.type === 'tool.completed') {
      const tookMs = this.took(draft.toolId)
      if (tookMs !== undefined && draft.durationMs === undefined) event.tookMs = tookMs
    }
    this.events.push(event)
    this.ordinal += 1
  }

  /** Registers a call; `emit` does so for `tool.started`. Calls that share a redacted id get no duration. */
  called(toolId: string): void {
    const id = scopedId(this.idScope, toolId)
    const isOpen = this.madeAt.delete(id)
    if (this.recordTime === undefined) return
    this.madeAt.set(id, isOpen ? NaN : this.recordTime)
    if (this.madeAt.size > maxOpenCalls) dropOldest(this.madeAt, maxOpenCalls / 2)
  }

  /** Registers a call of the current line without a known time. */
  calledSometime(toolId: string): void {
    this.madeAt.delete(scopedId(this.idScope, toolId))
  }

  /** Emits an event about earlier lines, at their time, such as a turn's end (`FoldedEvent.markedWith`). */
  emitApart(draft: EventDraft, trackId: string | undefined, markedWith: LinePosition | null): void {
    const time = this.recordTime
    if (markedWith !== null) this.recordTime = undefined
    this.emit(draft, -1, trackId)
    this.recordTime = time
    const event: Writable<FoldedEvent> | undefined = this.events.at(-1)
    if (event !== undefined) event.markedWith = markedWith
  }

  /** Marks the rows of the current line. */
  markHere(mark: RowMark): void {
    this.marks.push({ at: this.here, mark })
  }

  /** Marks the rows of an earlier line. */
  mark(at: LineStart, mark: RowMark): void {
    this.marks.push({ at, mark })
  }

  /** Adds a note about a model request. */
  note(note: TokenNote): void {
    this.tokens.push(note)
  }

  /** Drains events, marks and notes; without an event the result has the record's time and track. */
  drain(trackId?: string): FoldResult {
    // Drops the line's bytes; the caller owns them.
    this.at = this.here
    const { events, marks, tokens, recordTime } = this
    const isEmpty = events.length === 0
    if (isEmpty && marks.length + tokens.length === 0 && recordTime === undefined && trackId === undefined)
      return nothing
    const found: Writable<FoldResult> = isEmpty
      ? { events: nothing.events, issues: nothing.issues, timestamp: recordTime, trackId }
      : { events, issues: nothing.issues }
    if (!isEmpty) this.events = []
    if (marks.length > 0) {
      this.marks = []
      found.marks = marks
    }
    if (tokens.length > 0) {
      this.tokens = []
      found.tokens = tokens
    }
    return found
  }

  /** Events since they were drained. */
  get count(): number {
    return this.events.length
  }

  /** The position of the current line, without its bytes. */
  get here(): LinePosition {
    return (this.place ??= placeOf(this.at))
  }

  /** The ms since the call; undefined if unknown. Equal times mean nothing: many logs state one for both. */
  private took(toolId: string): number | undefined {
    const id = scopedId(this.idScope, toolId)
    const madeAt = this.madeAt.get(id)
    if (madeAt === undefined) return undefined
    this.madeAt.delete(id)
    return this.recordTime !== undefined && this.recordTime > madeAt ? this.recordTime - madeAt : undefined
  }

  /** Advances the time; returns its source. */
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
