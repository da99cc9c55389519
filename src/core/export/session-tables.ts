import type { AgentEvent } from '../events/agent-event.ts'
import { commandOfCall, filesOfCall } from '../index/tool-files.ts'
import type { SessionEnd } from '../library/session-end.ts'
import { rowKinds } from '../index/row-kind.ts'
import { firstFrom } from '../query/row-term.ts'
import { turnStarts } from '../query/row-terms.ts'
import { costOf } from '../requests/cost.ts'
import { costOfRequest } from '../requests/cost-sum.ts'
import type { PriceTable } from '../requests/prices.ts'
import { usageOf } from '../requests/usage.ts'
import { RunCounts } from '../summary/run-counts.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { type NumberedRequest, RunParts } from './run-parts.ts'
import type { SessionWriter, WrittenSession } from './session-writer.ts'

/** `time`: ms since the epoch. `count`: a 32-bit number; `large`: a 64-bit one. */
export type CellType = 'text' | 'count' | 'large' | 'number' | 'flag' | 'time'

/** Unknown is null. */
export type Cell = string | number | boolean | null

/** Of each table the columns, in order, with their types. docs/fleet.md describes them. */
export const sessionTables = {
  runs: {
    ...{ run_id: 'text', session_id: 'text', source_path: 'text', format: 'text', agent: 'text' },
    ...{ agent_version: 'text', model: 'text', title: 'text', cwd: 'text', git_branch: 'text' },
    ...{ started_at: 'time', ended_at: 'time', wall_ms: 'number', active_ms: 'number', waiting_ms: 'number' },
    ...{ events: 'count', turns: 'count', prompts: 'count', calls: 'count', failed_calls: 'count' },
    ...{ requests: 'count', input_tokens: 'large', cache_read_tokens: 'large', cache_write_tokens: 'large' },
    ...{ output_tokens: 'large', reasoning_tokens: 'large', output_understated: 'flag' },
    ...{ cost_usd: 'number', cost_from: 'text', cost_at_least: 'flag' },
    ...{ todo_changes: 'count', todos_total: 'count', todos_done: 'count' },
    ...{ issues: 'count', final_state: 'text', playhead_version: 'text', schema_version: 'count' }
  },
  events: {
    ...{ run_id: 'text', seq: 'count', type: 'text', ts: 'time', ts_from: 'text', track_id: 'text', turn: 'count' },
    ...{ role: 'text', category: 'text', is_prompt: 'flag', tool: 'text', tool_kind: 'text', tool_id: 'text' },
    ...{ target: 'text', text: 'text', input_json: 'text', is_call: 'flag', is_first_result: 'flag', is_error: 'flag' },
    ...{ duration_ms: 'number', duration_from: 'text', finish_reason: 'text', model: 'text', todo_id: 'text' },
    ...{ todo_json: 'text', src_file: 'text', src_line: 'count', src_offset: 'large' }
  },
  requests: {
    ...{ run_id: 'text', number: 'count', seq: 'count', last_seq: 'count', kind: 'text', track_id: 'text' },
    ...{ model: 'text', started_at: 'time', ended_at: 'time', first_token_ms: 'number', input_tokens: 'large' },
    ...{ cache_read_tokens: 'large', cache_write_tokens: 'large', output_tokens: 'large', output_is: 'text' },
    ...{ reasoning_tokens: 'large', context_window: 'large', cost_usd: 'number', cost_from: 'text' },
    ...{ cost_at_least: 'flag' }
  },
  todo_changes: {
    ...{ run_id: 'text', seq: 'count', ts: 'time', track_id: 'text', todo_id: 'text', change: 'text', item: 'text' },
    ...{ from_status: 'text', to_status: 'text' }
  }
} as const satisfies Record<string, Record<string, CellType>>

export type TableName = keyof typeof sessionTables
type Row<Name extends TableName> = Readonly<Record<keyof (typeof sessionTables)[Name], Cell | undefined>>

/** The version of these tables, in `runs`. It rises when a column changes its meaning. */
export const tablesVersion = 2

const promptKind = rowKinds.indexOf('prompt')
const failedKind = rowKinds.indexOf('tool-error')

export interface TablesOptions extends Omit<WrittenSession, 'out'> {
  /** Tells equal session ids of several logs apart. */
  readonly runId: string
  readonly path: string
  /** From the head of the log. */
  readonly card: { readonly title: string | null; readonly branch: string | null } | null
  readonly end: SessionEnd
  readonly prices: PriceTable | null
  /** False: the cells of texts of the session are null. */
  readonly texts: boolean
  /** Receives the cells of a row in the order of the columns. */
  readonly add: (table: TableName, cells: readonly Cell[]) => void
}

/** Writes a session as rows of tables: runs, events, requests to models, changes of todo lists. */
export class SessionTables implements SessionWriter {
  private readonly options: TablesOptions
  private readonly parts: RunParts
  private readonly turnStarts: ReturnType<typeof turnStarts>
  private prompts = 0
  private version: string | undefined
  private cwd: string | undefined
  private todoChanges = 0
  private nextTodoList = 0

  constructor(options: TablesOptions) {
    this.options = options
    this.parts = new RunParts(options.analysis)
    this.turnStarts = turnStarts(options.analysis.index.rows)
  }

  event(event: AgentEvent, seq: number): void {
    const { rows, todos } = this.index
    const row = rows.rowOf(seq)
    if (event.trackId === undefined) this.options.end.add(event)
    if (event.type === 'session.started') {
      this.version ??= event.version
      this.cwd ??= event.cwd
    }
    for (const request of this.parts.requestsAt(row)) this.request(request)
    this.addEvent(event, seq, row)
    for (; this.nextTodoList < todos.length && todos.seqOf(this.nextTodoList) <= seq; this.nextTodoList++) {
      if (todos.seqOf(this.nextTodoList) === seq) this.todoList(this.nextTodoList)
    }
  }

  end(): void {
    for (const request of this.parts.requestsAt(Infinity)) this.request(request)
    this.run()
  }

  private get index() {
    return this.options.analysis.index
  }

  private text(text: string | null | undefined): string | null {
    return this.options.texts && text !== undefined ? text : null
  }

  private add<Name extends TableName>(table: Name, row: Row<Name>): void {
    const cells: Cell[] = []
    for (const column in sessionTables[table]) cells.push(known(row[column]))
    this.options.add(table, cells)
  }

  private addEvent(event: AgentEvent, seq: number, row: number): void {
    const { rows } = this.index
    const tool = rows.toolAt(row)
    const isResult = event.type === 'tool.completed'
    const isPrompt = this.isPrompt(row)
    if (isPrompt) this.prompts++
    // As `stats` counts calls: a todo tool's call is its first result, since the call itself has no event.
    const isFirstResult = isResult && rows.isFirstResult(row)
    const call = rows.callOf(row)
    const isCall = rows.isCall(row) || (isFirstResult && tool !== undefined && !(call >= 0 && rows.isCall(call)))
    this.add('events', {
      run_id: this.options.runId,
      seq,
      type: event.type,
      ts: timeOf(event),
      ts_from: event.timestampFrom ?? (event.timestamp === 0 ? null : 'record'),
      track_id: event.trackId,
      turn: firstFrom(this.turnStarts, row + 1) || null,
      role: event.type === 'text' ? event.role : undefined,
      category: event.type === 'text' ? event.category : undefined,
      is_prompt: isPrompt,
      tool,
      tool_kind: tool === undefined ? null : toolKind(tool),
      tool_id: event.type === 'tool.started' || isResult ? event.toolId : undefined,
      target:
        event.type === 'tool.started' ? this.text(commandOfCall(event.input) ?? filesOfCall(event.input)[0]) : null,
      text: this.text(textOf(event)),
      input_json: event.type === 'tool.started' ? this.text(JSON.stringify(event.input)) : null,
      is_call: isCall,
      is_first_result: isFirstResult,
      is_error: event.type === 'error' || rows.kindAt(row) === failedKind,
      duration_ms: isResult || event.type === 'turn.completed' ? event.durationMs : undefined,
      duration_from: isResult ? event.durationFrom : undefined,
      finish_reason: event.type === 'turn.completed' ? event.finishReason : undefined,
      model: event.type === 'turn.completed' || event.type === 'session.started' ? event.model : undefined,
      todo_id: event.type === 'todo_list' ? event.todoId : undefined,
      todo_json: event.type === 'todo_list' ? this.text(JSON.stringify(event.items)) : null,
      src_file: event.source?.file,
      src_line: event.source?.line,
      src_offset: event.source?.offset
    })
  }

  private request(request: NumberedRequest): void {
    const { number, of, rowFirst, rowLast, trackId, model, tokens, outputIs, window, firstTokenMs } = request
    const { seqFirst, seqLast, begin, end } = this.index.rows.spanOf(rowFirst, rowLast)
    const { cost } = costOfRequest(request, this.options.prices)
    this.add('requests', {
      run_id: this.options.runId,
      number,
      seq: seqFirst < 0 ? null : seqFirst,
      last_seq: seqLast < 0 ? null : seqLast,
      kind: of,
      track_id: trackId,
      model,
      started_at: begin,
      ended_at: end,
      first_token_ms: firstTokenMs,
      input_tokens: tokens.input,
      cache_read_tokens: tokens.cacheRead,
      cache_write_tokens: tokens.cacheWrite,
      output_tokens: tokens.output,
      output_is: outputIs,
      reasoning_tokens: tokens.reasoning,
      context_window: window,
      cost_usd: cost?.usd,
      cost_from: cost?.from,
      cost_at_least: cost?.atLeast
    })
  }

  private todoList(number: number): void {
    const list = this.index.todos.at(number)
    if (list === undefined) return
    for (const change of this.index.todos.changes(number)) {
      this.todoChanges++
      this.add('todo_changes', {
        run_id: this.options.runId,
        seq: list.seq,
        ts: list.timestamp === 0 ? null : list.timestamp,
        track_id: list.trackId,
        todo_id: list.todoId,
        change: change.kind === 'removed' && change.dropped === true ? 'dropped' : change.kind,
        item: this.text(this.options.clean(change.text)),
        from_status: typeof change.from === 'string' ? change.from : null,
        to_status: typeof change.to === 'string' ? change.to : null
      })
    }
  }

  private run(): void {
    const { options, index } = this
    const { rows, requests, todos } = index
    const counts = new RunCounts()
    counts.count(rows, rows.rows)
    const usage = usageOf(requests)
    const spent = costOf(usage?.spent ?? [], requests.runCostUsd, options.prices).cost
    const lastList = todos.at(todos.indexAt(Infinity))
    const clean = (text: string | null | undefined): string | null => (text == null ? null : options.clean(text))
    this.add('runs', {
      run_id: options.runId,
      session_id: rows.sessionId,
      source_path: clean(options.path),
      format: options.format,
      agent: rows.agentType ?? index.agentType,
      agent_version: this.version,
      model: rows.model,
      title: this.text(clean(options.card?.title)),
      cwd: clean(this.cwd),
      git_branch: clean(options.card?.branch),
      started_at: rows.firstTimestamp,
      ended_at: rows.lastTimestamp,
      wall_ms: counts.times?.wallMs,
      active_ms: counts.times?.activeMs,
      waiting_ms: counts.times?.waitingMs,
      events: rows.events,
      turns: counts.turns,
      prompts: this.prompts,
      calls: counts.all.total,
      failed_calls: counts.all.failed,
      requests: usage?.requests,
      input_tokens: usage?.input,
      cache_read_tokens: usage?.cacheRead,
      cache_write_tokens: usage?.cacheWrite,
      output_tokens: usage?.output,
      reasoning_tokens: usage?.reasoning,
      output_understated: usage === null ? null : usage.understatedRequests > 0,
      cost_usd: spent?.usd,
      cost_from: spent?.from,
      cost_at_least: spent?.atLeast,
      todo_changes: this.todoChanges,
      todos_total: lastList?.items.length,
      todos_done: lastList?.items.filter(({ status }) => status === 'completed').length,
      issues: rows.issues.length,
      final_state: options.end.state,
      playhead_version: options.version,
      schema_version: tablesVersion
    })
  }

  private isPrompt(row: number): boolean {
    const { rows } = this.index
    return rows.trackAt(row) === 0 && rows.kindAt(row) === promptKind
  }
}

function known(value: Cell | undefined): Cell {
  return value === undefined || Number.isNaN(value) ? null : value
}

function timeOf({ timestamp }: AgentEvent): number | null {
  return timestamp === 0 ? null : timestamp
}

function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'text') return event.text
  if (event.type === 'error') return event.error
  return event.type === 'tool.completed' ? (event.error ?? event.output) : undefined
}
