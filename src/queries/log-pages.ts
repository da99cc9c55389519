import type { AgentEvent } from '#core/events/agent-event.ts'
import type { DecodedLine } from '#core/formats/decode-line.ts'
import type { RecordedDiff } from '#core/formats/record-facts.ts'
import type { RowIssue as IndexedIssue } from '#core/index/issue-list.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { recordSummary } from '#core/index/record-summary.ts'
import { eventSummary, type TodoStep } from '#core/index/row-summary.ts'
import type { Summary } from '#core/index/summary.ts'
import { recordFacts, rowFacts } from '#core/index/row-facts.ts'
import { withLineCounts } from '#core/index/tool-summary.ts'
import { isHighSurrogate } from '#core/index/one-line.ts'
import type { JsonObject, JsonValue } from '#core/json.ts'
import { valueAtPath } from '#core/json-path.ts'
import { logImages } from '#core/media/log-images.ts'
import { usageOf } from '#core/requests/usage.ts'
import type { KeptSnapshot } from '#core/replay/todo-history.ts'
import { linesOfRecord } from '#core/tools/changed-lines.ts'
import { fileEdits } from '#core/tools/file-edits.ts'
import type { LineCounts } from '#core/tools/line-diff.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result, RowFacts, RowIssue, RowSummary, TodoSnapshot } from '#contract/methods.ts'
import type { QueriedRows } from './find/query-search.ts'
import { CutBudget, cutStrings } from './cut-strings.ts'
import { shortened } from './decoded-lines.ts'
import { LogAnalysis } from './log-analysis.ts'
import { LogFiles } from './log-files.ts'
import { LogSummary } from './log-summary.ts'
import type { ReadableRun } from './readable-run.ts'
import { RowReader } from './row-reader.ts'
import { sameFile } from './same-file.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const rawHead = 4096
/** Bytes read of a text in pieces for a timeline row. */
const joinedHead = 1 << 16
/** Longer records are summarized by their start, as parsing is too slow. */
const longRecord = 1 << 20
const maxRowIssues = 50
const maxEventIssues = 1000
const maxResults = 1000
/** Values of `RowFacts.usage` are numbers and words. */
const maxFactLength = 200
const maxSummaries = 1000
/** Changes of a todo list in one answer. */
const maxChanges = 1000
/** Characters of an item's text in the lanes, and of all texts in one answer. */
const laneText = 1000
const laneCharacters = 2_000_000

/** Answers queries about rows by reading their lines again, for the index shown at the query. */
export class LogPages {
  readonly #reader: RowReader
  #shown: RunIndex
  /** The final part of `shown`. */
  #settled: RunIndex
  /** By file name: its number in the `file` column. */
  readonly #fileNumbers: ReadonlyMap<string | undefined, number>
  readonly #summary: LogSummary
  readonly #analysis: LogAnalysis
  readonly #files: LogFiles = new LogFiles((shown, row) => this.#reader.readRecord(shown, row))
  /** By row, oldest first. A summary changes only with its row. */
  readonly #summaries = new Map<number, RowSummary>()
  /** The last text read: it is queried piece by piece, and may be too large for the cache of lines. */
  #read: { readonly shown: RunIndex; readonly row: number; readonly value: unknown } | null = null

  constructor(run: ReadableRun, shown: RunIndex) {
    this.#reader = new RowReader(run)
    this.#shown = shown
    this.#settled = shown
    this.#fileNumbers = new Map(run.files.map(({ name }, number) => [name, number]))
    this.#analysis = new LogAnalysis((shown, row) => this.#reader.event(shown, row))
    this.#summary = new LogSummary(async (shown, row) => {
      const line = await this.#reader.line(shown, row)
      const event = await this.#reader.eventOf(shown, row, line)
      return { event, diffs: this.#diffsOf(event, line) }
    })
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

  /** The shown rows, to ask queries of. */
  get asked(): QueriedRows {
    const [reader, index] = [this.#reader, this.#shown]
    return { index, format: reader.format.id ?? '', read: async (row) => await reader.read(index, row) }
  }

  /** Replaces the shown index. Its rows beyond `settled` differ from those of the former one. */
  show(shown: RunIndex, settled: RunIndex): void {
    this.#shown = shown
    this.#settled = settled
    for (const row of this.#summaries.keys()) if (row >= settled.rows.rows) this.#summaries.delete(row)
  }

  requests(from: number, count: number): Result<'log.requests'> {
    const { requests, rows } = this.#shown
    const end = Math.min(from + count, requests.length)
    const found: Result<'log.requests'>['requests'] = []
    for (let index = from; index < end; index++) {
      const request = requests.at(index)
      found.push({ ...request, ...rows.spanOf(request.rowFirst, request.rowLast) })
    }
    return { from: Math.min(from, requests.length), total: requests.length, requests: found }
  }

  usage(ranges: Params<'log.usage'>['ranges']): Result<'log.usage'> {
    const { requests } = this.#shown
    return {
      usages: ranges.map(({ from, to }) => usageOf(requests.between(from, to))) as Result<'log.usage'>['usages']
    }
  }

  findings(): Result<'log.findings'> {
    const { findings, rows } = this.#shown
    return {
      findings: findings.list.map(({ rule, text, short, events, more }) => ({
        ...{ rule, text, short, more },
        rows: events.map((seq) => rows.rowOf(seq))
      })),
      further: Object.fromEntries(findings.further)
    }
  }

  async summary(): Promise<Result<'log.summary'>> {
    return await this.#summary.goOn(this.#shown, this.#settled)
  }

  async spans(from: number, count: number): Promise<Result<'log.spans'>> {
    return await this.#analysis.spans(this.#shown, this.#settled, from, count)
  }

  async timeSplit(range: Params<'log.timeSplit'>['range']): Promise<Result<'log.timeSplit'>> {
    return await this.#analysis.timeSplit(this.#shown, this.#settled, range)
  }

  /** `found`: rows to which the calls are limited. */
  async callTable(
    params: Omit<Params<'log.callTable'>, 'log'>,
    found: Uint32Array | null
  ): Promise<Result<'log.callTable'>> {
    return await this.#analysis.callTable(this.#shown, this.#settled, params, found)
  }

  async context(params: Omit<Params<'log.context'>, 'log'>): Promise<Result<'log.context'>> {
    return await this.#analysis.context(this.#shown, this.#settled, params)
  }

  async rows(rows: readonly number[]): Promise<Result<'log.rows'>> {
    const shown = this.#shown
    const summaries: RowSummary[] = []
    for (const row of rows) {
      check(shown, row)
      // The shown index may have changed during the reads; then its summaries are kept.
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
    const line = await this.#reader.line(shown, row)
    const event = await this.#reader.eventOf(shown, row, line)
    const { value, cut } = cutStrings(event ?? line.value ?? null, limit, budget)
    const call = index.callOf(row)
    const results = index.resultsOf(call < 0 ? row : call)
    const pairRow = call < 0 ? results[0] : call
    const pair = pairRow === undefined ? null : await this.#pairOf(shown, pairRow, limit, budget)
    return {
      row,
      event: event && (value as AgentEvent),
      record: event ? null : (value as JsonValue),
      cut,
      facts: this.#factsOf(event, line, budget),
      pair,
      results: results.slice(0, maxResults),
      issues: index.issues.ofRow(row, maxEventIssues).map(shownIssue)
    }
  }

  async text(row: number, path: string, from: number, count: number): Promise<Result<'log.text'>> {
    const shown = this.#shown
    check(shown, row)
    if (this.#read?.shown !== shown || this.#read.row !== row) {
      this.#read = null
      const line = await this.#reader.line(shown, row)
      this.#read = { shown, row, value: (await this.#reader.eventOf(shown, row, line)) ?? line.value }
    }
    const text = valueAtPath(this.#read.value, path)
    if (typeof text !== 'string') throw new HostError('not-found', `Row ${row} has no text at this place.`)
    const to = from + count
    const end = to < text.length && isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to
    return { text: text.slice(from, end), length: text.length }
  }

  async images(row: number): Promise<Result<'log.images'>> {
    const shown = this.#shown
    check(shown, row)
    const line = await this.#reader.line(shown, row)
    const event = await this.#reader.eventOf(shown, row, line)
    const toolId = event !== null && 'toolId' in event ? event.toolId : null
    const found = line.value === undefined ? [] : logImages(line.value, toolId)
    const bytes = new Uint8Array(found.reduce((sum, image) => sum + image.bytes.length, 0))
    let offset = 0
    const images = found.map(({ path, declared, type, bytes: own, problem }) => {
      bytes.set(own, offset)
      offset += own.length
      return {
        path,
        declared: declared.slice(0, maxFactLength),
        type,
        offset: offset - own.length,
        length: own.length,
        problem
      }
    })
    return { images, bytes: bytes.buffer }
  }

  async raw(row: number, from: number, count: number): Promise<Result<'log.raw'>> {
    check(this.#shown, row)
    const { file = null, line, offset, length } = this.#shown.rows.place(row)
    const wanted = Math.max(0, Math.min(count, length - from))
    const read = await this.#reader.bytes.read(file ?? undefined, offset + from, wanted)
    if (read.length < wanted) throw shortened()
    // Copied, as the answer's buffer is transferred.
    const end = await this.#endAt(file ?? undefined, offset + length)
    return { file, line, offset, length, end, bytes: new Uint8Array(read).buffer }
  }

  /** The bytes after a line. */
  async #endAt(file: string | undefined, offset: number): Promise<Result<'log.raw'>['end']> {
    if (this.#reader.framingOf(file) === 'document') return null
    const [first, second] = await this.#reader.bytes.read(file, offset, 2)
    if (first === lineFeed) return 'lf'
    return first === carriageReturn && second === lineFeed ? 'crlf' : 'none'
  }

  async files(params: Omit<Params<'log.files'>, 'log'>): Promise<Result<'log.files'>> {
    return await this.#files.files(this.#shown, this.#settled, params)
  }

  async fileAt(params: Omit<Params<'log.fileAt'>, 'log'>): Promise<Result<'log.fileAt'>> {
    return await this.#files.at(this.#shown, this.#settled, params)
  }

  async fileLines(params: Omit<Params<'log.fileLines'>, 'log'>): Promise<Result<'log.fileLines'>> {
    return await this.#files.lines(this.#shown, this.#settled, params)
  }

  async sameFile(params: Omit<Params<'log.sameFile'>, 'log'>): Promise<Result<'log.sameFile'>> {
    const shown = this.#shown
    check(shown, params.row)
    const inputOf = (row: number) => this.#inputOf(shown, row)
    const folder = await this.#reader.folder(shown)
    return await sameFile({ rows: shown.rows, bytes: this.#reader.bytes, folder, inputOf }, params)
  }

  todoColumns(from: number): Result<'log.todoColumns'> {
    const { rows: index, todos } = this.#shown
    const start = Math.min(from, todos.length)
    const count = todos.length - start
    const { seq, completed, total, dropped } = todos.progress(start, count)
    const seqs = new Int32Array(seq)
    const row = seqs.map((each) => index.rowOf(each))
    const track = Uint16Array.from(row, (each) => index.trackAt(each))
    return { from: start, count, seq, row: row.buffer, track: track.buffer, completed, total, dropped }
  }

  todos(from: number, count: number): Result<'log.todos'> {
    const { todos } = this.#shown
    const snapshots: TodoSnapshot[] = []
    const room = new CutBudget()
    for (let i = from; i < Math.min(from + count, todos.length); i++) {
      const kept = todos.at(i)
      if (!kept) continue
      // A budget of its own, as the lists before may have used the shared one.
      const own = new CutBudget()
      const snapshot = this.#snapshot(kept, own)
      room.take(own)
      if (room.isSpent && snapshots.length > 0) break
      snapshots.push(snapshot)
    }
    return { snapshots }
  }

  todoLanes(from: number, count: number): Result<'log.todoLanes'> {
    const { lanes } = this.#shown.todos
    const start = Math.min(from, lanes.transitions)
    const { snapshot, lane, state, text, beside, texts } = lanes.transitionsFrom(start, count, laneCharacters, laneText)
    return {
      ...{ from: start, transitions: lanes.transitions, lanes: lanes.count },
      ...{ snapshot: snapshot.buffer, lane: lane.buffer, state: state.buffer, text: text.buffer },
      beside: beside.buffer,
      texts: [...texts]
    }
  }

  issues({ from, count, code, row }: Omit<Params<'log.issues'>, 'log'>): Result<'log.issues'> {
    const index = this.#shown.rows
    const all = index.issues
    const codes = [...all.byCode]
    const start = row === undefined ? from : all.countBefore(row, code ?? null)
    const issues = code === undefined ? all.slice(start, count) : all.sliceOfCode(code, start, count)
    return {
      from: start,
      total: code === undefined ? all.length : (codes.find((each) => each.code === code)?.count ?? 0),
      codes,
      issues: issues.map((issue) => {
        const { file = null, line } = index.place(issue.row)
        return { ...shownIssue(issue), row: issue.row, file, line }
      })
    }
  }

  #snapshot(kept: KeptSnapshot, budget: CutBudget): TodoSnapshot {
    const { index, seq, line, timestamp, trackId, todoId, items } = kept
    const { todos } = this.#shown
    const { lanes, sinceSeq, since, tookMs, edited, returned } = todos.itemsInRun(index)
    const row = this.#shown.rows.rowOf(seq)
    const place = { index, seq, row, line, timestamp, trackId: trackId ?? null, todoId }
    const changes = todos.changes(index)
    // Changes first, so they fit even for a long list.
    const said = { changes: changes.slice(0, maxChanges), edited: edited.slice(0, maxChanges), items: [...items] }
    const { value } = cutStrings({ ...place, ...said }, 4000, budget)
    const shown = value.items.length
    return {
      ...value,
      moreChanges: changes.length - value.changes.length,
      dropped: todos.droppedAt(index),
      returned: returned.filter((place) => place < shown),
      lanes: lanes.slice(0, shown),
      sinceSeq: sinceSeq.slice(0, shown),
      since: since.slice(0, shown),
      tookMs: tookMs.slice(0, shown)
    }
  }

  async #summarize(shown: RunIndex, row: number): Promise<RowSummary> {
    const content = await this.#summaryOf(shown, row)
    const issues = shown.rows.issues.ofRow(row, maxRowIssues).map(shownIssue)
    const summary = { row, ...content, issues }
    // The result states the changed lines; without one, the input does.
    const isWaiting = shown.rows.isCall(row) && shown.rows.resultsOf(row).length === 0
    if (shown !== this.#shown || isWaiting) return summary
    this.#summaries.set(row, summary)
    for (const oldest of this.#summaries.keys()) {
      if (this.#summaries.size <= maxSummaries) break
      this.#summaries.delete(oldest)
    }
    return summary
  }

  async #summaryOf(shown: RunIndex, row: number): Promise<Summary> {
    const place = shown.rows.place(row)
    if (shown.rows.seqOf(row) < 0 && place.length > longRecord) {
      const head = await this.#reader.bytes.read(place.file, place.offset, rawHead)
      return recordSummary(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: true }))
    }
    const line = await this.#reader.line(shown, row)
    const event = await this.#reader.eventOf(shown, row, line, joinedHead)
    if (event === null) return recordSummary(line.text.slice(0, rawHead), line.value)
    const folder = event.type === 'tool.started' ? await this.#reader.folder(shown) : null
    const facts = recordFacts(this.#reader.format, event, line.value)
    const summary = eventSummary(event, this.#todoStep(shown, row, event), facts, folder)
    const lines = event.type === 'tool.started' ? await this.#recordedLines(shown, row, event.input) : null
    return lines === null ? summary : withLineCounts(summary, lines)
  }

  /** The changed lines recorded in a call's result, as in the inspector. Null: not recorded. */
  async #recordedLines(shown: RunIndex, row: number, input: JsonObject): Promise<LineCounts | null> {
    const files = fileEdits(input)
    const [result] = files === null ? [] : shown.rows.resultsOf(row)
    if (files === null || result === undefined) return null
    const line = await this.#reader.line(shown, result)
    return linesOfRecord(files, this.#diffsOf(await this.#reader.eventOf(shown, result, line), line))
  }

  /** Null if the row is not a call. */
  async #inputOf(shown: RunIndex, row: number): Promise<JsonObject | null> {
    const event = await this.#reader.event(shown, row)
    return event?.type === 'tool.started' ? event.input : null
  }

  #todoStep({ rows, todos }: RunIndex, row: number, event: AgentEvent): TodoStep | undefined {
    if (event.type !== 'todo_list') return undefined
    const seq = rows.seqOf(row)
    const index = todos.indexAt(seq, event.trackId)
    if (index < 0) return undefined
    // Equal to the last list, so not a snapshot.
    if (todos.seqOf(index) !== seq) return { former: event.items, changes: [] }
    return { former: todos.formerOf(index)?.items ?? [], changes: todos.changes(index) }
  }

  async #pairOf(shown: RunIndex, row: number, limit: number, budget: CutBudget): Promise<Result<'log.event'>['pair']> {
    const line = await this.#reader.line(shown, row)
    const event = await this.#reader.eventOf(shown, row, line)
    if (event === null) return null
    const { value, cut } = cutStrings(event, limit, budget)
    return { row, event: value, cut, facts: this.#factsOf(event, line, budget) }
  }

  /** The facts of an event's line, bounded. */
  #factsOf(event: AgentEvent | null, line: DecodedLine, budget: CutBudget): RowFacts {
    const { diffs, ...facts } = rowFacts(this.#reader.format, event, line.value)
    return { ...cutStrings(facts, maxFactLength, budget).value, diffs: [...diffs] }
  }

  /** The file changes recorded in a call's result. */
  #diffsOf(event: AgentEvent | null, line: DecodedLine): readonly RecordedDiff[] {
    return (event?.type === 'tool.completed' && recordFacts(this.#reader.format, event, line.value).diffs) || []
  }
}

function check({ rows: index }: RunIndex, row: number): void {
  if (row < index.rows) return
  throw new HostError('bad-params', `There is no row ${row}; the log has ${index.rows} rows so far.`)
}

function shownIssue({ code, severity, path, message }: IndexedIssue): RowIssue {
  return { code, severity, path, message }
}
