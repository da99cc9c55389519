import type { AgentEvent, SessionStarted, Text, ToolCompleted } from '../events/agent-event.ts'
import { namedAgent, unknownAgent } from '../formats/agents.ts'
import { rowMarks } from '../index/row-mark.ts'
import { stated } from '../json.ts'
import type { Compaction } from '../requests/request-list.ts'
import { RunCost } from '../requests/run-cost.ts'
import { sentOf } from '../requests/tokens.ts'
import { AtifStep, type BegunRequest, type DocumentPart, type Source, type StepStart } from './atif-step.ts'
import { safeJson } from './normalized-jsonl.ts'
import { type NumberedRequest, RunParts } from './run-parts.ts'
import type { SessionWriter, WrittenSession } from './session-writer.ts'

/** The version that the reference converters write and other tools read. */
const schemaVersion = 'ATIF-v1.7'

export interface AtifOptions extends Omit<WrittenSession, 'out'> {
  /** Only some events are written. */
  readonly isPart: boolean
  /** Keeps a piece of the document outside memory; returns its number. */
  readonly keep: (json: string) => number
}

interface Trajectory {
  readonly trackId: string | null
  agentName: string
  model: string | undefined
  readonly steps: AtifStep[]
  /** Events so far, and requests. */
  events: number
  requests: number
  /** The last one that began. */
  request: BegunRequest | null
  /** What ends of turns state, until all their events are written. */
  totals: NumberedRequest[]
}

/**
 * A trajectory of the Agent Trajectory Interchange Format: one of the main agent, and one of each subagent inside it. A step
 * of an agent is what one request gave until the first result. What the format has no word for is in `extra`, where
 * Playhead finds it again, and then writes the same document: docs/formats/atif.md#playheads-own-exports-keep-every-event.
 * Source: RFC 0001 of harbor-framework/harbor, version 1.7.
 */
export class AtifDocument implements SessionWriter {
  private readonly options: AtifOptions
  private readonly parts: RunParts
  private readonly trajectories = new Map<string | null, Trajectory>()
  /** By the row of a call: the step that it is in. */
  private readonly stepOfCall = new Map<number, { readonly step: AtifStep; readonly track: Trajectory }>()
  private readonly startedBy: ReadonlyMap<number, readonly string[]>
  private started: (AgentEvent & { readonly type: 'session.started' }) | null = null
  /** Of the requests that are written. */
  private readonly sums: { prompt?: number; output?: number; cached?: number } = {}
  private readonly cost = new RunCost()
  /** Those not yet written, the last one first. */
  private readonly compactions: Compaction[]
  /** Trajectories with a request or a turn of which no step has the tokens yet. */
  private readonly waiting = new Set<Trajectory>()
  /** Of the event that is written. */
  private row = 0

  constructor(options: AtifOptions) {
    this.options = options
    this.parts = new RunParts(options.analysis)
    const startedBy = new Map<number, string[]>()
    for (const { trackId, call } of this.rows.tracks) {
      if (trackId !== null && call >= 0) startedBy.set(call, [...(startedBy.get(call) ?? []), trackId])
    }
    this.startedBy = startedBy
    this.compactions = options.isPart ? [] : options.analysis.index.requests.compactions.reverse()
    this.trajectoryOf(null)
  }

  event(event: AgentEvent, seq: number): void {
    this.row = this.rows.rowOf(seq)
    const track = this.trajectoryOf(event.trackId ?? null)
    this.reach(this.row)
    if (track.events === 0) track.agentName = namedAgent(event.agentType) ?? unknownAgent
    if (event.type === 'session.started' && track.trackId === null && track.events === 0) this.started = event
    else this.add(event, track)
    track.events++
    this.addCompactions(this.row, track)
  }

  end(): void {
    this.reach(Infinity)
    for (const { trackId } of [...this.compactions]) this.addCompactions(Infinity, this.trajectoryOf(trackId))
    for (const { steps } of this.trajectories.values()) steps.at(-1)?.close()
  }

  /** The parts of the document, after `end`. A member or a step a line, so that a reader needs no more than that at once. */
  *document(): Generator<DocumentPart> {
    const [main, ...others] = this.trajectories.values()
    if (main === undefined) return
    const { sessionId } = this.rows
    yield `{\n"schema_version":"${schemaVersion}"`
    if (sessionId !== null) yield `,\n"session_id":${safeJson(sessionId)}`
    yield `,\n"agent":${safeJson(this.agentOf(main))}`
    const { started } = this
    const session_started = started === null ? false : { ...this.about(started, main), ...factsOf(started), seq: 0 }
    yield `,\n"extra":${safeJson({ ...stated({ cwd: started?.cwd }), session_started })}`
    yield* stepsOf(main, started === null ? 0 : 1)
    let seq = main.events
    const { prompt, output, cached } = this.sums
    const final = {
      ...{ total_prompt_tokens: prompt, total_completion_tokens: output, total_cached_tokens: cached },
      ...{ total_cost_usd: this.costUsd ?? undefined, total_steps: Math.max(1, main.steps.length) }
    }
    yield `,\n"final_metrics":${safeJson(stated(final))}`
    const written = others.filter(({ steps }) => steps.length > 0)
    if (written.length > 0) {
      yield ',\n"subagent_trajectories":[\n'
      for (const [at, track] of written.entries()) {
        yield `${at === 0 ? '' : ',\n'}{"schema_version":"${schemaVersion}","trajectory_id":${safeJson(track.trackId)}`
        yield `,"agent":${safeJson(this.agentOf(track))},"extra":{"call_ids":"unique"}`
        yield* stepsOf(track, seq)
        seq += track.events
        yield '}'
      }
      yield '\n]'
    }
    yield '\n}\n'
  }

  /** What the ends of the written turns state, else what the log states of the whole run. */
  private get costUsd(): number | null {
    const { isPart, analysis } = this.options
    return this.cost.usd ?? (isPart ? null : analysis.index.requests.runCostUsd)
  }

  private get rows() {
    return this.options.analysis.index.rows
  }

  private agentOf({ agentName, model, trackId, events }: Trajectory): object {
    const { started } = this
    const main = this.trajectoryOf(null)
    const isMain = trackId === null
    const tools = isMain ? started?.tools?.map((name) => ({ type: 'function', function: { name } })) : undefined
    return stated({
      name: events > 0 ? agentName : main.agentName,
      // The format wants one.
      version: (isMain ? started?.version : undefined) ?? 'unknown',
      model_name: (isMain ? started?.model : undefined) ?? model,
      tool_definitions: tools
    })
  }

  private trajectoryOf(trackId: string | null): Trajectory {
    let track = this.trajectories.get(trackId)
    if (track !== undefined) return track
    track = {
      trackId,
      agentName: unknownAgent,
      model: undefined,
      steps: [],
      events: 0,
      requests: 0,
      request: null,
      totals: []
    }
    this.trajectories.set(trackId, track)
    return track
  }

  /** Requests begin up to a row, and they and turns end before it. */
  private reach(row: number): void {
    for (const request of this.parts.requestsAt(row)) {
      const track = this.trajectoryOf(request.trackId)
      this.endTurns(track, row)
      this.begin(request, track)
      this.waiting.add(track)
    }
    for (const track of this.waiting) {
      this.endTurns(track, row)
      const { request, totals } = track
      const isOpen = request?.isCounted === false
      if (isOpen && request.request.rowLast < row) this.endRequest(track)
      else if (!isOpen && totals.length === 0) this.waiting.delete(track)
    }
  }

  private begin(request: NumberedRequest, track: Trajectory): void {
    const { tokens, model } = request
    const { sums } = this
    for (const [name, count] of [
      ['prompt', sentOf(tokens)],
      ['output', tokens.output],
      ['cached', tokens.cacheRead]
    ] as const) {
      if (count !== undefined) sums[name] = (sums[name] ?? 0) + count
    }
    if (request.of !== 'request') {
      track.totals.push(request)
      return
    }
    // The metrics of the one before must stand somewhere.
    this.endRequest(track)
    track.request = { request, number: track.requests++, isCounted: false }
    track.model ??= model ?? undefined
  }

  private endRequest(track: Trajectory): void {
    const { request } = track
    if (request === null || request.isCounted) return
    this.open(track, 'agent', undefined, request)
    // What comes later is not known to be of it.
    track.request = null
  }

  /** What ends a turn tells of what came before. */
  private endTurns(track: Trajectory, row: number): void {
    for (let total = track.totals[0]; total !== undefined && total.rowLast < row; total = track.totals[0]) {
      track.totals.shift()
      this.endRequest(track)
      track.model ??= total.model ?? undefined
      const last = track.steps.at(-1)
      const isFree = last?.source === 'agent' && !last.isOfRequest && !last.hasMetrics
      const step = isFree ? last : this.open(track, 'agent', undefined)
      step.measure(total)
    }
  }

  /** Compactions up to a row, of the track of its event. */
  private addCompactions(row: number, track: Trajectory): void {
    for (let at = this.compactions.length - 1; at >= 0; at--) {
      const { row: from, trackId, before, after } = this.compactions[at] ?? { row: Infinity }
      if (from > row) return
      if (trackId !== track.trackId) continue
      const step = row === Infinity ? undefined : track.steps.at(-1)
      const sizes = stated({ tokens_before: before ?? undefined, tokens_after: after ?? undefined })
      ;(step ?? this.open(track, 'system', undefined)).addCompaction(sizes)
      this.compactions.splice(at, 1)
    }
  }

  private add(event: AgentEvent, track: Trajectory): void {
    const about = this.about(event, track)
    switch (event.type) {
      case 'text':
        this.text(event, track)
        return
      case 'tool.started': {
        const step = this.agentStep(track, event, 'call')
        const id = event.toolId
        step.add('tool_calls', {
          ...{ tool_call_id: id, function_name: event.toolName, arguments: event.input },
          extra: about
        })
        this.stepOfCall.set(this.row, { step, track })
        return
      }
      case 'tool.completed':
        this.result(event, track)
        return
      case 'todo_list': {
        const { todoId, items } = event
        this.stepOf(event, track).add('todo_lists', { ...about, todo_id: todoId, items })
        return
      }
      case 'turn.completed': {
        const { finishReason, model, usage, costUsd, durationMs } = event
        this.cost.add(costUsd)
        const turn = { finish_reason: finishReason, model, usage, cost_usd: costUsd, duration_ms: durationMs }
        this.stepOf(event, track).add('turns', { ...about, ...stated(turn) })
        return
      }
      case 'error': {
        const { error, code, stack } = event
        this.say(this.open(track, 'system', event), event, error, { error: stated({ code, stack }) })
        return
      }
      case 'session.started':
        this.open(track, 'system', event).add('session', { ...about, ...factsOf(event) })
    }
  }

  /** The step that an event belongs to for which the format has no word. */
  private stepOf(event: AgentEvent, track: Trajectory): AtifStep {
    const request = this.requestOf(track)
    if (request?.isCounted === false) return this.open(track, 'agent', event, request)
    const last = track.steps.at(-1)
    return last === undefined || last.length === 0 ? this.open(track, 'system', event) : last
  }

  private text(event: AgentEvent & Text, track: Trajectory): void {
    const { text, role, category } = event
    const isAgent = role === 'assistant'
    if (isAgent && category === 'reasoning') {
      const step = this.agentStep(track, event, 'reasoning')
      step.reason(text, { reasoning_event_id: event.eventId })
      return
    }
    const usual = isAgent ? 'assistant-message' : role === 'user' ? 'user-message' : 'status'
    const source = isAgent ? 'agent' : role === 'user' ? 'user' : 'system'
    const isUsual = category === usual
    const step =
      isAgent && isUsual
        ? this.agentStep(track, event, 'message')
        : this.open(track, source, event, isAgent ? this.requestOf(track) : null)
    const extra = stated({
      category: isUsual ? undefined : (category ?? null),
      role: role === undefined ? null : undefined
    })
    this.say(step, event, text, extra)
    if (isAgent && !isUsual) step.close()
  }

  private say(step: AtifStep, event: AgentEvent, text: string, extra: object): void {
    const at = timeText(event)
    // Unless it is that of the step.
    const beside = at === step.timestamp ? {} : { message_at: at ?? null }
    step.say(text, { message_event_id: event.eventId, ...extra, ...beside })
  }

  private result(event: AgentEvent & ToolCompleted, track: Trajectory): void {
    const { toolId, toolName, output, error, durationMs, durationFrom } = event
    const call = this.rows.callOf(this.row)
    const made = this.stepOfCall.get(call)
    const owner = made?.track === track ? made.step : null
    if (owner !== null) this.stepOfCall.delete(call)
    const extra = stated({
      completed_at: timeText(event),
      is_error: error === undefined ? undefined : true,
      duration_ms: durationMs,
      duration_from: durationFrom === 'records' ? 'records' : undefined,
      tool_call_id: owner === null ? toolId : undefined,
      tool_name: toolName,
      ...this.origin(event, track),
      event_id: event.eventId
    })
    const tracks = this.options.isPart ? [] : (this.startedBy.get(call) ?? [])
    const result = stated({
      source_call_id: owner === null ? undefined : toolId,
      content: error ?? output,
      subagent_trajectory_ref: tracks.length === 0 ? undefined : tracks.map((trajectory_id) => ({ trajectory_id })),
      extra
    })
    ;(owner ?? this.open(track, 'system', event)).add('results', result)
  }

  /** The open step of the agent, if the event belongs to the same request and the step has room for it; else a new one. */
  private agentStep(track: Trajectory, event: AgentEvent, what: 'reasoning' | 'message' | 'call'): AtifStep {
    const request = this.requestOf(track)
    const last = track.steps.at(-1)
    if (last?.takes(what, this.startOf(track, 'agent', event, request)) === true) return last
    return this.open(track, 'agent', event, request)
  }

  private open(
    track: Trajectory,
    source: Source,
    event: AgentEvent | undefined,
    request: BegunRequest | null = null
  ): AtifStep {
    track.steps.at(-1)?.close()
    const step = new AtifStep(this.startOf(track, source, event, request), this.options.keep)
    track.steps.push(step)
    if (request?.isCounted === false) {
      request.isCounted = true
      step.measure(request.request)
    }
    return step
  }

  private startOf(
    track: Trajectory,
    source: Source,
    event: AgentEvent | undefined,
    request: BegunRequest | null
  ): StepStart {
    if (event === undefined) return { source, timestamp: undefined, request, mark: null, extra: {} }
    // The records of a subagent are not apart in a document, so they cannot be marked.
    const mark = track.trackId === null ? (rowMarks[this.rows.markAt(this.row)] ?? null) : null
    return { source, timestamp: timeText(event), request, mark, extra: this.origin(event, track) }
  }

  /** The request that the event is of. */
  private requestOf({ request }: Trajectory): BegunRequest | null {
    return request !== null && request.request.rowLast >= this.row ? request : null
  }

  /** Identity and time of an event. */
  private about(event: AgentEvent, track: Trajectory): object {
    return { event_id: event.eventId, ...stated({ timestamp: timeText(event) }), ...this.origin(event, track) }
  }

  /** Session and agent of an event, where they are not those of its trajectory. */
  private origin({ sessionId, agentType }: AgentEvent, { agentName }: Trajectory): object {
    const agent = namedAgent(agentType) ?? unknownAgent
    return stated({
      session_id: sessionId === this.rows.sessionId ? undefined : sessionId,
      agent: agent === agentName ? undefined : agent
    })
  }
}

function* stepsOf({ steps }: Trajectory, seq: number): Generator<DocumentPart> {
  yield ',\n"steps":['
  for (const [at, step] of steps.entries()) {
    yield at === 0 ? '\n' : ',\n'
    yield* step.parts(at + 1, seq)
    seq += step.length
  }
  // The format wants at least one.
  if (steps.length === 0) yield '\n{"step_id":1,"source":"system","message":""}'
  yield '\n]'
}

function factsOf({ model, cwd, tools, version }: SessionStarted): object {
  return stated({ model, cwd, tools, version })
}

/** The time that a record states, if a reader can read it again; undefined if none does. */
function timeText({ timestamp, timestampFrom = 'record' }: AgentEvent): string | undefined {
  const ms = Math.floor(timestamp)
  const isStated = timestampFrom !== 'previous' && ms !== 0 && ms >= firstMs && ms <= lastMs
  return isStated ? new Date(ms).toISOString() : undefined
}

/** Of the years with four digits. */
const firstMs = Date.UTC(100, 0)
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
