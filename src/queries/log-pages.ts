import type { AgentEvent } from '#core/events/agent-event.ts'
import type { DecodedLine } from '#core/formats/decode-line.ts'
import { joinedDraft } from '#core/formats/joined-text.ts'
import type { EventDraft, Framing, LogFormat } from '#core/formats/log-format.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import type { RowIssue as IndexedIssue } from '#core/index/issue-list.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { recordSummary } from '#core/index/record-summary.ts'
import { eventSummary, type Summary, type TodoStep } from '#core/index/row-summary.ts'
import type { JsonValue } from '#core/json.ts'
import type { KeptSnapshot } from '#core/replay/todo-history.ts'
import { maxLineBytes } from '#core/lines/line-splitter.ts'
import { HostError, type Result, type RowIssue, type RowSummary, type TodoSnapshot } from '#contract/methods.ts'
import { BlockCache, type RunBytes } from './block-cache.ts'
import { CutBudget, cutStrings } from './cut-strings.ts'
import { DecodedLines, shortened } from './decoded-lines.ts'
import type { ReadableRun } from './readable-run.ts'

const rawHead = 4096
/** What of a text in pieces is read for one line of the timeline. */
const joinedHead = 1 << 16
/** A longer record is told by its beginning only: parsing it again would cost more than its type tells. */
const longRecord = 1 << 20
const maxRowIssues = 50
const maxEventIssues = 1000
const maxSuperseded = 1000
const maxSummaries = 1000

/** Answers what the page asks of single rows, by reading their lines again. An answer is of the one index that is shown when it is asked for. */
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

  constructor(run: ReadableRun, shown: RunIndex) {
    const { format } = run
    const framingOf = (file: string | undefined) => run.framingOf(file)
    this.#source = new BlockCache(new Map(run.files.map(({ name, source }) => [name, source])))
    this.#format = format
    this.#framingOf = framingOf
    this.#shown = shown
    this.#fileNumbers = new Map(run.files.map(({ name }, number) => [name, number]))
    this.#lines = new DecodedLines(this.#source, format, framingOf)
  }

  columns(from: number, count: number): Result<'log.columns'> {
    const index = this.#shown.rows
    const columns = index.columns(from, count)
    const file = new Uint16Array(columns.count)
    if (this.#fileNumbers.size > 1) {
      for (let i = 0; i < file.length; i++) {
        file[i] = this.#fileNumbers.get(index.place(columns.from + i).file) ?? 0
      }
    }
    return { ...columns, file: file.buffer }
  }

  /** From here on `shown` is asked. Its rows from `settled` on are others than those of the one before. */
  show(shown: RunIndex, settled: number): void {
    this.#shown = shown
    for (const row of this.#summaries.keys()) if (row >= settled) this.#summaries.delete(row)
  }

  async rows(rows: readonly number[]): Promise<Result<'log.rows'>> {
    const shown = this.#shown
    const summaries: RowSummary[] = []
    for (const row of rows) {
      check(shown, row)
      // While lines were read another index may have come to be shown: its summaries are kept, not this one's.
      const known = shown === this.#shown ? this.#summaries.get(row) : undefined
      summaries.push(known ?? (await this.#summarize(shown, row)))
    }
    return { rows: summaries }
  }

  async event(row: number, limit: number): Promise<Result<'log.event'>> {
    const shown = this.#shown
    const index = shown.rows
    check(shown, row)
    const budget = new CutBudget()
    const line = await this.#line(shown, row)
    const event = await this.#eventOf(shown, row, line)
    const { value, cut } = cutStrings(event ?? line.value ?? null, limit, budget)
    const [pairRow, ...superseded] = index.callOf(row) >= 0 ? [index.callOf(row)] : index.resultsOf(row)
    const pair = pairRow === undefined ? null : await this.#eventOf(shown, pairRow, await this.#line(shown, pairRow))
    return {
      row,
      event: event && (value as AgentEvent),
      record: event ? null : (value as JsonValue),
      cut,
      pair: pair && pairRow !== undefined ? pairOf(pairRow, pair, limit, budget) : null,
      superseded: superseded.slice(0, maxSuperseded),
      issues: index.issues.ofRow(row, maxEventIssues).map(shownIssue)
    }
  }

  async raw(row: number, from: number, count: number): Promise<Result<'log.raw'>> {
    check(this.#shown, row)
    const { file = null, line, offset, length } = this.#shown.rows.place(row)
    const wanted = Math.max(0, Math.min(count, length - from))
    const read = await this.#source.read(file ?? undefined, offset + from, wanted)
    if (read.length < wanted) throw shortened()
    // A copy of its own: the answer's buffer leaves this thread.
    return { file, line, offset, length, bytes: new Uint8Array(read).buffer }
  }

  todoColumns(from: number): Result<'log.todoColumns'> {
    const { rows: index, todos } = this.#shown
    const start = Math.min(from, todos.length)
    const count = todos.length - start
    const { seq, completed, total } = todos.progress(start, count)
    const seqs = new Int32Array(seq)
    const row = seqs.map((each) => index.rowOf(each))
    const track = Uint16Array.from(row, (each) => index.trackAt(each))
    return { from: start, count, seq, row: row.buffer, track: track.buffer, completed, total }
  }

  todos(from: number, count: number): Result<'log.todos'> {
    const { todos } = this.#shown
    const snapshots: TodoSnapshot[] = []
    const budget = new CutBudget()
    for (let i = from; i < Math.min(from + count, todos.length) && budget.values > 0; i++) {
      const snapshot = todos.at(i)
      if (snapshot) snapshots.push(cutStrings(this.#snapshot(snapshot), 4000, budget).value)
    }
    return { snapshots }
  }

  issues(from: number, count: number): Result<'log.issues'> {
    const index = this.#shown.rows
    const issues = index.issues.slice(from, count)
    return {
      total: index.issues.length,
      issues: issues.map((issue) => {
        const { file = null, line } = index.place(issue.row)
        return { ...shownIssue(issue), row: issue.row, file, line }
      })
    }
  }

  #snapshot(kept: KeptSnapshot): TodoSnapshot {
    const { index, seq, line, timestamp, trackId, todoId, items } = kept
    return {
      index,
      seq,
      row: this.#shown.rows.rowOf(seq),
      line,
      timestamp,
      trackId: trackId ?? null,
      todoId,
      items: [...items],
      changes: this.#shown.todos.changes(index)
    }
  }

  async #summarize(shown: RunIndex, row: number): Promise<RowSummary> {
    const summary = await this.#summaryOf(shown, row)
    const issues = shown.rows.issues.ofRow(row, maxRowIssues).map(shownIssue)
    const told = { row, ...summary, issues }
    if (shown !== this.#shown) return told
    this.#summaries.set(row, told)
    for (const oldest of this.#summaries.keys()) {
      if (this.#summaries.size <= maxSummaries) break
      this.#summaries.delete(oldest)
    }
    return told
  }

  async #summaryOf(shown: RunIndex, row: number): Promise<Summary> {
    const place = shown.rows.place(row)
    if (shown.rows.seqOf(row) < 0 && place.length > longRecord) {
      const head = await this.#source.read(place.file, place.offset, rawHead)
      return recordSummary(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: true }))
    }
    const line = await this.#line(shown, row)
    const event = await this.#eventOf(shown, row, line, joinedHead)
    return event
      ? eventSummary(event, this.#todoStep(shown, row, event.trackId), line.value)
      : recordSummary(line.text.slice(0, rawHead), line.value)
  }

  #todoStep({ rows, todos }: RunIndex, row: number, trackId: string | undefined): TodoStep | undefined {
    const seq = rows.seqOf(row)
    const index = todos.indexAt(seq, trackId)
    if (index < 0 || todos.seqOf(index) !== seq) return undefined
    return { former: todos.formerOf(index)?.items ?? [], changes: todos.changes(index) }
  }

  #line(shown: RunIndex, row: number): Promise<DecodedLine> {
    const place = shown.rows.place(row)
    return this.#lines.at(place, !shown.isCut(place))
  }

  /** `enough`: of a text in pieces on many lines only those in about so many bytes are wanted. */
  async #eventOf(shown: RunIndex, row: number, line: DecodedLine, enough = Infinity): Promise<AgentEvent | null> {
    const joined = await this.#joinedDraft(shown, row, enough)
    const folded = shown.rows.eventAt(row, joined ? [joined] : (line.decoded?.drafts ?? []))
    if (folded) return stamp(folded, this.#format.agentType, soloIdentity(this.#format.agentType))
    if (shown.rows.seqOf(row) < 0) return null
    // The line gave this event when it was indexed, so its bytes are others now.
    throw new HostError('unavailable', 'The file changed since it was read. Close the log and open it again.')
  }

  /** Null where the text stands on one line, or so much of it was asked for that its first line is all. */
  async #joinedDraft({ rows: index }: RunIndex, row: number, enough: number): Promise<EventDraft | null> {
    const end = index.joinedTo(row)
    if (end === undefined) return null
    const { file, offset } = index.place(row)
    // Beyond this a text can neither be one string nor shown.
    const length = Math.min(end - offset, enough, maxLineBytes)
    const bytes = await this.#source.read(file, offset, length)
    if (bytes.length < length) throw shortened()
    return joinedDraft(this.#format, this.#framingOf(file), bytes)
  }
}

function check({ rows: index }: RunIndex, row: number): void {
  if (row < index.rows) return
  throw new HostError('bad-params', `There is no row ${row}; the log has ${index.rows} rows so far.`)
}

function pairOf(row: number, event: AgentEvent, limit: number, budget: CutBudget): Result<'log.event'>['pair'] {
  const { value, cut } = cutStrings(event, limit, budget)
  return { row, event: value, cut }
}

function shownIssue({ code, severity, path, message }: IndexedIssue): RowIssue {
  return { code, severity, path, message }
}
