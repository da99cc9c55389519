import type { AgentEvent } from '#core/events/agent-event.ts'
import type { DecodedLine } from '#core/formats/decode-line.ts'
import { joinedDraft } from '#core/formats/joined-text.ts'
import type { EventDraft, Framing, LogFormat } from '#core/formats/log-format.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import type { EventIndex } from '#core/index/event-index.ts'
import type { RowIssue as IndexedIssue } from '#core/index/issue-list.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { recordSummary } from '#core/index/record-summary.ts'
import { eventSummary, type Summary, type TodoStep } from '#core/index/row-summary.ts'
import type { JsonValue } from '#core/json.ts'
import type { KeptSnapshot, TodoHistory } from '#core/replay/todo-history.ts'
import { maxLineBytes } from '#core/lines/line-splitter.ts'
import { HostError, type Result, type RowIssue, type RowSummary, type TodoSnapshot } from '#contract/methods.ts'
import type { Run } from '../sources/run.ts'
import { BlockCache, type RunBytes } from './block-cache.ts'
import { CutBudget, cutStrings } from './cut-strings.ts'
import { DecodedLines, shortened } from './decoded-lines.ts'

const rawHead = 4096
/** What of a text in pieces is read for one line of the timeline. */
const joinedHead = 1 << 16
/** A longer record is told by its beginning only: parsing it again would cost more than its type tells. */
const longRecord = 1 << 20
const maxRowIssues = 50
const maxEventIssues = 1000
const maxSuperseded = 1000
const maxSummaries = 4000

/** Answers what the page asks of single rows, by reading their lines again. */
export class LogPages {
  readonly #source: RunBytes
  readonly #format: LogFormat
  readonly #framingOf: (file: string | undefined) => Framing
  #shown: RunIndex
  readonly #lines: DecodedLines
  /** By the name of a file its number in the `file` column. */
  readonly #fileNumbers: ReadonlyMap<string | undefined, number>
  /** By row, the oldest first. A summary changes only where the row does. */
  readonly #summaries = new Map<number, RowSummary>()

  constructor(run: Run, shown: RunIndex) {
    const { format } = run.chosen
    const framingOf = (file: string | undefined) => run.framingOf(file)
    this.#source = new BlockCache(new Map(run.files.map(({ name, source }) => [name, source])))
    this.#format = format
    this.#framingOf = framingOf
    this.#shown = shown
    this.#fileNumbers = new Map(run.files.map(({ name }, number) => [name, number]))
    this.#lines = new DecodedLines(this.#source, format, framingOf)
  }

  columns(from: number, count: number): Result<'log.columns'> {
    const columns = this.#index.columns(from, count)
    const file = new Uint16Array(columns.count)
    if (this.#fileNumbers.size > 1) {
      for (let i = 0; i < file.length; i++) {
        file[i] = this.#fileNumbers.get(this.#index.place(columns.from + i).file) ?? 0
      }
    }
    return { ...columns, file: file.buffer }
  }

  /** From here on `shown` is asked. Its rows from `settled` on are others than those of the one before. */
  show(shown: RunIndex, settled: number): void {
    this.#shown = shown
    for (const row of this.#summaries.keys()) if (row >= settled) this.#summaries.delete(row)
  }

  get #index(): EventIndex {
    return this.#shown.rows
  }

  get #todos(): TodoHistory {
    return this.#shown.todos
  }

  async rows(rows: readonly number[]): Promise<Result<'log.rows'>> {
    const summaries: RowSummary[] = []
    for (const row of rows) {
      this.#check(row)
      summaries.push(this.#summaries.get(row) ?? (await this.#summarize(row)))
    }
    return { rows: summaries }
  }

  async event(row: number, limit: number): Promise<Result<'log.event'>> {
    this.#check(row)
    const budget = new CutBudget()
    const line = await this.#line(row)
    const event = await this.#eventOf(row, line)
    const shown = cutStrings(event ?? line.value ?? null, limit, budget)
    const [pairRow, ...superseded] =
      this.#index.callOf(row) >= 0 ? [this.#index.callOf(row)] : this.#index.resultsOf(row)
    const pair = pairRow === undefined ? null : await this.#eventOf(pairRow, await this.#line(pairRow))
    return {
      row,
      event: event && (shown.value as AgentEvent),
      record: event ? null : (shown.value as JsonValue),
      cut: shown.cut,
      pair: pair && pairRow !== undefined ? pairOf(pairRow, pair, limit, budget) : null,
      superseded: superseded.slice(0, maxSuperseded),
      issues: this.#index.issues.ofRow(row, maxEventIssues).map(shownIssue)
    }
  }

  async raw(row: number, from: number, count: number): Promise<Result<'log.raw'>> {
    this.#check(row)
    const { file = null, line, offset, length } = this.#index.place(row)
    const wanted = Math.max(0, Math.min(count, length - from))
    const read = await this.#source.read(file ?? undefined, offset + from, wanted)
    if (read.length < wanted) throw shortened()
    // A copy of its own: the answer's buffer leaves this thread.
    return { file, line, offset, length, bytes: new Uint8Array(read).buffer }
  }

  todoColumns(from: number): Result<'log.todoColumns'> {
    const start = Math.min(from, this.#todos.length)
    const count = this.#todos.length - start
    const { seq, completed, total } = this.#todos.progress(start, count)
    const seqs = new Int32Array(seq)
    const row = seqs.map((each) => this.#index.rowOf(each))
    const track = Uint16Array.from(row, (each) => this.#index.trackAt(each))
    return { from: start, count, seq, row: row.buffer, track: track.buffer, completed, total }
  }

  todos(from: number, count: number): Result<'log.todos'> {
    const snapshots: TodoSnapshot[] = []
    const budget = new CutBudget()
    for (let i = from; i < Math.min(from + count, this.#todos.length) && budget.values > 0; i++) {
      const snapshot = this.#todos.at(i)
      if (snapshot) snapshots.push(cutStrings(this.#snapshot(snapshot), 4000, budget).value)
    }
    return { snapshots }
  }

  issues(from: number, count: number): Result<'log.issues'> {
    const issues = this.#index.issues.slice(from, count)
    return {
      total: this.#index.issues.length,
      issues: issues.map((issue) => {
        const { file = null, line } = this.#index.place(issue.row)
        return { ...shownIssue(issue), row: issue.row, file, line }
      })
    }
  }

  #snapshot(kept: KeptSnapshot): TodoSnapshot {
    const { index, seq, line, timestamp, trackId, todoId, items } = kept
    return {
      index,
      seq,
      row: this.#index.rowOf(seq),
      line,
      timestamp,
      trackId: trackId ?? null,
      todoId,
      items: [...items],
      changes: this.#todos.changes(index)
    }
  }

  async #summarize(row: number): Promise<RowSummary> {
    const summary = await this.#summaryOf(row)
    const issues = this.#index.issues.ofRow(row, maxRowIssues).map(shownIssue)
    const told = { row, ...summary, issues }
    this.#summaries.set(row, told)
    for (const oldest of this.#summaries.keys()) {
      if (this.#summaries.size <= maxSummaries) break
      this.#summaries.delete(oldest)
    }
    return told
  }

  async #summaryOf(row: number): Promise<Summary> {
    const place = this.#index.place(row)
    if (this.#index.seqOf(row) < 0 && place.length > longRecord) {
      const head = await this.#source.read(place.file, place.offset, rawHead)
      return recordSummary(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: true }))
    }
    const line = await this.#line(row)
    const event = await this.#eventOf(row, line, joinedHead)
    return event
      ? eventSummary(event, this.#todoStep(row, event.trackId), line.value)
      : recordSummary(line.text.slice(0, rawHead), line.value)
  }

  #todoStep(row: number, trackId: string | undefined): TodoStep | undefined {
    const seq = this.#index.seqOf(row)
    const index = this.#todos.indexAt(seq, trackId)
    if (index < 0 || this.#todos.seqOf(index) !== seq) return undefined
    return { former: this.#todos.formerOf(index)?.items ?? [], changes: this.#todos.changes(index) }
  }

  #line(row: number): Promise<DecodedLine> {
    const place = this.#index.place(row)
    return this.#lines.at(place, !this.#shown.isCut(place))
  }

  /** `enough`: of a text in pieces on many lines only those in about so many bytes are wanted. */
  async #eventOf(row: number, line: DecodedLine, enough = Infinity): Promise<AgentEvent | null> {
    const joined = await this.#joinedDraft(row, enough)
    const folded = this.#index.eventAt(row, joined ? [joined] : (line.decoded?.drafts ?? []))
    if (folded) return stamp(folded, this.#format.agentType, soloIdentity(this.#format.agentType))
    if (this.#index.seqOf(row) < 0) return null
    // The line gave this event when it was indexed, so its bytes are others now.
    throw new HostError('unavailable', 'The file changed since it was read. Close the log and open it again.')
  }

  /** Null where the text stands on one line, or so much of it was asked for that its first line is all. */
  async #joinedDraft(row: number, enough: number): Promise<EventDraft | null> {
    const end = this.#index.joinedTo(row)
    if (end === undefined) return null
    const { file, offset } = this.#index.place(row)
    // Beyond this a text can neither be one string nor shown.
    const length = Math.min(end - offset, enough, maxLineBytes)
    const bytes = await this.#source.read(file, offset, length)
    if (bytes.length < length) throw shortened()
    return joinedDraft(this.#format, this.#framingOf(file), bytes)
  }

  #check(row: number): void {
    if (row < this.#index.rows) return
    throw new HostError('bad-params', `There is no row ${row}; the log has ${this.#index.rows} rows so far.`)
  }
}

function pairOf(row: number, event: AgentEvent, limit: number, budget: CutBudget): Result<'log.event'>['pair'] {
  const { value, cut } = cutStrings(event, limit, budget)
  return { row, event: value, cut }
}

function shownIssue({ code, severity, path, message }: IndexedIssue): RowIssue {
  return { code, severity, path, message }
}
