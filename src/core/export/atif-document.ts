import type { AgentEvent, SessionStarted, Text, ToolCompleted } from '../events/agent-event.ts'
import type { NumberedRequest } from './run-parts.ts'
import { RunParts } from './run-parts.ts'
import { safeJson } from './normalized-jsonl.ts'
import type { SessionWriter, WrittenSession } from './session-writer.ts'
import { stated } from '../json.ts'
import { sentOf } from '../requests/tokens.ts'

/** The version that the reference converters write and other tools read. */
const schemaVersion = 'ATIF-v1.7'

/** A part of the document: text, or the number of a piece that was kept. */
export type DocumentPart = string | { readonly piece: number }

export interface AtifOptions extends Omit<WrittenSession, 'out'> {
  /** Only some events are written. */
  readonly isPart: boolean
  /** Keeps a piece of the document outside memory; returns its number. */
  readonly keep: (json: string) => number
}

type Source = 'system' | 'user' | 'agent'

/** A step of a trajectory. Its texts are kept outside memory. */
interface Step {
  readonly source: Source
  /** Its members up to the observation, without braces; -1: it is still open. */
  body: number
  /** While it is open. */
  open: OpenStep | null
  /** Pieces: the results of its calls, the todo lists and the turn ends that came during it. */
  results: number[] | null
  todoLists: number[] | null
  turns: number[] | null
  /** Pieces of further members of `extra`; -1: none. */
  extra: number
  /** Pieces of the metrics; -1: none. */
  metrics: number
}

interface OpenStep {
  readonly timestamp: string | undefined
  /** The number of the request; -1: unknown. */
  readonly request: number
  reasoning: string | undefined
  message: string | undefined
  readonly calls: object[]
  readonly extra: Record<string, unknown>
}

interface Trajectory {
  readonly trackId: string | null
  agentName: string
  model: string | undefined
  readonly steps: Step[]
  request: NumberedRequest | null
  /** The metrics of the request are on a step. */
  isCounted: boolean
}

/**
 * A trajectory of the Agent Trajectory Interchange Format: one of the main agent, and one of each subagent inside it. A step
 * of an agent is what one request gave until the first result. What the format has no word for is in `extra`, where
 * Playhead finds it again: docs/formats/atif.md#playheads-own-exports-keep-every-event.
 * Source: RFC 0001 of harbor-framework/harbor, version 1.7.
 */
export class AtifDocument implements SessionWriter {
  private readonly options: AtifOptions
  private readonly parts: RunParts
  private readonly trajectories = new Map<string | null, Trajectory>()
  /** By the row of a call: the step that it is in. */
  private readonly stepOfCall = new Map<number, Step>()
  private readonly startedBy: ReadonlyMap<number, readonly string[]>
  private started: (AgentEvent & { readonly type: 'session.started' }) | null = null
  private isFirst = true

  constructor(options: AtifOptions) {
    this.options = options
    this.parts = new RunParts(options.analysis)
    const startedBy = new Map<number, string[]>()
    for (const { trackId, call } of this.rows.tracks) {
      if (trackId !== null && call >= 0) startedBy.set(call, [...(startedBy.get(call) ?? []), trackId])
    }
    this.startedBy = startedBy
    this.trajectoryOf(null)
  }

  event(event: AgentEvent, seq: number): void {
    const row = this.rows.rowOf(seq)
    const track = this.trajectoryOf(event.trackId ?? null)
    for (const request of this.parts.requestsAt(row)) this.begin(request)
    if (event.type === 'session.started' && this.isFirst && event.trackId === undefined) this.started = event
    else this.add(event, seq, row, track)
    this.isFirst = false
  }

  end(): void {
    for (const request of this.parts.requestsAt(Infinity)) this.begin(request)
    for (const track of this.trajectories.values()) {
      this.endRequest(track)
      this.close(track)
    }
  }

  /** The parts of the document, after `end`. A member or a step a line, so that a reader needs no more than that at once. */
  *document(): Generator<DocumentPart> {
    const [main, ...others] = this.trajectories.values()
    if (main === undefined) return
    const { index } = this.options.analysis
    const { sessionId } = this.rows
    yield `{\n"schema_version":"${schemaVersion}"`
    if (sessionId !== null) yield `,\n"session_id":${safeJson(sessionId)}`
    yield `,\n"agent":${safeJson(this.agentOf(main))}`
    const { started } = this
    const session_started =
      started === null ? false : { ...stated({ timestamp: timeText(started) }), ...factsOf(started) }
    yield `,\n"extra":${safeJson({ ...stated({ cwd: started?.cwd }), session_started })}`
    yield* this.steps(main)
    const sums = index.requests.length === 0 ? {} : this.sums()
    const cost = index.cost.usd === null ? {} : { total_cost_usd: index.cost.usd }
    yield `,\n"final_metrics":${safeJson({ ...sums, ...cost, total_steps: main.steps.length })}`
    const written = others.filter(({ steps }) => steps.length > 0)
    if (written.length > 0) {
      yield ',\n"subagent_trajectories":[\n'
      for (const [at, track] of written.entries()) {
        yield `${at === 0 ? '' : ',\n'}{"schema_version":"${schemaVersion}","trajectory_id":${safeJson(track.trackId)}`
        yield `,"agent":${safeJson(this.agentOf(track))},"extra":{"call_ids":"unique"}`
        yield* this.steps(track)
        yield '}'
      }
      yield '\n]'
    }
    yield '\n}\n'
  }

  private get rows() {
    return this.options.analysis.index.rows
  }

  private sums() {
    let [prompt, cached, output]: (number | undefined)[] = []
    for (const { tokens } of this.options.analysis.index.requests) {
      const sent = sentOf(tokens)
      if (sent !== undefined) prompt = (prompt ?? 0) + sent
      if (tokens.cacheRead !== undefined) cached = (cached ?? 0) + tokens.cacheRead
      if (tokens.output !== undefined) output = (output ?? 0) + tokens.output
    }
    return stated({ total_prompt_tokens: prompt, total_completion_tokens: output, total_cached_tokens: cached })
  }

  private agentOf({ agentName, model, trackId }: Trajectory): object {
    const { started } = this
    const isMain = trackId === null
    const tools = isMain ? started?.tools?.map((name) => ({ type: 'function', function: { name } })) : undefined
    return stated({
      name: agentName,
      // The format wants one.
      version: (isMain ? started?.version : undefined) ?? 'unknown',
      model_name: (isMain ? started?.model : undefined) ?? model,
      tool_definitions: tools
    })
  }

  private *steps({ steps }: Trajectory): Generator<DocumentPart> {
    yield ',\n"steps":['
    for (const [at, step] of steps.entries()) {
      yield `${at === 0 ? '' : ','}\n{"step_id":${at + 1},`
      yield { piece: step.body }
      if (step.results !== null) {
        yield ',"observation":{"results":['
        yield* list(step.results)
        yield ']}'
      }
      if (step.metrics >= 0) {
        yield ',"metrics":'
        yield { piece: step.metrics }
      }
      if (step.extra >= 0 || step.todoLists !== null || step.turns !== null) {
        yield ',"extra":{'
        let separator = ''
        if (step.extra >= 0) {
          yield { piece: step.extra }
          separator = ','
        }
        for (const [name, pieces] of [
          ['todo_lists', step.todoLists],
          ['turns', step.turns]
        ] as const) {
          if (pieces === null) continue
          yield `${separator}"${name}":[`
          yield* list(pieces)
          yield ']'
          separator = ','
        }
        yield '}'
      }
      yield '}'
    }
    // The format wants at least one.
    if (steps.length === 0) yield '\n{"step_id":1,"source":"system","message":""}'
    yield '\n]'
  }

  private trajectoryOf(trackId: string | null): Trajectory {
    let track = this.trajectories.get(trackId)
    if (track !== undefined) return track
    const agentName = this.rows.agentType ?? this.options.analysis.index.agentType ?? 'unknown'
    track = { trackId, agentName, model: undefined, steps: [], request: null, isCounted: true }
    this.trajectories.set(trackId, track)
    return track
  }

  /** A request of a track begins; the metrics of the one before it must stand somewhere. */
  private begin(request: NumberedRequest): void {
    const track = this.trajectoryOf(request.trackId)
    this.endRequest(track)
    track.request = request
    track.isCounted = false
    track.model ??= request.model ?? undefined
    // What ends a turn tells of what came before.
    if (request.of !== 'request') this.endRequest(track)
  }

  private endRequest(track: Trajectory): void {
    const { request } = track
    if (request === null || track.isCounted) return
    const last = track.steps.at(-1)
    const isFree = request.of !== 'request' && last?.source === 'agent' && last.metrics < 0
    const step = isFree ? last : this.open(track, 'agent', undefined, request.number)
    this.count(step, track)
  }

  private count(step: Step, track: Trajectory): void {
    const { request } = track
    track.isCounted = true
    if (request === null) return
    const { tokens, costUsd, of } = request
    const extra = stated({
      scope: of === 'request' ? undefined : of,
      cache_write_tokens: tokens.cacheWrite,
      reasoning_tokens: tokens.reasoning
    })
    const metrics = stated({
      prompt_tokens: sentOf(tokens),
      completion_tokens: tokens.output,
      cached_tokens: tokens.cacheRead,
      cost_usd: costUsd ?? undefined,
      extra: Object.keys(extra).length === 0 ? undefined : extra
    })
    if (Object.keys(metrics).length > 0) step.metrics = this.options.keep(safeJson(metrics))
  }

  private add(event: AgentEvent, seq: number, row: number, track: Trajectory): void {
    if (track.steps.length === 0) track.agentName = event.agentType
    const at = stated({ seq, timestamp: timeText(event) })
    switch (event.type) {
      case 'text':
        this.text(event, seq, row, track)
        return
      case 'tool.started': {
        const step = this.agentStep(track, row, event, ({ calls: _any }) => true)
        const id = event.toolId
        step.open?.calls.push({ tool_call_id: id, function_name: event.toolName, arguments: event.input, extra: at })
        this.stepOfCall.set(row, step)
        return
      }
      case 'tool.completed':
        this.result(event, seq, row, track)
        return
      case 'todo_list': {
        const { todoId, items } = event
        const step = track.steps.at(-1) ?? this.open(track, 'system', event)
        const list = { ...at, todo_id: todoId, items }
        ;(step.todoLists ??= []).push(this.options.keep(safeJson(list)))
        return
      }
      case 'turn.completed': {
        const { finishReason, model, usage, costUsd, durationMs } = event
        const step = track.steps.at(-1) ?? this.open(track, 'system', event)
        const turn = { finish_reason: finishReason, model, usage, cost_usd: costUsd, duration_ms: durationMs }
        ;(step.turns ??= []).push(this.options.keep(safeJson({ ...at, ...stated(turn) })))
        return
      }
      case 'error': {
        const { error, code, stack } = event
        const step = this.open(track, 'system', event)
        this.say(step, error, { message_seq: seq, error: stated({ code, stack }) })
        return
      }
      case 'session.started': {
        const step = this.open(track, 'system', event)
        this.say(step, '', { session: { ...at, ...factsOf(event) } })
      }
    }
  }

  private text(event: AgentEvent & Text, seq: number, row: number, track: Trajectory): void {
    const { text, role, category } = event
    const isAgent = role === 'assistant'
    if (isAgent && category === 'reasoning') {
      const step = this.agentStep(track, row, event, (open) => isBare(open) && open.reasoning === undefined)
      if (step.open === null) return
      step.open.reasoning = text
      step.open.extra['reasoning_seq'] = seq
      return
    }
    const usual = isAgent ? 'assistant-message' : role === 'user' ? 'user-message' : 'status'
    const source = isAgent ? 'agent' : role === 'user' ? 'user' : 'system'
    const isUsual = category === usual
    const extra = stated({
      message_seq: seq,
      category: isUsual ? undefined : (category ?? null),
      role: role === undefined ? null : undefined
    })
    const step =
      isAgent && isUsual
        ? this.agentStep(track, row, event, isBare)
        : this.open(track, source, event, this.requestAt(track, row))
    this.say(step, text, { ...extra, ...timeBeside(event, step) })
    if (isAgent && !isUsual) this.close(track)
  }

  private say({ open }: Step, text: string, extra: object): void {
    if (open === null) return
    open.message = text
    Object.assign(open.extra, extra)
  }

  private result(event: AgentEvent & ToolCompleted, seq: number, row: number, track: Trajectory): void {
    const { toolId, toolName, output, error, durationMs, durationFrom } = event
    const call = this.rows.callOf(row)
    const owner = this.stepOfCall.get(call)
    this.stepOfCall.delete(call)
    const extra = stated({
      seq,
      completed_at: timeText(event),
      is_error: error === undefined ? undefined : true,
      // Absent, a reader finds the time between the records again.
      duration_ms: durationFrom === 'stated' ? durationMs : undefined,
      ...(owner === undefined ? { tool_call_id: toolId, tool_name: toolName } : undefined)
    })
    const tracks = this.options.isPart ? [] : (this.startedBy.get(call) ?? [])
    const result = stated({
      source_call_id: owner === undefined ? undefined : toolId,
      content: error ?? output,
      subagent_trajectory_ref: tracks.length === 0 ? undefined : tracks.map((trajectory_id) => ({ trajectory_id })),
      extra
    })
    const step = owner ?? this.open(track, 'system', event)
    ;(step.results ??= []).push(this.options.keep(safeJson(result)))
  }

  /** The open step of the agent, if the event belongs to the same request and the step has room for it; else a new one. */
  private agentStep(track: Trajectory, row: number, event: AgentEvent, hasRoom: (open: OpenStep) => boolean): Step {
    const request = this.requestAt(track, row)
    const last = track.steps.at(-1)
    if (last?.source === 'agent' && last.open?.request === request && last.results === null && hasRoom(last.open))
      return last
    return this.open(track, 'agent', event, request)
  }

  /** The number of the request that a row is of; -1: unknown. */
  private requestAt({ request }: Trajectory, row: number): number {
    return request !== null && request.of === 'request' && request.rowLast >= row ? request.number : -1
  }

  private open(track: Trajectory, source: Source, event: AgentEvent | undefined, request = -1): Step {
    this.close(track)
    const timestamp = event === undefined ? undefined : timeText(event)
    const open: OpenStep = { timestamp, request, reasoning: undefined, message: undefined, calls: [], extra: {} }
    const step: Step = {
      ...{ source, body: -1, open, results: null, todoLists: null, turns: null, extra: -1, metrics: -1 }
    }
    track.steps.push(step)
    if (source === 'agent' && !track.isCounted && track.request?.number === request) this.count(step, track)
    return step
  }

  /** Keeps the texts of the last step outside memory. */
  private close({ steps, request, model }: Trajectory): void {
    const step = steps.at(-1)
    const open = step?.open
    if (step === undefined || open === undefined || open === null) return
    const { source } = step
    const own = open.request >= 0 && request?.number === open.request ? request.model : null
    const members = stated({
      timestamp: open.timestamp,
      source,
      model_name: source === 'agent' ? (own ?? model) : undefined,
      message: open.message ?? '',
      reasoning_content: open.reasoning,
      tool_calls: open.calls.length === 0 ? undefined : open.calls
    })
    step.body = this.options.keep(safeJson(members).slice(1, -1))
    if (Object.keys(open.extra).length > 0) step.extra = this.options.keep(safeJson(open.extra).slice(1, -1))
    step.open = null
  }
}

function factsOf({ model, cwd, tools, version }: SessionStarted): object {
  return stated({ model, cwd, tools, version })
}

function isBare({ message, calls }: OpenStep): boolean {
  return message === undefined && calls.length === 0
}

function* list(pieces: readonly number[]): Generator<DocumentPart> {
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) yield ','
    yield { piece }
  }
}

/** The time of a step's message, unless it is that of the step. */
function timeBeside(event: AgentEvent, { open }: Step): object {
  const at = timeText(event)
  return at === open?.timestamp ? {} : { message_at: at ?? null }
}

/** The time that a record states; undefined if none does. */
function timeText({ timestamp, timestampFrom = 'record' }: AgentEvent): string | undefined {
  const isStated = timestampFrom !== 'previous' && timestamp !== 0 && Math.abs(timestamp) <= 8.64e15
  return isStated ? new Date(timestamp).toISOString() : undefined
}
