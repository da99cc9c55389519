import { connectHost } from '#contract/client.ts'
import { memoryTransports } from '../memory-transport.ts'
import { HostError } from '#contract/host-error.ts'
import type {
  FindProgress,
  Handlers,
  Host,
  LogStatus,
  Result,
  RowIssue,
  RowSummary,
  TodoSnapshot
} from '#contract/methods.ts'
import {
  withoutComparing,
  withoutExports,
  withoutLibrary,
  withoutRuns,
  withoutSettings
} from '#contract/refused-methods.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import type { RowMark } from '#core/formats/log-format.ts'
import type { TodoItem } from '#core/events/todo.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import type { Query } from '#core/query/query.ts'
import { rowMarks } from '#core/index/row-mark.ts'
import type { Review } from '#core/replay/review.ts'
import { TodoHistory } from '#core/replay/todo-history.ts'
import { severityNames, type SeverityName } from '#renderer/stores/log-columns.ts'
import { costGaps } from '../costs.ts'

const counted = { files: 0, steps: 0, doubts: 0 }
const noFiles: Result<'log.files'> = {
  ...{ read: 0, rows: 0, problem: null, folder: null, further: 0, total: counted, settled: counted, paths: [] },
  ...{ stepFile: new ArrayBuffer(), stepRow: new ArrayBuffer(), stepKind: new ArrayBuffer() },
  ...{ doubtSeq: new ArrayBuffer(), doubtKind: new ArrayBuffer() }
}

/** A row of a canned log; what is left out is plain. */
export interface CannedRow {
  readonly kind: RowKind
  readonly time?: number
  readonly severity?: SeverityName
  readonly tool?: number
  readonly track?: number
  /** On a completion the row of its start. */
  readonly pair?: number
  /** On a completion how long the call took, in ms. */
  readonly took?: number
  readonly mark?: RowMark
  /** Of another file of the run. */
  readonly file?: number
  /** Each row has a line of its own, counted from 1, where nothing is said. */
  readonly line?: number
  readonly text?: string
  /** What is said of a row with a severity. */
  readonly issue?: Omit<RowIssue, 'severity'>
  readonly badges?: RowSummary['badges']
  readonly items?: readonly TodoItem[]
}

export const testCapabilities: Result<'host.capabilities'> = {
  host: 'browser',
  version: '0.0.0',
  openDialog: false,
  drops: null,
  sample: null,
  runs: false,
  tasks: false,
  exports: false,
  shared: null,
  problems: [],
  platform: 'test'
}

const cannedTools = ['Bash', 'Read'] as const

export const testStart = Date.UTC(2026, 10, 19, 12, 0, 0)

/** The columns of `rows`, as the host sends them, for rows `from` … `from + count`. Every row has a line of its own. */
export function columnsOf(rows: readonly CannedRow[], from = 0, count = rows.length - from): Result<'log.columns'> {
  const page = rows.slice(from, from + count)
  const firstSeq = rows.slice(0, from).filter((row) => row.kind !== 'record').length
  let seq = firstSeq
  return {
    from,
    count: page.length,
    kind: Uint8Array.from(page, (row) => rowKinds.indexOf(row.kind)).buffer,
    severity: Uint8Array.from(page, (row) => severityNames.indexOf(row.severity ?? 'none')).buffer,
    issues: Uint16Array.from(page, (row) => ((row.severity ?? 'none') === 'none' ? 0 : 1)).buffer,
    time: Float64Array.from(page, (row, index) => row.time ?? testStart + (from + index) * 1000).buffer,
    line: Uint32Array.from(page, (row, index) => row.line ?? from + index + 1).buffer,
    seq: Int32Array.from(page, (row) => (row.kind === 'record' ? -1 : seq++)).buffer,
    tool: Uint16Array.from(page, (row) => row.tool ?? 0).buffer,
    track: Uint16Array.from(page, (row) => row.track ?? 0).buffer,
    pair: Int32Array.from(page, (row) => row.pair ?? -1).buffer,
    took: Float64Array.from(page, (row) => row.took ?? NaN).buffer,
    mark: Uint8Array.from(page, (row) => rowMarks.indexOf(row.mark ?? null)).buffer,
    file: Uint16Array.from(page, (row) => row.file ?? 0).buffer
  }
}

export interface TestHost {
  readonly host: Host
  readonly status: LogStatus
  /** The log has been read further. */
  progress(status: LogStatus): void
  /** A search has come further. */
  found(progress: FindProgress): void
  /** The rows have changed: queries are asked again. */
  queryAgain(): void
  /** Any notice there is. */
  readonly say: ServedHost['notify']
}

/**
 * A host whose one log is `rows`, for tests of the page: no file, no process, but the contract's own client and server.
 * `handlers`: what a test answers itself.
 */
export function testHost(
  rows: readonly CannedRow[],
  changes: Partial<LogStatus> = {},
  handlers: Partial<Handlers> = {}
): TestHost {
  const status = { ...statusOf(rows), ...changes }
  const [page, server] = memoryTransports()
  const finds = cannedFind(rows, status, (progress) => served.notify('log.found', progress))
  const served = serveHost(server, { ...testHandlers(rows, status), ...finds.handlers, ...handlers })
  return {
    host: connectHost(page, { checkResults: true }),
    status,
    progress: (next) => served.notify('log.progress', next),
    found: (progress) => served.notify('log.found', progress),
    queryAgain: finds.queryAgain,
    say: (name, payload) => served.notify(name, payload)
  }
}

/** The status of a log that is read to its end, and final. */
export function statusOf(rows: readonly CannedRow[]): LogStatus {
  return {
    log: 'log-1',
    path: '/logs/run.jsonl',
    name: 'run.jsonl',
    phase: 'done',
    error: null,
    format: 'claude-stream-json',
    formatTitle: 'Claude Code stream-json',
    formatNote: null,
    notes: [],
    files: [],
    missing: { named: 0, perhaps: false },
    bytes: 1000,
    bytesRead: 1000,
    lines: rows.length,
    rows: rows.length,
    events: rows.filter((row) => row.kind !== 'record').length,
    generation: 1,
    generationNote: null,
    settled: {
      rows: rows.length,
      events: rows.filter((row) => row.kind !== 'record').length,
      todoSnapshots: snapshotsOf(rows).length
    },
    fileState: 'there',
    grownAt: null,
    waitingBytes: 0,
    savedRows: 0,
    marked: 0,
    todoSnapshots: snapshotsOf(rows).length,
    issues: { malformed: 0, violation: 0, notice: 0 },
    failedCalls: 0,
    firstTimestamp: testStart,
    lastTimestamp: testStart + rows.length * 1000,
    model: null,
    sessionId: null,
    agent: null,
    tools: [...cannedTools],
    tracks: [
      { trackId: null, label: '', depth: 0, call: -1 },
      { trackId: 'call-1', label: 'Look around', depth: 1, call: rows.findIndex(({ kind }) => kind === 'tool') }
    ]
  }
}

/** What the test host answers. */
export function testHandlers(rows: readonly CannedRow[], status: LogStatus = statusOf(rows)): Handlers {
  const absent = () => Promise.reject(new HostError('unavailable', 'The test host does not have this.'))
  let review: Review = { bookmarks: [], breakpoints: [] }
  let revision = 0
  return {
    ...withoutSettings('no settings here'),
    ...withoutRuns('The test host starts no agents.'),
    ...withoutLibrary('The test host has no library.'),
    ...withoutComparing('The test host compares nothing.'),
    ...withoutExports('The test host exports nothing.'),
    'host.capabilities': async () => testCapabilities,
    'log.list': async () => ({ logs: [status] }),
    'log.open': async () => status,
    'log.close': async () => ({}),
    'log.status': async () => status,
    'log.columns': async ({ from, count }) => columnsOf(rows, from, count),
    'log.rows': async (params) => ({ rows: params.rows.map((row) => summaryOf(rows, row)) }),
    'log.requests': async ({ from }) => ({ from, total: 0, requests: [] }),
    'log.usage': async ({ ranges }) => ({ usages: ranges.map(() => null) }),
    'log.summary': async () => summaryOfRun(rows),
    ...analysisOfNothing(rows),
    'log.findings': async () => ({ findings: [], further: {} }),
    'log.event': absent,
    'log.text': absent,
    'log.images': absent,
    'log.raw': absent,
    'log.sameFile': async () => ({ row: null, goOnFrom: null, files: [] }),
    'log.files': async () => noFiles,
    'log.fileAt': absent,
    'log.fileLines': absent,
    'log.todoColumns': async ({ from }) => todoColumnsOf(snapshotsOf(rows).slice(from), from),
    'log.todos': async ({ from, count }) => ({ snapshots: snapshotsOf(rows).slice(from, from + count) }),
    'log.todoLanes': async ({ from, count }) => lanesOf(rows, from, count),
    'log.issues': async ({ from }) => ({ from, total: 0, codes: [], issues: [] }),
    'log.find': absent,
    'log.hits': absent,
    'log.endFind': absent,
    'review.get': async () => ({ ...review, revision }),
    'review.set': async ({ bookmarks = review.bookmarks, breakpoints = review.breakpoints }) => {
      review = { bookmarks, breakpoints }
      return { revision: ++revision }
    },
    'recent.list': async () => ({ recent: [] }),
    'dialog.open': absent
  }
}

/** Finds no spans and no requests: a test of the analysis answers itself. */
function analysisOfNothing(rows: readonly CannedRow[]): Pick<Handlers, AnalysisMethod> {
  const progress = { counted: rows.length, rows: rows.length }
  const nothing = { calls: 0, failed: 0, unknownLengths: 0, statedLengths: 0, bytesOut: 0, tokensAtLeast: false }
  const unknown = { totalMs: null, selfMs: null, longestMs: null, longestRow: null, p50Ms: null, p95Ms: null }
  const noCost = { cost: null, gaps: costGaps() }
  return {
    'log.spans': async ({ from }) => ({
      ...{ ...progress, from, total: 0, settled: 0, count: 0, kind: new ArrayBuffer(), flags: new ArrayBuffer() },
      ...{ track: new ArrayBuffer(), begin: new ArrayBuffer(), end: new ArrayBuffer(), first: new ArrayBuffer() },
      ...{ last: new ArrayBuffer(), parent: new ArrayBuffer() }
    }),
    'log.timeSplit': async () => ({
      ...{ ...progress, split: null, calls: 0, unknownLengths: 0 },
      parallelism: { callMs: 0, selfMs: 0, busyMs: 0, mostCalls: 0, mostSubagents: 0 }
    }),
    'log.callTable': async ({ from }) => ({
      ...{ ...progress, read: 0, spans: 0, problem: null, several: false, from, total: 0, groups: [] },
      all: { name: null, term: null, ...nothing, ...unknown, tokensOut: null, cost: noCost }
    }),
    'log.context': async ({ from }) => ({ ...progress, from, total: 0, requests: [], compactions: [] })
  }
}

type AnalysisMethod = 'log.spans' | 'log.timeSplit' | 'log.callTable' | 'log.context'

/** Counts nothing but the rows and the calls: a test that wants more answers itself. */
export function summaryOfRun(rows: readonly CannedRow[]): Result<'log.summary'> {
  const total = rows.filter(({ kind }) => kind === 'tool').length
  return {
    ...{ counted: rows.length, rows: rows.length, turns: 0, begin: null, time: null },
    calls: { total, failed: 0, durationMs: null, unknownDurations: total, byTool: [] },
    ...{ subagents: [], longest: [], todos: null, costUsd: null },
    ...{ read: rows.length, problem: null },
    failures: { groups: [], further: 0 },
    files: { changed: [], total: 0, more: false }
  }
}

/** Searches what the rows show, at once; `tell` is the notice `log.found`. */
function cannedFind(
  rows: readonly CannedRow[],
  { log, generation, bytes, tools }: LogStatus,
  tell: (progress: FindProgress) => void
): { readonly handlers: Pick<Handlers, 'log.find' | 'log.hits' | 'log.endFind'>; queryAgain(): void } {
  let find = 0
  interface Search {
    readonly find: number
    readonly query: Query | null
    hits: readonly number[]
  }
  /** By name. */
  const searches = new Map<string, Search>()
  const report = (as: string, search: Search, changedFrom?: number) => {
    const changed = changedFrom === undefined ? {} : { changedFrom }
    const progress = { log, find: search.find, as, generation, bytes, bytesSearched: bytes, error: null }
    tell({ ...progress, searching: false, hits: search.hits.length, ...changed })
  }
  const handlers: Pick<Handlers, 'log.find' | 'log.hits' | 'log.endFind'> = {
    'log.find': async ({ text, regex, caseSensitive, isQuery = false, as = 'find' }) => {
      const holds = isQuery ? null : matcherOf(text, regex, caseSensitive)
      const { query } = parseQuery(isQuery ? text : '', 'rows')
      const found = () => rows.flatMap((row, at) => (holds?.(textOf(row, at)) === true ? [at] : []))
      const search = { find: ++find, query, hits: query === null ? found() : cannedHits(rows, query, tools) }
      searches.set(as, search)
      queueMicrotask(() => report(as, search))
      return { find: search.find }
    },
    'log.hits': async ({ find: asked, from, count }) => {
      const hits = [...searches.values()].find((search) => search.find === asked)?.hits ?? []
      return { rows: Uint32Array.from(hits.slice(from, from + count)).buffer }
    },
    'log.endFind': async ({ find: asked }) => {
      for (const [as, search] of searches) if (search.find === asked) searches.delete(as)
      return {}
    }
  }
  const queryAgain = () => {
    for (const [as, search] of searches) {
      if (search.query === null) continue
      const before = search.hits
      search.hits = cannedHits(rows, search.query, tools)
      const same = before.findIndex((row, at) => search.hits[at] !== row)
      report(as, search, same < 0 ? undefined : Math.min(before[same] ?? Infinity, search.hits[same] ?? Infinity))
    }
  }
  return { handlers, queryAgain }
}

/** The rows that meet a query. */
export function cannedHits(
  rows: readonly CannedRow[],
  query: Query,
  tools: readonly string[] = cannedTools
): readonly number[] {
  return rows.flatMap((_, at) => (meets(rows, at, query, tools) ? [at] : []))
}

/** Whether a row meets a query about what canned rows have. */
function meets(rows: readonly CannedRow[], at: number, query: Query, tools: readonly string[]): boolean {
  if (query.op === 'not') return !meets(rows, at, query.of, tools)
  if (query.op !== 'text' && query.op !== 'term') {
    const parts = query.of.map((part) => meets(rows, at, part, tools))
    return query.op === 'and' ? parts.every(Boolean) : parts.some(Boolean)
  }
  const row = rows[at] as CannedRow
  if (query.op === 'text') {
    const { value } = query
    const isRegex = value.type === 'regex'
    return matcherOf(isRegex ? value.source : value.text, isRegex, isRegex && !value.ignoreCase)(textOf(row, at))
  }
  if (query.test.type !== 'any') throw new Error(`canned rows have no ${query.key}`)
  const names = namesOf(rows, at, query.key, tools)
  return query.test.values.some((value) => value.type === 'word' && names.includes(value.text))
}

function namesOf(rows: readonly CannedRow[], at: number, key: string, tools: readonly string[]): readonly string[] {
  const { kind, tool = 0, track = 0, severity = 'none', pair = -1 } = rows[at] as CannedRow
  switch (key) {
    case 'kind':
      return [kind]
    case 'tool':
      return [tools[tool - 1] ?? '']
    case 'track':
      return [track === 0 ? 'main' : 'call-1']
    case 'issue':
      return [severity]
    case 'status': {
      const call = kind === 'tool' ? at : pair
      const result = rows.find((row) => row.pair === call && call >= 0) ?? rows[at]
      return [result?.kind === 'tool-error' ? 'error' : result?.kind === 'tool-result' ? 'ok' : 'unknown']
    }
    default:
      throw new Error(`canned rows have no ${key}`)
  }
}

function matcherOf(text: string, regex: boolean, caseSensitive: boolean): (line: string) => boolean {
  if (!regex) {
    const folded = (line: string) => (caseSensitive ? line : line.toLowerCase())
    return (line) => folded(line).includes(folded(text))
  }
  try {
    const pattern = new RegExp(text, caseSensitive ? 'u' : 'ui')
    return (line) => pattern.test(line)
  } catch {
    throw new HostError('bad-params', 'Invalid regular expression: Unterminated group.')
  }
}

function summaryOf(rows: readonly CannedRow[], row: number): RowSummary {
  const canned = rows[row] ?? { kind: 'record' }
  const { items } = canned
  const todo = items && { statuses: items.map((item) => item.status), ...progressOf(items), completedDelta: 0 }
  return {
    row,
    text: textOf(canned, row),
    detail: '',
    mono: false,
    badges: canned.badges ?? [],
    todo: todo ?? null,
    issues: issuesOf(canned)
  }
}

function textOf(row: CannedRow, at: number): string {
  return row.text ?? `${row.kind} ${at}`
}

const mustBeString = { code: 'TypedParse', path: '$.subtype', message: 'must be a string' } as const

function issuesOf({ severity = 'none', issue = mustBeString }: CannedRow): RowIssue[] {
  return severity === 'none' ? [] : [{ ...issue, severity }]
}

function progressOf(items: readonly TodoItem[]): { completed: number; total: number } {
  return { completed: items.filter((item) => item.status === 'completed').length, total: items.length }
}

/** The todo lists of `rows`, as the host keeps them. */
function historyOf(rows: readonly CannedRow[]): TodoHistory {
  const history = new TodoHistory()
  let seq = -1
  for (const [row, { kind, items, track = 0 }] of rows.entries()) {
    if (kind !== 'record') seq++
    if (items === undefined) continue
    const place = { seq, line: row + 1, timestamp: testStart + row * 1000, agentId: 'agent', todoId: 'todos', items }
    history.add(track === 0 ? place : { ...place, trackId: 'call-1' })
  }
  return history
}

function snapshotsOf(rows: readonly CannedRow[]): TodoSnapshot[] {
  const history = historyOf(rows)
  return Array.from({ length: history.length }, (_, index) => {
    const { seq = 0, line = 1, timestamp = 0, trackId = null, todoId = '', items = [] } = history.at(index) ?? {}
    const { lanes, sinceSeq, since, tookMs, edited, returned } = history.itemsInRun(index)
    return {
      ...{ index, seq, row: line - 1, line, timestamp, trackId, todoId },
      ...{
        items: [...items],
        changes: history.changes(index),
        moreChanges: 0,
        dropped: history.droppedAt(index),
        edited: [...edited],
        returned: [...returned]
      },
      ...{ lanes: [...lanes], sinceSeq: [...sinceSeq], since: [...since], tookMs: [...tookMs] }
    }
  })
}

function lanesOf(rows: readonly CannedRow[], from: number, count: number): Result<'log.todoLanes'> {
  const { lanes } = historyOf(rows)
  const { snapshot, lane, state, text, beside, texts } = lanes.transitionsFrom(from, count)
  return {
    ...{ from, transitions: lanes.transitions, lanes: lanes.count, texts: [...texts] },
    ...{ snapshot: snapshot.buffer, lane: lane.buffer, state: state.buffer, text: text.buffer },
    beside: beside.buffer
  }
}

function todoColumnsOf(snapshots: readonly TodoSnapshot[], from: number): Result<'log.todoColumns'> {
  return {
    from,
    count: snapshots.length,
    seq: Int32Array.from(snapshots, (snapshot) => snapshot.seq).buffer,
    row: Int32Array.from(snapshots, (snapshot) => snapshot.row).buffer,
    track: Uint16Array.from(snapshots, (snapshot) => (snapshot.trackId === null ? 0 : 1)).buffer,
    completed: Uint16Array.from(snapshots, ({ items }) => progressOf(items).completed).buffer,
    total: Uint16Array.from(snapshots, ({ items }) => items.length).buffer,
    dropped: Uint32Array.from(snapshots, ({ dropped }) => dropped).buffer
  }
}
