import type { Result } from '#contract/methods.ts'
import type { RowMark } from '#core/formats/log-format.ts'
import { firstWhere } from '#core/first-where.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { rowMarks } from '#core/index/row-mark.ts'
import { grown } from './grown.ts'

/** `log.columns` severity values: 0 none, then the worst of the row's issues. */
export const severityNames = ['none', 'notice', 'violation', 'malformed'] as const
export type SeverityName = (typeof severityNames)[number]

type ColumnsPage = Result<'log.columns'>

const firstCapacity = 4096
const resultKind = rowKinds.indexOf('tool-result')
const failedKind = rowKinds.indexOf('tool-error')
const recordKind = rowKinds.indexOf('record')
const errorKind = rowKinds.indexOf('error')
const unparsedKind = rowKinds.indexOf('unparsed')
const malformed = severityNames.indexOf('malformed')

/** The rows of a log as typed arrays that are replaced when they grow. The first `rows` (or `events`) entries count. */
export class LogColumns {
  rows = 0
  events = 0
  /** Index in `rowKinds`. */
  kind = new Uint8Array(firstCapacity)
  /** Index in `severityNames`. */
  severity = new Uint8Array(firstCapacity)
  /** Number of issues. */
  issues = new Uint16Array(firstCapacity)
  /** Milliseconds since the epoch; NaN if unknown. */
  time = new Float64Array(firstCapacity)
  /** 1-based line number in the row's own file. */
  line = new Uint32Array(firstCapacity)
  /** The file of the line: 0 for the log itself, n for file n - 1 of `LogStatus.files`. */
  file = new Uint16Array(firstCapacity)
  /** -1: a record without an event. */
  seq = new Int32Array(firstCapacity)
  /** 1-based index in `LogStatus.tools`; 0 for none. */
  tool = new Uint16Array(firstCapacity)
  /** Index in `LogStatus.tracks`; 0 for the main agent. */
  track = new Uint16Array(firstCapacity)
  /** Index in `rowMarks`. Changes when a later line marks the row. */
  mark = new Uint8Array(firstCapacity)
  /** Of a completion or a text about a call, the row of its start; of a start, the row of its last completion; else -1. */
  pairOf = new Int32Array(firstCapacity)
  /** Of a completion, the duration of the call in ms; NaN if unknown. */
  durationMs = new Float64Array(firstCapacity)
  /** The row of each event, by seq. Ascending. */
  rowOfSeq = new Int32Array(firstCapacity)
  /** The earlier completion of the same call, by completion. Rare, so not a column. */
  readonly #replaced = new Map<number, number>()
  /** Rows for which every column has space. */
  #capacity = firstCapacity

  /** Adds the next page. False if it does not start at the end. */
  append(page: ColumnsPage): boolean {
    if (page.from !== this.rows || page.count === 0) return false
    const from = this.rows
    const rows = from + page.count
    for (const _ of this.growTo(rows));
    this.kind.set(new Uint8Array(page.kind, 0, page.count), from)
    this.severity.set(new Uint8Array(page.severity, 0, page.count), from)
    this.issues.set(new Uint16Array(page.issues, 0, page.count), from)
    this.time.set(new Float64Array(page.time, 0, page.count), from)
    this.line.set(new Uint32Array(page.line, 0, page.count), from)
    this.seq.set(new Int32Array(page.seq, 0, page.count), from)
    this.tool.set(new Uint16Array(page.tool, 0, page.count), from)
    this.track.set(new Uint16Array(page.track, 0, page.count), from)
    this.mark.set(new Uint8Array(page.mark, 0, page.count), from)
    this.file.set(new Uint16Array(page.file, 0, page.count), from)
    this.pairOf.set(new Int32Array(page.pair, 0, page.count), from)
    this.durationMs.set(new Float64Array(page.took, 0, page.count), from)
    this.rows = rows
    for (let row = from; row < rows; row++) this.#link(row)
    return true
  }

  /** Makes space for `rows` rows, a column per step: copying all columns at once would block the page. */
  *growTo(rows: number): Generator<void> {
    if (rows <= this.#capacity) return
    const capacity = Math.max(rows, this.#capacity * 2)
    yield void (this.kind = grown(this.kind, new Uint8Array(capacity)))
    yield void (this.severity = grown(this.severity, new Uint8Array(capacity)))
    yield void (this.issues = grown(this.issues, new Uint16Array(capacity)))
    yield void (this.time = grown(this.time, new Float64Array(capacity)))
    yield void (this.line = grown(this.line, new Uint32Array(capacity)))
    yield void (this.file = grown(this.file, new Uint16Array(capacity)))
    yield void (this.seq = grown(this.seq, new Int32Array(capacity)))
    yield void (this.tool = grown(this.tool, new Uint16Array(capacity)))
    yield void (this.track = grown(this.track, new Uint16Array(capacity)))
    yield void (this.mark = grown(this.mark, new Uint8Array(capacity)))
    yield void (this.pairOf = grown(this.pairOf, new Int32Array(capacity)))
    yield void (this.durationMs = grown(this.durationMs, new Float64Array(capacity)))
    yield void (this.rowOfSeq = grown(this.rowOfSeq, new Int32Array(capacity)))
    this.#capacity = capacity
  }

  /** Removes the rows from `row` on. */
  truncate(row: number): void {
    if (row >= this.rows) return
    for (let gone = this.rows - 1; gone >= row; gone--) this.#unlink(gone)
    this.rows = row
    this.events = this.seqAtOrBefore(row - 1) + 1
  }

  /** The row's kind; `record` for an unknown one. */
  kindAt(row: number): RowKind {
    return rowKinds[this.kind[row] ?? 0] ?? 'record'
  }

  /** Why the row does not count; null if it does. */
  markAt(row: number): RowMark | null {
    return rowMarks[this.mark[row] ?? 0] ?? null
  }

  /** Sets the marks of loaded rows. False if none has changed. */
  setMarks({ from, count, mark }: Pick<ColumnsPage, 'from' | 'count' | 'mark'>): boolean {
    const marks = new Uint8Array(mark, 0, Math.max(0, Math.min(count, this.rows - from)))
    const changed = marks.some((value, index) => value !== this.mark[from + index])
    if (changed) this.mark.set(marks, from)
    return changed
  }

  /** The call of a result; -1 for other rows, and for a result without one. */
  callOf(row: number): number {
    const kind = this.kind[row]
    return kind === resultKind || kind === failedKind ? (this.pairOf[row] ?? -1) : -1
  }

  /**
   * The row whose line may show `row` too: the call of a result, or the error about a line that is not JSON, of which `row`
   * is the text. -1 for other rows.
   */
  partnerOf(row: number): number {
    if (this.kind[row] !== unparsedKind) return this.callOf(row)
    const error = row - 1
    const isOfLine = this.line[error] === this.line[row] && this.file[error] === this.file[row]
    return isOfLine && this.kind[error] === errorKind ? error : -1
  }

  /** Whether a row tells its issue itself, as there is little else to say of a line that is not JSON. */
  tellsIssue(row: number): boolean {
    const kind = this.kind[row]
    return this.severity[row] === malformed && (kind === errorKind || kind === unparsedKind || kind === recordKind)
  }

  /** Of a failed call and its completion: the call's row, or the completion's if it has no call. Else -1. */
  failedCallAt(row: number): number {
    const kind = this.kind[row]
    const isCompletion = kind === resultKind || kind === failedKind
    const call = isCompletion ? (this.pairOf[row] ?? -1) : row
    if (call < 0) return kind === failedKind && this.tool[row] !== 0 ? row : -1
    return this.kind[this.firstCompletionOf(call)] === failedKind ? call : -1
  }

  /** The completion that is the result of a call; later ones repeat it. -1 for none. */
  firstCompletionOf(call: number): number {
    let first = this.pairOf[call] ?? -1
    for (let earlier = this.#replaced.get(first); earlier !== undefined;) {
      first = earlier
      earlier = this.#replaced.get(first)
    }
    return first
  }

  severityAt(row: number): SeverityName {
    return severityNames[this.severity[row] ?? 0] ?? 'none'
  }

  /** The last event at or before `row`; -1 for none. */
  seqAtOrBefore(row: number): number {
    return firstWhere(this.events, (seq) => (this.rowOfSeq[seq] ?? 0) > row) - 1
  }

  /** The row of the last event; of a log without events, the last row; -1 without rows. */
  lastRow(): number {
    return this.events > 0 ? (this.rowOfSeq[this.events - 1] ?? -1) : this.rows - 1
  }

  /** The time of event `seq`; null if unknown. */
  timeOfSeq(seq: number): number | null {
    const row = seq >= 0 && seq < this.events ? this.rowOfSeq[seq] : undefined
    const time = row === undefined ? undefined : this.time[row]
    return time === undefined || Number.isNaN(time) ? null : time
  }

  /** The row of the first event at or after `time`; -1 for none. */
  rowAtTime(time: number): number {
    for (let seq = 0; seq < this.events; seq++) {
      const row = this.rowOfSeq[seq] ?? 0
      if ((this.time[row] ?? NaN) >= time) return row
    }
    return -1
  }

  /** The first row at or after `line` of a file; -1 for none. `file`: 0 for the log itself. */
  rowAtLine(line: number, file = 0): number {
    for (let row = 0; row < this.rows; row++) if (this.file[row] === file && (this.line[row] ?? 0) >= line) return row
    return -1
  }

  #link(row: number): void {
    const seq = this.seq[row] ?? -1
    if (seq >= 0 && seq < this.rows) {
      this.rowOfSeq[seq] = row
      if (seq >= this.events) this.events = seq + 1
    }
    const start = this.callOf(row)
    // A later completion of the same call replaces an earlier one.
    if (start < 0 || start >= row) return
    const earlier = this.pairOf[start] ?? -1
    if (earlier >= 0) this.#replaced.set(row, earlier)
    this.pairOf[start] = row
  }

  /** Links the call of completion `row` to its earlier completion again. */
  #unlink(row: number): void {
    const start = this.callOf(row)
    if (start < 0 || start >= row || this.pairOf[start] !== row) return
    this.pairOf[start] = this.#replaced.get(row) ?? -1
    this.#replaced.delete(row)
  }
}
