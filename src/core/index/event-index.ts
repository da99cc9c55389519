import type { ReadLine } from '../formats/line-folder.ts'
import { type EventDraft, type FoldedEvent, type LineMark, type LinePosition, scopedId } from '../formats/log-format.ts'
import { Column } from '../column.ts'
import { FileRows } from './file-rows.ts'
import { Interned } from './interned.ts'
import { IssueList, severityRank } from './issue-list.ts'
import { rowKindOf, rowKinds } from './row-kind.ts'
import { rowMarks } from './row-mark.ts'
import { type Track, TrackList } from './track-list.ts'

// The names travel to the page with each progress notice, so a log cannot make them grow for ever.
const maxTools = 1000
const maxToolName = 120

const clocks = ['record', 'previous', 'observed'] as const
const toolKind = rowKinds.indexOf('tool')
const recordKind = rowKinds.indexOf('record')

/** The columns of some rows, as `log.columns` of the contract describes them. */
export interface ColumnSlice {
  readonly from: number
  readonly count: number
  readonly kind: ArrayBuffer
  readonly severity: ArrayBuffer
  readonly issues: ArrayBuffer
  readonly time: ArrayBuffer
  readonly line: ArrayBuffer
  readonly seq: ArrayBuffer
  readonly tool: ArrayBuffer
  readonly track: ArrayBuffer
  readonly pair: ArrayBuffer
  readonly mark: ArrayBuffer
}

/**
 * What is known of every row of a log, in columns: 54 bytes a row, no objects, no text (of a run in several files 6 more). Bodies are
 * read again from the source by `place`. A row is an event, or a line that is not blank and has no event. Rows stand in the order they were
 * read, which is log order but for events that a later line revealed.
 */
export class EventIndex {
  readonly issues = new IssueList()
  #lines = 0
  #firstTimestamp: number | null = null
  #lastTimestamp: number | null = null
  #model: string | null = null
  #marked = 0

  readonly #kind = new Column('uint8')
  readonly #severity = new Column('uint8')
  readonly #issueCount = new Column('uint16')
  readonly #time = new Column('float64')
  readonly #line = new Column('uint32')
  readonly #offset = new Column('float64')
  readonly #length = new Column('uint32')
  readonly #ordinal = new Column('uint32')
  readonly #body = new Column('int32')
  readonly #seq = new Column('int32')
  readonly #tool = new Column('uint16')
  readonly #track = new Column('uint16')
  readonly #clock = new Column('uint8')
  readonly #mark = new Column('uint8')
  /** On a tool call the row of its last result, on a result the row of its call, else -1. */
  readonly #link = new Column('int32')
  readonly #rowOfSeq = new Column('uint32')

  readonly #tools = new Interned(maxTools, 'further tools')
  readonly #tracks = new TrackList()
  readonly #files = new FileRows()
  /** Of texts in pieces (`FoldedEvent.joinedTo`), by row. */
  readonly #joinedTo = new Map<number, number>()
  /** Drafts that reading the line again does not give. */
  readonly #kept = new Map<number, EventDraft>()
  /** Rows that are not marked with their own line, and by the first row of the line they are marked with (`FoldedEvent.markedWith`). */
  readonly #apart = new Set<number>()
  readonly #followers = new Map<number, number>()
  readonly #calls = new Map<string, number>()
  /** Of a call with several results: on each later result the one before it. */
  readonly #formerResult = new Map<number, number>()
  /** The session and the id scope of all rows from `row` on; they change rarely. */
  readonly #sessions: { row: number; sessionId: string | undefined; idScope: string | undefined }[] = []

  get rows(): number {
    return this.#kind.length
  }
  get events(): number {
    return this.#rowOfSeq.length
  }
  /** Lines read, blank ones too. */
  get lines(): number {
    return this.#lines
  }
  /** The first and last time that a record states, in log order. */
  get firstTimestamp(): number | null {
    return this.#firstTimestamp
  }
  get lastTimestamp(): number | null {
    return this.#lastTimestamp
  }
  get model(): string | null {
    return this.#model
  }
  get sessionId(): string | null {
    return this.#sessions.find((run) => run.sessionId !== undefined)?.sessionId ?? null
  }
  /** How often a row was marked so far: while it stays the same, no column given before has changed. */
  get marked(): number {
    return this.#marked
  }
  /** Tool number n stands at n - 1. */
  get tools(): readonly string[] {
    return this.#tools.names
  }
  get tracks(): readonly Track[] {
    return this.#tracks.tracks
  }

  /** Adds the rows of the next line. `at` of an event may be an earlier line, whose last word this one was. */
  addLine(read: ReadLine): void {
    if (read.at.file === undefined) this.#lines = read.at.line
    if (read.blank && read.issues.length === 0) return
    let own = -1
    for (const event of read.events) {
      if (own < 0 && event.at.offset === read.at.offset && event.at.file === read.at.file) own = this.rows
      this.addEvent(event)
    }
    if (own < 0) {
      own = this.rows
      this.#addRow(read.at, recordKind, undefined, this.#tracks.knownNumberOf(read.trackId), read.timestamp)
    }
    if (read.issues.length > 0) this.#addIssues(own, read)
    if (read.marks !== undefined) this.addMarks(read.marks)
  }

  /** Marks the rows of lines added before. */
  addMarks(marks: readonly LineMark[]): void {
    for (const { at, mark } of marks) {
      const first = this.#files.firstRowOf(at, this.#offset)
      if (first < 0) continue
      for (let row = first; row < this.rows && this.#isAt(row, at); row++) {
        if (!this.#apart.has(row)) this.#markRow(row, rowMarks.indexOf(mark))
      }
      const follower = this.#followers.get(first)
      if (follower !== undefined) this.#markRow(follower, rowMarks.indexOf(mark))
    }
  }

  /** Adds the row of one event, also one that only the end of the source revealed. */
  addEvent(event: FoldedEvent): void {
    const { draft } = event
    const row = this.rows
    this.#rememberSession(row, draft.sessionId ?? event.sessionId, event.idScope)
    this.#rememberTime(event)
    const track = this.#tracks.numberOf(draft.trackId ?? event.trackId)
    this.#addRow(event.at, rowKinds.indexOf(rowKindOf(draft)), event, track)
    this.#rowOfSeq.push(row)
    if (event.body < 0) this.#kept.set(row, draft)
    if (event.markedWith !== undefined) this.#setApart(row, event.markedWith)
    if (event.joinedTo !== undefined) this.#joinedTo.set(row, event.joinedTo)
    if (draft.type === 'session.started' || draft.type === 'turn.completed') this.#model ??= draft.model ?? null
    if (draft.type === 'tool.started') {
      this.#tool.set(row, this.#tools.numberOf(draft.toolName.slice(0, maxToolName)))
      this.#calls.set(scopedId(event.idScope, draft.toolId), row)
      this.#tracks.called(scopedId(event.idScope, draft.toolId), draft.input, track)
    } else if (draft.type === 'tool.completed') this.#linkResult(row, scopedId(event.idScope, draft.toolId))
    else if (draft.type === 'text' && draft.role === 'user') this.#tracks.prompted(track, draft.text)
  }

  /** Columns of rows `from` … `from + count`, fewer where the log ends. Copies. */
  columns(from: number, count: number): ColumnSlice {
    const start = Math.min(from, this.rows)
    const taken = Math.min(count, this.rows - start)
    const pair = new Int32Array(taken)
    for (let i = 0; i < taken; i++) pair[i] = this.callOf(start + i)
    return {
      from: start,
      count: taken,
      kind: this.#kind.slice(start, taken),
      severity: this.#severity.slice(start, taken),
      issues: this.#issueCount.slice(start, taken),
      time: this.#time.slice(start, taken),
      line: this.#line.slice(start, taken),
      seq: this.#seq.slice(start, taken),
      tool: this.#tool.slice(start, taken),
      track: this.#track.slice(start, taken),
      pair: pair.buffer,
      mark: this.#mark.slice(start, taken)
    }
  }

  /** Where the line of a row stands in the source. `row` must be below `rows`. */
  place(row: number): LinePosition {
    const place = { line: this.#line.at(row), offset: this.#offset.at(row), length: this.#length.at(row) }
    const file = this.#files.fileOf(row)
    return file === undefined ? place : { file, ...place }
  }

  /** Of an event whose text stands in pieces: where the last one's line ends; undefined for any other row. */
  joinedTo(row: number): number | undefined {
    return this.#joinedTo.get(row)
  }

  /** -1 for a row that is no event. */
  seqOf(row: number): number {
    return row < this.rows ? this.#seq.at(row) : -1
  }

  /** The row of event `seq`; `seq` must be below `events`. */
  rowOf(seq: number): number {
    return this.#rowOfSeq.at(seq)
  }

  /** The track of a row, an index in `tracks`. */
  trackAt(row: number): number {
    return this.#track.at(row)
  }

  /**
   * The event of a row, its draft taken from the line's drafts as decoded again (of a text in pieces from `joinedDraft`); null if the
   * row is no event.
   */
  eventAt(row: number, drafts: readonly EventDraft[]): FoldedEvent | null {
    if (this.seqOf(row) < 0) return null
    const body = this.#body.at(row)
    const draft = body < 0 ? this.#kept.get(row) : drafts[body]
    if (!draft) return null
    const clock = clocks[this.#clock.at(row)]
    const { sessionId, idScope } = this.#sessionOf(row)
    const trackId = this.tracks[this.#track.at(row)]?.trackId ?? undefined
    const timestamp = this.#time.at(row)
    const joinedTo = this.#joinedTo.get(row)
    return {
      at: this.place(row),
      ordinal: this.#ordinal.at(row),
      draft,
      body,
      ...(joinedTo === undefined ? undefined : { joinedTo }),
      timestamp: Number.isNaN(timestamp) ? 0 : timestamp,
      ...(clock === undefined || clock === 'record' ? undefined : { timestampFrom: clock }),
      ...(sessionId === undefined ? undefined : { sessionId }),
      ...(trackId === undefined ? undefined : { trackId }),
      ...(idScope === undefined ? undefined : { idScope })
    }
  }

  /** Of a tool's result the row of its call; -1 if it is none or the call is not in the log. */
  callOf(row: number): number {
    return this.#kind.at(row) === toolKind ? -1 : this.#link.at(row)
  }

  /** The rows of a call's results, the one that counts first: the last one read. */
  resultsOf(call: number): number[] {
    const rows: number[] = []
    if (this.#kind.at(call) !== toolKind) return rows
    for (let row: number | undefined = this.#link.at(call); row !== undefined && row >= 0;) {
      rows.push(row)
      row = this.#formerResult.get(row)
    }
    return rows
  }

  #addRow(at: LinePosition, kind: number, event?: FoldedEvent, track = 0, recordTime = NaN): void {
    this.#files.add(this.rows, at)
    this.#kind.push(kind)
    this.#mark.push(0)
    this.#severity.push(0)
    this.#issueCount.push(0)
    this.#time.push(event ? (hasTime(event) ? event.timestamp : NaN) : recordTime)
    this.#line.push(at.line)
    this.#offset.push(at.offset)
    this.#length.push(at.length)
    this.#ordinal.push(event?.ordinal ?? 0)
    this.#body.push(event?.body ?? -1)
    this.#seq.push(event ? this.events : -1)
    this.#tool.push(0)
    this.#track.push(track)
    this.#clock.push(event ? clocks.indexOf(clockOf(event)) : 0)
    this.#link.push(-1)
  }

  #setApart(row: number, from: LinePosition | null): void {
    this.#apart.add(row)
    const first = from === null ? -1 : this.#files.firstRowOf(from, this.#offset)
    if (from === null || first < 0) return
    this.#followers.set(first, row)
    for (let other = first; other < row && this.#isAt(other, from); other++) {
      if (!this.#apart.has(other) && this.#mark.at(other) !== 0) this.#markRow(row, this.#mark.at(other))
    }
  }

  #markRow(row: number, mark: number): void {
    this.#mark.set(row, mark)
    this.#marked++
  }

  #isAt(row: number, at: LinePosition): boolean {
    return this.#offset.at(row) === at.offset && this.#files.fileOf(row) === at.file
  }

  #addIssues(row: number, read: ReadLine): void {
    let worst = 0
    for (const issue of read.issues) worst = Math.max(worst, severityRank(this.issues.add(row, issue)))
    this.#severity.set(row, worst)
    this.#issueCount.set(row, Math.min(read.issues.length, 0xffff))
  }

  #linkResult(row: number, toolId: string): void {
    const call = this.#calls.get(toolId)
    if (call === undefined) return
    const former = this.#link.at(call)
    if (former >= 0) this.#formerResult.set(row, former)
    this.#link.set(call, row)
    this.#link.set(row, call)
    this.#tool.set(row, this.#tool.at(call))
  }

  #rememberSession(row: number, sessionId: string | undefined, idScope: string | undefined): void {
    const last = this.#sessions.at(-1)
    if (last === undefined || last.sessionId !== sessionId || last.idScope !== idScope)
      this.#sessions.push({ row, sessionId, idScope })
  }

  #sessionOf(row: number): { sessionId: string | undefined; idScope: string | undefined } {
    let low = 0
    let high = this.#sessions.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sessions[middle]?.row ?? 0) <= row) low = middle + 1
      else high = middle
    }
    return this.#sessions[low - 1] ?? { sessionId: undefined, idScope: undefined }
  }

  #rememberTime(event: FoldedEvent): void {
    if (clockOf(event) !== 'record' || !hasTime(event)) return
    this.#firstTimestamp ??= event.timestamp
    this.#lastTimestamp = event.timestamp
  }
}

/** 0 is what an event has when neither its record nor an earlier one states a time. */
function hasTime(event: FoldedEvent): boolean {
  return event.timestamp !== 0 && !Number.isNaN(event.timestamp)
}

function clockOf(event: FoldedEvent): (typeof clocks)[number] {
  return event.draft.timestampFrom ?? event.timestampFrom ?? 'record'
}
