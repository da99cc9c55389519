import type { AgentEvent } from '../events/agent-event.ts'
import type { EventIndex } from '../index/event-index.ts'
import type { RowIssue } from '../index/issue-list.ts'
import { type RowKind, rowKinds, typeOfKind } from '../index/row-kind.ts'
import { rowMarks } from '../index/row-mark.ts'
import { eventSummary } from '../index/row-summary.ts'
import { commandOfCall, filesOfCall } from '../index/tool-files.ts'
import type { TodoChange } from '../replay/todo-changes.ts'
import type { KeptSnapshot } from '../replay/todo-history.ts'
import { type CostAnswer, costOf } from '../requests/cost.ts'
import { costOfRequest } from '../requests/cost-sum.ts'
import type { ModelRequest } from '../requests/request-list.ts'
import { sentOf } from '../requests/tokens.ts'
import { usageOf } from '../requests/usage.ts'
import { RunCounts } from '../summary/run-counts.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { callStatuses, mcpServer } from './call-terms.ts'
import { callOf, resultOf } from './row-block.ts'
import { firstFrom } from './row-term.ts'
import { turnStarts } from './row-terms.ts'
import { type LogForSql, type SqlTable, table } from './sql-table.ts'

function* rowsOf({ index: { rows } }: LogForSql, isWanted: (row: number) => boolean): Generator<number> {
  for (let row = 0; row < rows.rows; row++) if (isWanted(row)) yield row
}

const place = { seq: 'INTEGER', line: 'INTEGER', file: 'TEXT' } as const
const moment = { at_ms: 'INTEGER', track: 'TEXT', turn: 'INTEGER' } as const

const costColumns = { cost_usd: 'REAL', cost_from: 'TEXT', cost_at_least: 'INTEGER' } as const

function costOfEach<E>(answerOf: (entry: E) => CostAnswer) {
  return {
    cost_usd: (entry: E) => answerOf(entry).cost?.usd,
    cost_from: (entry: E) => answerOf(entry).cost?.from,
    cost_at_least: (entry: E) => numberOf(answerOf(entry).cost?.atLeast)
  }
}

const numberOf = (flag: boolean | undefined): number | undefined => (flag === undefined ? undefined : Number(flag))

/** Columns of any row. */
function rowColumns({ index: { rows } }: LogForSql) {
  const starts = turnStarts(rows)
  return {
    seq: (row: number) => seqOf(rows.seqOf(row)),
    line: (row: number) => rows.lineAt(row),
    file: (row: number) => rows.place(row).file,
    at_ms: (row: number) => rows.timeAt(row),
    track: (row: number) => trackName(rows.tracks[rows.trackAt(row)]?.trackId),
    turn: (row: number) => firstFrom(starts, row + 1) || null,
    tool: (row: number) => rows.toolAt(row),
    tool_kind: (row: number) => toolKind(rows.toolAt(row) ?? '')
  }
}

const seqOf = (seq: number): number | null => (seq < 0 ? null : seq)
const trackName = (trackId: string | null | undefined): string => trackId ?? 'main'
const kindOf = (kind: number): RowKind => rowKinds[kind] ?? 'record'

const events = table(
  'events',
  {
    ...place,
    ...moment,
    type: 'TEXT',
    kind: 'TEXT',
    role: 'TEXT',
    agent: 'TEXT',
    tool: 'TEXT',
    tool_kind: 'TEXT',
    call: 'INTEGER',
    mark: 'TEXT',
    bytes: 'INTEGER',
    summary: 'TEXT',
    text: 'TEXT'
  },
  (log) => rowsOf(log, (row) => log.index.rows.seqOf(row) >= 0),
  (log) => {
    const { rows, agentType } = log.index
    const eventAt = async (row: number): Promise<AgentEvent | null> => (await log.read(row)).event
    return {
      ...rowColumns(log),
      type: (row) => typeOfKind[kindOf(rows.kindAt(row))],
      kind: (row) => kindOf(rows.kindAt(row)),
      role: async (row) => roleOf(await eventAt(row)),
      agent: (row) => rows.agentAt(row) ?? rows.agentType ?? agentType,
      call: (row) => (rows.callOf(row) < 0 ? null : seqOf(rows.seqOf(rows.callOf(row)))),
      mark: (row) => rowMarks[rows.markAt(row)],
      bytes: (row) => rows.lengthAt(row),
      summary: async (row) => {
        const event = await eventAt(row)
        return event && eventSummary(event).text
      },
      text: async (row) => textOf(await eventAt(row))
    }
  }
)

function roleOf(event: AgentEvent | null): string | undefined {
  return event?.type === 'text' ? event.role : undefined
}

function textOf(event: AgentEvent | null): string | undefined {
  return event?.type === 'text' ? event.text : event?.type === 'error' ? event.error : undefined
}

const calls = table(
  'calls',
  {
    ...place,
    ...moment,
    tool: 'TEXT',
    tool_kind: 'TEXT',
    mcp: 'TEXT',
    result: 'INTEGER',
    status: 'TEXT',
    duration_ms: 'REAL',
    exit_code: 'INTEGER',
    command: 'TEXT',
    files: 'TEXT',
    input: 'TEXT',
    output: 'TEXT',
    error: 'TEXT'
  },
  (log) => rowsOf(log, (row) => isCountedCall(log.index.rows, row)),
  (log) => {
    const { rows } = log.index
    const statusOf = callStatuses(rows)
    const inputOf = async (row: number) => {
      const { event } = await log.read(row)
      return event?.type === 'tool.started' ? event.input : null
    }
    const resultAt = async (row: number) => {
      const result = resultOf(rows, row)
      return result < 0 ? null : await log.read(result)
    }
    const completedAt = async (row: number) => {
      const event = (await resultAt(row))?.event
      return event?.type === 'tool.completed' ? event : null
    }
    return {
      ...rowColumns(log),
      mcp: (row) => mcpServer(rows.toolAt(row) ?? ''),
      result: (row) => (resultOf(rows, row) < 0 ? null : seqOf(rows.seqOf(resultOf(rows, row)))),
      status: statusOf,
      duration_ms: (row) => (resultOf(rows, row) < 0 ? null : rows.tookAt(resultOf(rows, row))),
      exit_code: async (row) => (await resultAt(row))?.facts.exitCode,
      command: async (row) => commandOfCall((await inputOf(row)) ?? {}),
      files: async (row) => jsonOf(filesOfCall((await inputOf(row)) ?? {})),
      input: async (row) => jsonOf(await inputOf(row)),
      output: async (row) => (await completedAt(row))?.output,
      error: async (row) => (await completedAt(row))?.error
    }
  }
)

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** As `stats` counts calls: a todo tool's call is its first result, since the call itself has no event. */
function isCountedCall(rows: EventIndex, row: number): boolean {
  return callOf(rows, row) === row && (rows.isCall(row) || rows.isFirstResult(row))
}

const requests = table(
  'requests',
  {
    seq: 'INTEGER',
    last_seq: 'INTEGER',
    kind: 'TEXT',
    track: 'TEXT',
    turn: 'INTEGER',
    model: 'TEXT',
    begin_ms: 'INTEGER',
    end_ms: 'INTEGER',
    first_token_ms: 'REAL',
    input: 'INTEGER',
    cache_read: 'INTEGER',
    cache_write: 'INTEGER',
    sent: 'INTEGER',
    output: 'INTEGER',
    output_is: 'TEXT',
    reasoning: 'INTEGER',
    context_window: 'INTEGER',
    ...costColumns
  },
  ({ index }) => index.requests,
  (log) => {
    const { turn } = rowColumns(log)
    const span = ({ rowFirst, rowLast }: ModelRequest) => log.index.rows.spanOf(rowFirst, rowLast)
    return {
      seq: (request) => seqOf(span(request).seqFirst),
      last_seq: (request) => seqOf(span(request).seqLast),
      kind: (request) => request.of,
      track: (request) => trackName(request.trackId),
      turn: (request) => turn(request.rowFirst),
      model: (request) => request.model,
      begin_ms: (request) => span(request).begin,
      end_ms: (request) => span(request).end,
      first_token_ms: (request) => request.firstTokenMs,
      input: ({ tokens }) => tokens.input,
      cache_read: ({ tokens }) => tokens.cacheRead,
      cache_write: ({ tokens }) => tokens.cacheWrite,
      sent: ({ tokens }) => sentOf(tokens),
      output: ({ tokens }) => tokens.output,
      output_is: (request) => request.outputIs,
      reasoning: ({ tokens }) => tokens.reasoning,
      context_window: (request) => request.window,
      ...costOfEach((request: ModelRequest) => costOfRequest(request, log.prices))
    }
  }
)

type ChangeInList = TodoChange & { readonly list: KeptSnapshot }

function* todoChangesOf({ index: { todos } }: LogForSql): Generator<ChangeInList> {
  for (let number = 0; number < todos.length; number++) {
    const list = todos.at(number)
    if (list !== undefined) for (const change of todos.changes(number)) yield { ...change, list }
  }
}

const todoChanges = table(
  'todo_changes',
  {
    seq: 'INTEGER',
    at_ms: 'INTEGER',
    track: 'TEXT',
    turn: 'INTEGER',
    change: 'TEXT',
    item: 'TEXT',
    from_status: 'TEXT',
    to_status: 'TEXT'
  },
  todoChangesOf,
  (log) => {
    const { rows } = log.index
    const row = rowColumns(log)
    const statusIn = (status: unknown): string | null => (typeof status === 'string' ? status : null)
    return {
      seq: ({ list }) => list.seq,
      at_ms: ({ list }) => row.at_ms(rows.rowOf(list.seq)),
      track: ({ list }) => trackName(list.trackId),
      turn: ({ list }) => row.turn(rows.rowOf(list.seq)),
      change: (change) => (change.kind === 'removed' && change.dropped === true ? 'dropped' : change.kind),
      item: ({ text }) => text,
      from_status: ({ from }) => statusIn(from),
      to_status: ({ to }) => statusIn(to)
    }
  }
)

const issuesAtOnce = 1000

function* issuesOf({ index: { rows } }: LogForSql): Generator<RowIssue> {
  for (let from = 0; from < rows.issues.length; from += issuesAtOnce) yield* rows.issues.slice(from, issuesAtOnce)
}

const issues = table(
  'issues',
  { ...place, code: 'TEXT', severity: 'TEXT', path: 'TEXT', message: 'TEXT' },
  issuesOf,
  (log) => {
    const { seq, line, file } = rowColumns(log)
    return {
      seq: (issue) => seq(issue.row),
      line: (issue) => line(issue.row),
      file: (issue) => file(issue.row),
      code: (issue) => issue.code,
      severity: (issue) => issue.severity,
      path: (issue) => issue.path,
      message: (issue) => issue.message
    }
  }
)

const sessions = table(
  'sessions',
  {
    path: 'TEXT',
    format: 'TEXT',
    agent: 'TEXT',
    id: 'TEXT',
    title: 'TEXT',
    project: 'TEXT',
    branch: 'TEXT',
    model: 'TEXT',
    bytes: 'INTEGER',
    events: 'INTEGER',
    turns: 'INTEGER',
    begin_ms: 'INTEGER',
    end_ms: 'INTEGER',
    wall_ms: 'INTEGER',
    active_ms: 'INTEGER',
    waiting_ms: 'INTEGER',
    ...costColumns
  },
  ({ index: { rows } }) => {
    const counts = new RunCounts()
    counts.count(rows, rows.rows)
    return [counts]
  },
  (log) => {
    const { rows, agentType, requests } = log.index
    return {
      path: () => log.path,
      format: () => log.format,
      agent: () => rows.agentType ?? agentType,
      id: () => rows.sessionId,
      title: async () => (await log.card())?.title,
      project: async () => (await log.card())?.project,
      branch: async () => (await log.card())?.branch,
      model: () => rows.model,
      bytes: () => log.bytes,
      events: () => rows.events,
      turns: (counts) => counts.turns,
      begin_ms: () => rows.firstTimestamp,
      end_ms: () => rows.lastTimestamp,
      wall_ms: (counts) => counts.times?.wallMs,
      active_ms: (counts) => counts.times?.activeMs,
      waiting_ms: (counts) => counts.times?.waitingMs,
      ...costOfEach(() => costOf(usageOf(requests)?.spent ?? [], requests.runCostUsd, log.prices))
    }
  }
)

export const sqlTables: readonly SqlTable[] = [events, calls, requests, todoChanges, issues, sessions]
