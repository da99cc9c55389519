import type { Text, ToolCompleted } from '../events/agent-event.ts'
import { StatedTimes, statedTime } from '../events/stated-times.ts'
import type { ReadLine } from '../formats/folded-lines.ts'
import { type EventDraft, type FoldedEvent, type LineMark, type LinePosition, scopedId } from '../formats/log-format.ts'
import { Column } from '../column.ts'
import { RowLinks } from '../row-links.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { TextTuples } from '../text-tuples.ts'
import { CallRows } from './call-rows.ts'
import { EventRows } from './event-rows.ts'
import { FileRows } from './file-rows.ts'
import { Interned } from './interned.ts'
import { shownIssues } from '../formats/issue.ts'
import { IssueList, severityRank } from './issue-list.ts'
import { KeptDrafts } from './kept-drafts.ts'
import { LaterCalls } from './later-calls.ts'
import { numberOfKind, rowKindOf, rowKinds } from './row-kind.ts'
import { rowMarks } from './row-mark.ts'
import { RowTimes } from './row-times.ts'
import { type Track, TrackList } from './track-list.ts'

// Each progress notice sends the names to the page, so their number is limited.
const maxTools = 1000
const maxToolName = 120
/** Rows searched backwards for the start of a request. */
const maxRowsBack = 1000
/** Results of one call searched for its duration. */
const maxDeliveries = 8
// Formats have a handful.
const maxTodoTools = 200

const clocks = ['record', 'previous', 'observed'] as const
const recordClock = clocks.indexOf('record')
const toolKind = rowKinds.indexOf('tool')
const todoKind = rowKinds.indexOf('todo')
const recordKind = rowKinds.indexOf('record')
const failedKind = rowKinds.indexOf('tool-error')

/** 1 for calls, and for their results. */
const callByKind = Uint8Array.from(rowKinds, (kind) => (kind === 'tool' ? 1 : 0))
const resultByKind = Uint8Array.from(rowKinds, (kind) => (kind === 'tool-result' || kind === 'tool-error' ? 1 : 0))

// One byte holds a kind and a clock.
const clockShift = 6
const kindMask = 0x3f
// One byte holds a severity, a mark, `apartFlag` (the row's mark is independent of its line's) and `statedFlag`.
const severityMask = 0x03
const markShift = 2
const markMask = 0x0c
const apartFlag = 0x10
/** Of a result: the log states the duration. */
const statedFlag = 0x20
/** Ordinals and bodies from here on are in sparse numbers; the column stores a body plus 1. */
const largeNumber = 0xff

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
  readonly took: ArrayBuffer
  readonly mark: ArrayBuffer
}

/**
 * Every row of a log, in columns: about 27 bytes a row, no objects, no text. A run in several files costs 6 more, a
 * call 20 more, a result with a known duration 12 more. Bodies are read again from the source by `place`. A row is an
 * event, or a line that is not blank and has no event. Rows are in reading order: log order except for events that a
 * later line revealed.
 */
export class EventIndex {
  readonly issues = new IssueList()
  private linesRead = 0
  private readonly stated = new StatedTimes()
  private firstModel: string | null = null
  private firstSession: string | null = null
  private firstAgent: string | null = null
  private timesMarked = 0
  private callsFailed = 0

  private readonly kinds = new Column('uint8')
  private readonly flags = new Column('uint8')
  private readonly times = new RowTimes()
  private readonly lineNumbers = new Column('uint32')
  private readonly lengths = new Column('uint32')
  private readonly ordinals = new Column('uint8')
  private readonly largeOrdinals = new SparseNumbers('uint32')
  private readonly bodies = new Column('uint8')
  private readonly largeBodies = new SparseNumbers('uint32')
  private readonly toolNumbers = new Column('uint16')
  private readonly trackNumbers = new Column('uint16')
  /** From a tool call to its last result, and from a result or a text about it to the call. A todo list stands in for its call. */
  private readonly links = new RowLinks('uint16')
  private readonly laterCalls = new LaterCalls()
  /** From each repeated result of a call to the previous one. */
  private readonly formerResults = new SparseNumbers('uint32')
  /** The tool of a todo tool's result; no `tool.started` names it. */
  private readonly todoTools = new SparseNumbers('uint8')
  private readonly todoToolNames = new Interned(maxTodoTools, 'further todo tools')
  /** By result: duration of the call in ms, if known. */
  private readonly durations = new SparseNumbers('float64')

  private readonly eventRows = new EventRows()
  private readonly calls = new CallRows()
  private readonly files = new FileRows()
  private readonly toolNames = new Interned(maxTools, 'further tools')
  private readonly trackList = new TrackList()
  /** `FoldedEvent.joinedTo` by row, of texts in pieces. */
  private readonly joinedEnds = new SparseNumbers('float64')
  /** Drafts that cannot be read again from the row's line. */
  private readonly kept = new KeptDrafts()
  /** Rows marked with another line (`FoldedEvent.markedWith`), by the first row of that line. */
  private readonly followers = new SparseNumbers('uint32')
  /** Session, id scope and agent, stored at the rows where they change. */
  private readonly sessionStarts = new Column('uint32', 8)
  private readonly sessionNumbers = new Column('uint32', 8)
  private readonly sessions = new TextTuples()
  private lastSession: readonly (string | undefined)[] = []

  get rows(): number {
    return this.kinds.length
  }
  get events(): number {
    return this.eventRows.length
  }
  /** Lines read, including blank ones. */
  get lines(): number {
    return this.linesRead
  }
  /** The earliest and the latest time that the records of events state. */
  get firstTimestamp(): number | null {
    return this.stated.begin
  }
  get lastTimestamp(): number | null {
    return this.stated.end
  }
  get model(): string | null {
    return this.firstModel
  }
  get sessionId(): string | null {
    return this.firstSession
  }
  /** The agent that events name first. */
  get agentType(): string | null {
    return this.firstAgent
  }
  /** Number of marks set so far. While it is unchanged, columns returned before are still valid. */
  get marked(): number {
    return this.timesMarked
  }
  /** Failed calls so far. As in `CallCounts`, the first result of a call counts. */
  get failedCalls(): number {
    return this.callsFailed
  }
  /** Tool number n is at n - 1. */
  get tools(): readonly string[] {
    return this.toolNames.names
  }
  get tracks(): readonly Track[] {
    return this.trackList.tracks
  }

  /** Adds the rows of the next line. `at` of an event may be an earlier line that this one completed. */
  addLine(read: ReadLine): void {
    if (read.at.file === undefined) this.linesRead = read.at.line
    if (read.blank && read.issues.length === 0) return
    let own = -1
    for (const event of read.events) {
      if (own < 0 && event.at.offset === read.at.offset && event.at.file === read.at.file) own = this.rows
      this.addEvent(event)
    }
    if (own < 0) {
      own = this.rows
      this.addRow(read.at, recordKind, this.trackList.knownNumberOf(read.trackId), read.timestamp ?? NaN)
      this.eventRows.push(false)
    }
    if (read.issues.length > 0) this.addIssues(own, read)
    if (read.marks !== undefined) this.addMarks(read.marks)
  }

  /** Marks the rows of lines added before. */
  addMarks(marks: readonly LineMark[]): void {
    for (const { at, mark } of marks) {
      const first = this.files.firstRowOf(at)
      if (first < 0) continue
      for (let row = first; row < this.rows && this.files.isAt(row, at); row++) {
        if ((this.flags.at(row) & apartFlag) === 0) this.markRow(row, rowMarks.indexOf(mark))
      }
      const follower = this.followers.at(first)
      if (follower !== undefined) this.markRow(follower, rowMarks.indexOf(mark))
    }
  }

  /** Adds the row of one event, including events revealed only by the end of the source. */
  addEvent(event: FoldedEvent): void {
    const { draft } = event
    const row = this.rows
    this.firstAgent ??= draft.agentType ?? event.agentType ?? null
    this.rememberSession(row, draft.sessionId ?? event.sessionId, event.idScope, event.agentType)
    this.rememberTime(event)
    const track = this.trackList.numberOf(draft.trackId ?? event.trackId)
    const kind = numberOfKind[rowKindOf(draft)] | (clocks.indexOf(clockOf(event)) << clockShift)
    this.addRow(event.at, kind, track, hasTime(event) ? event.timestamp : NaN, event.ordinal, event.body)
    this.eventRows.push(true)
    if (event.body < 0) this.kept.add(row, draft)
    if (event.markedWith !== undefined) this.linkMark(row, event.markedWith)
    if (event.joinedTo !== undefined) this.joinedEnds.set(row, event.joinedTo)
    if (draft.type === 'session.started' || draft.type === 'turn.completed') this.firstModel ??= draft.model ?? null
    if (draft.type === 'tool.started') {
      const id = scopedId(event.idScope, draft.toolId)
      this.toolNumbers.set(row, this.toolNames.numberOf(draft.toolName.slice(0, maxToolName)))
      this.calls.set(id, row)
      this.laterCalls.arrive(id, row)
      this.trackList.onToolCall(id, draft.input, track, row)
    } else if (draft.type === 'tool.completed') this.addResult(row, draft, event)
    else if (draft.type === 'todo_list') this.addTodoCall(row, scopedId(event.idScope, draft.todoId))
    else if (draft.type === 'text') this.addText(row, draft, track, event)
  }

  /** Copies of the columns of rows `from` … `from + count`, fewer at the end of the log. */
  columns(from: number, count: number): ColumnSlice {
    const start = Math.min(from, this.rows)
    const taken = Math.min(count, this.rows - start)
    const severity = this.severities(start, new Uint8Array(taken))
    const mark = new Uint8Array(taken)
    const issues = new Uint16Array(taken)
    const pair = new Int32Array(taken)
    const took = new Float64Array(taken)
    for (let i = 0; i < taken; i++) {
      const row = start + i
      mark[i] = this.markAt(row)
      if (severity[i] !== 0) issues[i] = Math.min(this.issues.countOf(row), 0xffff)
      pair[i] = this.callOf(row)
      took[i] = this.tookOf(row)
    }
    return {
      from: start,
      count: taken,
      kind: this.kindsOf(start, new Uint8Array(taken)).buffer,
      severity: severity.buffer,
      issues: issues.buffer,
      time: this.timesOf(start, new Float64Array(taken)).buffer,
      line: this.lineNumbers.slice(start, taken),
      seq: this.seqsOf(start, new Int32Array(taken)).buffer,
      tool: this.toolNumbers.slice(start, taken),
      track: this.trackNumbers.slice(start, taken),
      pair: pair.buffer,
      took: took.buffer,
      mark: mark.buffer
    }
  }

  // What the method for one row gives for each of the rows from `from` on, which must exist. Fills `into` and returns it.

  kindsOf(from: number, into: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return masked(this.kinds.copy(from, into), kindMask)
  }

  /** 0: the row has no issues. */
  severities(from: number, into: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return masked(this.flags.copy(from, into), severityMask)
  }

  tracksOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.trackNumbers.copy(from, into)
  }

  toolsOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.toolNumbers.copy(from, into)
  }

  linesOf(from: number, into: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    return this.lineNumbers.copy(from, into)
  }

  lengthsOf(from: number, into: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
    return this.lengths.copy(from, into)
  }

  /** Where their lines begin, in bytes. */
  offsetsOf(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    return this.files.offsetsOf(from, into)
  }

  /** The files of their lines, as `fileNamed` knows them. */
  filesOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.files.numbersOf(from, into)
  }

  seqsOf(from: number, into: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
    return this.eventRows.copy(from, into)
  }

  timesOf(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    return this.times.copy(from, into)
  }

  /** NaN where the row's own record states none. */
  statedTimes(from: number, into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const kinds = this.kinds.copy(from, new Uint8Array(into.length))
    this.timesOf(from, into)
    for (let i = 0; i < into.length; i++) if ((kinds[i] ?? 0) >> clockShift !== recordClock) into[i] = NaN
    return into
  }

  /** The distance to the row that each is linked to: of a call its last result. 0: none; from `farLink` on it is farther. */
  linkDistancesOf(from: number, into: Uint16Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
    return this.links.distancesOf(from, into)
  }

  get farLink(): number {
    return this.links.far
  }

  // The same for links. `kinds`: of these rows. Without branches on them, which no processor foresees.

  /** The last result of each call; each result itself. -1 for other rows. */
  lastResultsOf(from: number, kinds: Uint8Array, into: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
    const { links } = this
    const { far } = links
    const distances = links.distancesOf(from, new Uint16Array(into.length))
    for (let i = 0; i < into.length; i++) {
      const kind = kinds[i] ?? 0
      const isCall = callByKind[kind] ?? 0
      const distance = (distances[i] ?? 0) * isCall
      const has = (resultByKind[kind] ?? 0) | (distance === 0 ? 0 : 1)
      if (distance < far) into[i] = ((from + i + distance) & -has) | (has - 1)
      else into[i] = links.after(from + i)
    }
    return into
  }

  /** The call of each result, or the todo list that stands in for it; each call itself. -1 for other rows. */
  callsOf(from: number, kinds: Uint8Array, into: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
    const { links } = this
    const { far } = links
    const distances = links.distancesOf(from, new Uint16Array(into.length))
    for (let i = 0; i < into.length; i++) {
      const kind = kinds[i] ?? 0
      const distance = (distances[i] ?? 0) * (resultByKind[kind] ?? 0)
      const has = (callByKind[kind] ?? 0) | (distance === 0 ? 0 : 1)
      if (distance < far) into[i] = ((from + i - distance) & -has) | (has - 1)
      else into[i] = links.before(from + i)
    }
    return into
  }

  /** The position of a row's line in the source. `row` must be below `rows`. */
  place(row: number): LinePosition {
    const place = { line: this.lineNumbers.at(row), offset: this.files.offsetOf(row), length: this.lengths.at(row) }
    const file = this.files.fileOf(row)
    return file === undefined ? place : { file, ...place }
  }

  /** The name of a file by its number in `filesOf`; undefined for the main one. */
  fileNamed(number: number): string | undefined {
    return this.files.nameOf(number)
  }

  /** For a text in pieces: the end of the last piece's line. Otherwise undefined. */
  joinedTo(row: number): number | undefined {
    return this.joinedEnds.at(row)
  }

  /** -1 if the row is not an event. */
  seqOf(row: number): number {
    return this.eventRows.seqOf(row)
  }

  /** The row of event `seq`; `seq` must be below `events`. */
  rowOf(seq: number): number {
    return this.eventRows.rowOf(seq)
  }

  /** The track of a row, an index in `tracks`. */
  trackAt(row: number): number {
    return this.trackNumbers.at(row)
  }

  /** The event of a row, or null. `drafts`: of its line (of a text in pieces from `joinedDraft`). */
  eventAt(row: number, drafts: readonly EventDraft[]): FoldedEvent | null {
    if (this.seqOf(row) < 0) return null
    const body = this.bodyOf(row)
    const draft = body < 0 ? this.kept.at(row) : drafts[body]
    if (!draft) return null
    const clock = clocks[this.kinds.at(row) >> clockShift]
    const [sessionId, idScope, agentType] = this.sessionOf(row)
    const trackId = this.tracks[this.trackNumbers.at(row)]?.trackId ?? undefined
    const timestamp = this.times.at(row)
    const joinedTo = this.joinedEnds.at(row)
    return {
      at: this.place(row),
      ordinal: this.largeOrdinals.at(row) ?? this.ordinals.at(row),
      draft,
      body,
      ...(joinedTo === undefined ? undefined : { joinedTo }),
      ...this.callFacts(row, draft),
      timestamp: Number.isNaN(timestamp) ? 0 : timestamp,
      ...(clock === undefined || clock === 'record' ? undefined : { timestampFrom: clock }),
      ...(sessionId === undefined ? undefined : { sessionId }),
      ...(trackId === undefined ? undefined : { trackId }),
      ...(idScope === undefined ? undefined : { idScope }),
      ...(agentType === undefined ? undefined : { agentType })
    }
  }

  /**
   * The first and last event of rows `first` … `last`, -1 if they have none, and their time span. The span begins with
   * the previous event of the track: a request's start has no record of its own. Null if no record states a time. Times go
   * back in real logs: a begin after the end is none.
   */
  spanOf(first: number, last: number): { seqFirst: number; seqLast: number; begin: number | null; end: number | null } {
    const before = this.eventRows.countBefore(first)
    const after = this.eventRows.countBefore(last + 1)
    const isEmpty = before === after
    const begin = this.timeBefore(first)
    const end = this.timeUpTo(first, last)
    return {
      seqFirst: isEmpty ? -1 : before,
      seqLast: isEmpty ? -1 : after - 1,
      begin: begin !== null && end !== null && begin > end ? null : begin,
      end
    }
  }

  private timeUpTo(first: number, last: number): number | null {
    for (let row = last; row >= first && row > last - maxRowsBack; row--) {
      const time = this.statedTime(row)
      if (time !== null) return time
    }
    return null
  }

  private timeBefore(row: number): number | null {
    const track = this.trackAt(row)
    for (let before = row - 1; before >= 0 && before > row - maxRowsBack; before--) {
      if (this.trackAt(before) !== track || this.seqOf(before) < 0) continue
      const time = this.statedTime(before)
      if (time !== null) return time
    }
    return null
  }

  /** The time that a row's own record states; null if it states none. */
  statedTime(row: number): number | null {
    const time = this.times.at(row)
    return clocks[this.kinds.at(row) >> clockShift] === 'record' && !Number.isNaN(time) ? time : null
  }

  /** The time shown for a row, in ms since the epoch, whatever states it; NaN if it is unknown. */
  timeAt(row: number): number {
    return this.times.at(row)
  }

  /** The 1-based line of a row in its file. */
  lineAt(row: number): number {
    return this.lineNumbers.at(row)
  }

  /** Whether two rows are of one line. */
  isSamePlace(row: number, other: number): boolean {
    return (
      this.files.offsetOf(row) === this.files.offsetOf(other) && this.files.fileOf(row) === this.files.fileOf(other)
    )
  }

  /** Bytes of a row's line, without its line end. */
  lengthAt(row: number): number {
    return this.lengths.at(row)
  }

  /** An index in `rowMarks`. */
  markAt(row: number): number {
    return (this.flags.at(row) & markMask) >> markShift
  }

  /** Whether the row has issues. */
  hasIssues(row: number): boolean {
    return (this.flags.at(row) & severityMask) !== 0
  }

  /** The agent that wrote a row, where the log names it for its sessions. */
  agentAt(row: number): string | undefined {
    return this.sessionOf(row)[2]
  }

  /** By row of the log, the agents that the log names for its sessions: each from its row to the next one's. */
  get agentChanges(): { readonly row: number; readonly agent: string | undefined }[] {
    return Array.from({ length: this.sessionStarts.length }, (_, i) => {
      const [, , agent] = this.sessions.at(this.sessionNumbers.at(i))
      return { row: this.sessionStarts.at(i), agent }
    })
  }

  /** The results of rows `from` … `to - 1` that state a duration, and the durations in ms. */
  durationsBetween(from: number, to: number): { readonly rows: Uint32Array; readonly values: Float64Array } {
    return this.durations.between(from, to)
  }

  get hasRepeatedResults(): boolean {
    return this.formerResults.length > 0
  }

  /** Results that repeat an earlier one of their call. */
  get repeatedResults(): Uint32Array {
    return this.formerResults.between(0, this.rows).rows
  }

  /** Reads the result that the one asked about repeats; undefined if it is the first of its call. Fast for rows near each other. */
  formerResultReader(): (result: number) => number | undefined {
    return this.formerResults.reader()
  }

  /** The duration in ms of the call that a result belongs to; NaN if it is unknown. */
  tookAt(result: number): number {
    return this.tookOf(result)
  }

  isCall(row: number): boolean {
    return this.kindAt(row) === toolKind
  }

  /** The number of a row's tool, from 1; 0: none. Tool number n is `tools[n - 1]`. */
  toolNumberAt(row: number): number {
    return this.toolNumbers.at(row)
  }

  /** The row of the call that a result answers or a text is about, or of the todo list of that call; -1 if there is none. */
  callOf(row: number): number {
    if (this.canHaveResults(row)) return -1
    const call = this.links.before(row)
    return call >= 0 ? call : this.laterCalls.of(row)
  }

  /** The results of a call or of a todo list's call, the last one read first. The last one counts. */
  resultsOf(call: number): number[] {
    const rows: number[] = []
    if (!this.canHaveResults(call)) return rows
    for (let row: number | undefined = this.links.after(call); row !== undefined && row >= 0;) {
      rows.push(row)
      row = this.formerResults.at(row)
    }
    return rows
  }

  /** The first result of a call, which counts; -1 if there is none. */
  firstResultOf(call: number): number {
    let first = this.canHaveResults(call) ? this.links.after(call) : -1
    if (first < 0) return -1
    for (let row = this.formerResults.at(first); row !== undefined; row = this.formerResults.at(row)) first = row
    return first
  }

  /** Whether a result is the first of its call. Without a call, it counts if it names its tool. */
  isFirstResult(row: number): boolean {
    return this.callOf(row) < 0 ? this.toolAt(row) !== undefined : this.formerResults.at(row) === undefined
  }

  /** An index in `rowKinds`. */
  kindAt(row: number): number {
    return this.kinds.at(row) & kindMask
  }

  /** The tool of a call or result; undefined if unknown, and for other rows. */
  toolAt(row: number): string | undefined {
    const number = this.toolNumbers.at(row)
    return number === 0 ? undefined : this.toolNames.nameOf(number)
  }

  /** The duration in ms of the call of its first result; undefined if it is unknown, and for other results. */
  durationAt(row: number): number | undefined {
    return this.durations.at(row)
  }

  /** Whether the log states that duration. Else it is the time between the records of call and result. */
  isDurationStated(row: number): boolean {
    return (this.flags.at(row) & statedFlag) !== 0
  }

  /** -1: none. `call`: a call. */
  lastResultOf(call: number): number {
    return this.links.after(call)
  }

  /** Whether a row of its kind can have results. */
  private canHaveResults(row: number): boolean {
    const kind = this.kindAt(row)
    return kind === toolKind || kind === todoKind
  }

  private addRow(at: LinePosition, kind: number, track: number, time: number, ordinal = 0, body = -1): void {
    if (ordinal >= largeNumber) this.largeOrdinals.set(this.rows, ordinal)
    if (body + 1 >= largeNumber) this.largeBodies.set(this.rows, body)
    this.files.add(at)
    this.kinds.push(kind)
    this.flags.push(0)
    this.times.push(time)
    this.lineNumbers.push(at.line)
    this.lengths.push(at.length)
    this.ordinals.push(Math.min(ordinal, largeNumber))
    this.bodies.push(Math.min(body + 1, largeNumber))
    this.toolNumbers.push(0)
    this.trackNumbers.push(track)
    this.links.push()
  }

  private bodyOf(row: number): number {
    const body = this.bodies.at(row) - 1
    return body + 1 < largeNumber ? body : (this.largeBodies.at(row) ?? body)
  }

  private linkMark(row: number, from: LinePosition | null): void {
    this.flags.set(row, this.flags.at(row) | apartFlag)
    const first = from === null ? -1 : this.files.firstRowOf(from)
    if (from === null || first < 0) return
    this.followers.set(first, row)
    for (let other = first; other < row && this.files.isAt(other, from); other++) {
      const flags = this.flags.at(other)
      if ((flags & apartFlag) === 0 && (flags & markMask) !== 0) this.markRow(row, (flags & markMask) >> markShift)
    }
  }

  private markRow(row: number, mark: number): void {
    this.flags.set(row, (this.flags.at(row) & ~markMask) | (mark << markShift))
    this.timesMarked++
  }

  private addIssues(row: number, read: ReadLine): void {
    let worst = 0
    for (const issue of shownIssues(read.issues)) worst = Math.max(worst, severityRank(this.issues.add(row, issue)))
    this.flags.set(row, this.flags.at(row) | worst)
  }

  private addText(row: number, { role, text }: Text, track: number, { callId, idScope }: FoldedEvent): void {
    if (role === 'user') this.trackList.onPrompt(track, text)
    if (callId === undefined) return
    const id = scopedId(idScope, callId)
    const call = this.calls.rowOf(id)
    if (call >= 0) this.links.set(row, call)
    else this.laterCalls.await(id, row)
  }

  private addResult(row: number, draft: ToolCompleted, { idScope, toolName, tookMs }: FoldedEvent): void {
    const durationMs = draft.durationMs ?? tookMs
    if (durationMs !== undefined) this.durations.set(row, durationMs)
    if (durationMs !== undefined && (draft.durationFrom ?? 'records') === 'stated') {
      this.flags.set(row, this.flags.at(row) | statedFlag)
    }
    const call = this.calls.rowOf(scopedId(idScope, draft.toolId))
    const tool = draft.toolName ?? toolName
    if (tool !== undefined) this.toolNumbers.set(row, this.toolNames.numberOf(tool.slice(0, maxToolName)))
    if (toolName !== undefined) this.todoTools.set(row, this.todoToolNames.numberOf(toolName))
    const former = call < 0 ? -1 : this.links.after(call)
    const isFirst = call < 0 ? tool !== undefined : former < 0
    if (isFirst && this.kindAt(row) === failedKind) this.callsFailed++
    if (call < 0) return
    if (former >= 0) this.formerResults.set(row, former)
    this.links.set(call, row)
    this.links.set(row, call)
    if (tool === undefined) this.toolNumbers.set(row, this.toolNumbers.at(call))
  }

  /** A repeated result has no duration; the first one has. */
  private tookOf(row: number): number {
    let at: number | undefined = row
    for (let step = 0; at !== undefined && step < maxDeliveries; at = this.formerResults.at(at), step++) {
      const ms = this.durations.at(at)
      if (ms !== undefined) return ms
    }
    return NaN
  }

  /** If a script wrote the list, the script's call gets the result. A list on its result's line is not a call. */
  private addTodoCall(row: number, id: string): void {
    const call = this.calls.rowOf(id)
    const result = call < 0 ? -1 : this.links.after(call)
    if (call >= 0 && result < 0 && this.isCall(call)) return
    if (result < 0 || !this.files.isAt(result, this.place(row))) this.calls.set(id, row)
  }

  /** What a result takes from its call. */
  private callFacts(row: number, draft: EventDraft): Pick<FoldedEvent, 'toolName' | 'tookMs'> {
    if (draft.type !== 'tool.completed') return {}
    const tool = this.todoTools.at(row)
    const toolName = tool === undefined ? undefined : this.todoToolNames.nameOf(tool)
    const tookMs = draft.durationMs === undefined ? this.durations.at(row) : undefined
    return {
      ...(toolName === undefined ? undefined : { toolName }),
      ...(tookMs === undefined ? undefined : { tookMs })
    }
  }

  private rememberSession(
    row: number,
    sessionId: string | undefined,
    idScope: string | undefined,
    agentType: string | undefined
  ): void {
    const [session, scope, agent] = this.lastSession
    if (session === sessionId && scope === idScope && agent === agentType) return
    const number = this.sessions.numberOf(sessionId, idScope, agentType)
    this.lastSession = this.sessions.at(number)
    this.firstSession ??= sessionId ?? null
    this.sessionStarts.push(row)
    this.sessionNumbers.push(number)
  }

  private sessionOf(row: number): readonly (string | undefined)[] {
    const number = this.sessionStarts.firstFrom(row + 1) - 1
    return number < 0 ? [] : this.sessions.at(this.sessionNumbers.at(number))
  }

  private rememberTime(event: FoldedEvent): void {
    this.stated.add(statedTime({ timestamp: event.timestamp, timestampFrom: clockOf(event) }))
  }
}

/** An event has 0 if neither its record nor an earlier one states a time. */
function hasTime(event: FoldedEvent): boolean {
  return event.timestamp !== 0 && !Number.isNaN(event.timestamp)
}

function clockOf(event: FoldedEvent): (typeof clocks)[number] {
  return event.draft.timestampFrom ?? event.timestampFrom ?? 'record'
}

function masked(numbers: Uint8Array<ArrayBuffer>, mask: number): Uint8Array<ArrayBuffer> {
  for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] ?? 0) & mask
  return numbers
}
