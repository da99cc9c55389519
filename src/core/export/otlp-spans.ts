import { spanFlags } from '../analysis/span-list.ts'
import type { AgentEvent, TurnCompleted } from '../events/agent-event.ts'
import { agentOf, modelProvider } from '../formats/agents.ts'
import { oneLine } from '../index/one-line.ts'
import { sentOf } from '../requests/tokens.ts'
import { safeJson } from './normalized-jsonl.ts'
import { type NumberedRequest, type NumberedSpan, RunParts } from './run-parts.ts'
import type { SessionWriter, WrittenSession } from './session-writer.ts'

/** The semantic conventions whose names are written. Those of generative AI are in development, so the version is stated. */
const conventions = 'https://opentelemetry.io/schemas/1.41.0'

/** `SpanKind` and `StatusCode` of OTLP. */
const internal = 1
const client = 3
const failedStatus = 2

/** A request is sent, or a line written, when its spans have so many characters. */
const maxRequestLength = 3_000_000
/** Todo lists on the span of the run; more are counted. */
const maxTodoLists = 1000
/** 64 bits of nanoseconds end in the year 2554; times of other logs are unknown. */
const maxMs = 18_000_000_000_000

type AttributeValue = string | number | boolean | readonly string[] | null | undefined
type Attributes = Readonly<Record<string, AttributeValue>>

interface OtlpSpan {
  readonly id: string
  readonly parent: string | null
  readonly name: string
  readonly kind: number
  readonly begin: number
  readonly end: number
  readonly attributes: Attributes
  readonly events?: readonly object[]
  readonly droppedEvents?: number
  /** Why it failed; absent: it did not. */
  readonly error?: string
}

/** A call whose result is still to come. */
interface OpenCall {
  readonly span: NumberedSpan
  readonly attributes: Attributes
}

export interface OtlpOptions extends Omit<WrittenSession, 'out'> {
  /** Whether inputs and results of calls are written. */
  readonly content: boolean
  /** SHA-256 of a text, in lower case hex. */
  readonly hash: (text: string) => string
  /** Receives one `ExportTraceServiceRequest` in JSON, of about 3 MB at most if no span is larger. */
  readonly send: (request: string) => void
}

/**
 * Spans of OpenTelemetry by its conventions for generative AI: the run and each subagent, each request to a model, each
 * call of a tool. The same log gives the same ids, so a backend that gets it twice has it once.
 * Source: open-telemetry/semantic-conventions-genai, and the JSON mapping of opentelemetry-proto (ids in hex, 64-bit
 * numbers as strings, enums as numbers).
 */
export class OtlpSpans implements SessionWriter {
  private readonly options: OtlpOptions
  private readonly parts: RunParts
  private readonly key: string
  private readonly traceId: string
  /** By the row of its result. */
  private readonly openCalls = new Map<number, OpenCall>()
  private readonly todoLists: object[] = []
  private todoCount = 0
  private finish: TurnCompleted['finishReason'] | undefined
  private version: string | undefined
  private untimed = 0
  private earliest = Infinity
  private latest = -Infinity
  private spans: string[] = []
  private length = 0

  constructor(options: OtlpOptions) {
    const { rows } = options.analysis.index
    this.options = options
    this.parts = new RunParts(options.analysis)
    // A log without a session id is known by its name and its first time.
    this.key = rows.sessionId ?? `${options.name} ${rows.firstTimestamp ?? ''}`
    this.traceId = options.hash(`trace ${this.key}`).slice(0, 32)
  }

  event(event: AgentEvent, seq: number): void {
    const row = this.rows.rowOf(seq)
    const at = this.rows.statedTime(row) ?? NaN
    if (isKnown(at)) {
      this.earliest = Math.min(this.earliest, at)
      this.latest = Math.max(this.latest, at)
    }
    for (const span of this.parts.spansAt(row)) this.span(span, event)
    for (const request of this.parts.requestsAt(row)) this.request(request)
    const open = this.openCalls.get(row)
    if (open !== undefined && event.type === 'tool.completed') {
      this.openCalls.delete(row)
      this.call(open, event)
    }
    if (event.type === 'todo_list') this.todos(event, row)
    else if (event.type === 'session.started') this.version ??= event.version
    else if (event.type === 'turn.completed' && event.trackId === undefined) this.finish = event.finishReason
  }

  end(): void {
    for (const request of this.parts.requestsAt(Infinity)) this.request(request)
    // Their results are left out of the export.
    for (const open of this.openCalls.values()) this.call(open, null)
    const run = this.options.analysis.spans.at(this.options.analysis.spans.length - 1)
    this.add({
      id: this.runId,
      parent: null,
      name: `invoke_agent ${this.agent}`,
      kind: internal,
      // Times of before 1970 are not those of the run.
      begin: isKnown(run.begin) ? run.begin : this.earliest,
      end: isKnown(run.end) ? run.end : this.latest,
      attributes: {
        ...this.agentAttributes,
        'gen_ai.agent.version': this.version,
        'gen_ai.request.model': this.rows.model,
        'playhead.finish_reason': this.finish,
        'playhead.log': this.options.clean(this.options.name),
        'playhead.spans_without_time': this.untimed
      },
      events: this.todoLists,
      droppedEvents: this.todoCount - this.todoLists.length,
      ...(this.finish === 'error' && { error: 'the last turn failed' })
    })
    this.flush()
  }

  /** Whether nothing could be written, because the log states no times. */
  get isEmpty(): boolean {
    return this.earliest > this.latest
  }

  private get rows() {
    return this.options.analysis.index.rows
  }

  private get agentType(): string {
    return this.rows.agentType ?? this.options.analysis.index.agentType ?? 'unknown'
  }

  private get agent(): string {
    return agentOf(this.agentType).name
  }

  private get agentAttributes(): Attributes {
    return {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerOf(this.rows.model, this.agentType),
      'gen_ai.agent.name': this.agent,
      'gen_ai.conversation.id': this.rows.sessionId
    }
  }

  private get runId(): string {
    return this.idOf('run')
  }

  /** `part`: of the run; equal parts of equal logs have equal ids. */
  private idOf(part: string): string {
    return this.options.hash(`span ${this.key} ${part}`).slice(0, 16)
  }

  private idOfTrack(track: number): string {
    const { trackId = null } = this.rows.tracks[track] ?? {}
    return trackId === null ? this.runId : this.idOf(`track ${trackId}`)
  }

  private span(span: NumberedSpan, event: AgentEvent): void {
    if (span.kind === 'subagent') this.subagent(span)
    else if (span.kind === 'call') {
      const input = this.options.content && event.type === 'tool.started' ? safeJson(event.input) : undefined
      const id = event.type === 'tool.started' || event.type === 'tool.completed' ? event.toolId : undefined
      const attributes = { 'gen_ai.tool.call.id': id, 'gen_ai.tool.call.arguments': input }
      if (span.last < 0) this.call({ span, attributes }, null)
      else this.openCalls.set(span.last, { span, attributes })
    }
  }

  private subagent({ track, begin, end }: NumberedSpan): void {
    const { trackId = null, call = -1, label = '' } = this.rows.tracks[track] ?? {}
    const name = oneLine(this.options.clean(label), 80)
    this.add({
      id: this.idOfTrack(track),
      parent: call < 0 ? this.runId : this.idOfCall(call),
      name: `invoke_agent ${this.agent}`,
      kind: internal,
      ...{ begin, end },
      attributes: { ...this.agentAttributes, 'gen_ai.agent.id': trackId, 'gen_ai.agent.description': name || undefined }
    })
  }

  private idOfCall(row: number): string {
    return this.idOf(`call ${this.rows.seqOf(row)}`)
  }

  private call(
    { span, attributes }: OpenCall,
    result: (AgentEvent & { readonly type: 'tool.completed' }) | null
  ): void {
    const tool = this.options.analysis.toolOf(span) ?? 'unknown'
    const failed = (span.flags & spanFlags.failed) !== 0
    const said = result?.error ?? result?.output
    this.add({
      id: this.idOfCall(span.first),
      parent: this.idOfTrack(span.track),
      name: `execute_tool ${tool}`,
      kind: internal,
      begin: span.begin,
      end: span.end,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.type': 'function',
        ...attributes,
        'gen_ai.tool.call.result': this.options.content ? said : undefined,
        'gen_ai.conversation.id': this.rows.sessionId,
        'error.type': failed ? 'tool_error' : undefined,
        'playhead.seq': this.rows.seqOf(span.first),
        'playhead.length': Number.isNaN(span.end) ? 'unknown' : undefined
      },
      ...(failed && {
        error: this.options.content && result?.error !== undefined ? oneLine(result.error) : 'the call failed'
      })
    })
  }

  private request({ of, rowFirst, rowLast, number, tokens, model, trackId, outputIs, costUsd }: NumberedRequest): void {
    const { begin, end, seqFirst } = this.rows.spanOf(rowFirst, rowLast)
    this.add({
      id: this.idOf(`request ${number}`),
      parent: trackId === null ? this.runId : this.idOf(`track ${trackId}`),
      name: model === null ? 'chat' : `chat ${model}`,
      kind: client,
      begin: begin ?? end ?? NaN,
      end: end ?? NaN,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': providerOf(model, this.agentType),
        'gen_ai.response.model': model,
        'gen_ai.conversation.id': this.rows.sessionId,
        // The conventions count the cache within the input.
        'gen_ai.usage.input_tokens': sentOf(tokens),
        'gen_ai.usage.output_tokens': tokens.output,
        'gen_ai.usage.cache_read.input_tokens': tokens.cacheRead,
        'gen_ai.usage.cache_creation.input_tokens': tokens.cacheWrite,
        'gen_ai.usage.reasoning.output_tokens': tokens.reasoning,
        'playhead.length': begin === null || end === null ? 'unknown' : undefined,
        'playhead.output_is': outputIs === 'stated' ? undefined : outputIs,
        // Some logs state tokens of whole turns only.
        'playhead.requests': of === 'request' ? undefined : of,
        'playhead.cost_usd': costUsd,
        'playhead.seq': seqFirst < 0 ? undefined : seqFirst
      }
    })
  }

  private todos(event: AgentEvent & { readonly type: 'todo_list' }, row: number): void {
    this.todoCount++
    const at = this.rows.statedTime(row) ?? NaN
    if (this.todoLists.length >= maxTodoLists || !isKnown(at)) return
    const { todoId, items, trackId } = event
    this.todoLists.push({
      timeUnixNano: nanoseconds(at),
      name: 'playhead.todo_list',
      attributes: attributesOf({
        'playhead.todo.id': todoId,
        'playhead.todo.items': JSON.stringify(items),
        'playhead.track': trackId
      })
    })
  }

  private add({ id, parent, begin, end, attributes, events = [], droppedEvents = 0, error, ...span }: OtlpSpan): void {
    if (!isKnown(begin)) {
      this.untimed++
      return
    }
    const json = safeJson({
      traceId: this.traceId,
      spanId: id,
      ...(parent !== null && { parentSpanId: parent }),
      name: span.name,
      kind: span.kind,
      startTimeUnixNano: nanoseconds(begin),
      endTimeUnixNano: nanoseconds(isKnown(end) && end > begin ? end : begin),
      attributes: attributesOf(attributes),
      ...(events.length > 0 && { events }),
      ...(droppedEvents > 0 && { droppedEventsCount: droppedEvents }),
      ...(error !== undefined && { status: { code: failedStatus, message: error } })
    })
    if (this.length > 0 && this.length + json.length > maxRequestLength) this.flush()
    this.spans.push(json)
    this.length += json.length
  }

  private flush(): void {
    if (this.spans.length === 0) return
    const resource = { attributes: attributesOf({ 'service.name': this.agent, 'service.version': this.version }) }
    const scope = { name: 'playhead', version: this.options.version }
    this.options.send(
      `{"resourceSpans":[{"resource":${safeJson(resource)},"scopeSpans":[{"scope":${safeJson(scope)},` +
        `"spans":[${this.spans.join(',')}],"schemaUrl":${safeJson(conventions)}}]}]}`
    )
    this.spans = []
    this.length = 0
  }
}

function isKnown(at: number): boolean {
  return at > 0 && at < maxMs
}

/** Nanoseconds since the epoch, in words: 64 bits are more than a number has. */
function nanoseconds(at: number): string {
  return `${Math.round(at)}000000`
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: valueOf(value) }]
  )
}

function valueOf(value: Exclude<AttributeValue, null | undefined>): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } }
}

/** Where no model is named, the maker of the agent is taken for that of its models. */
function providerOf(model: string | null, agentType: string): string | undefined {
  return (model === null ? agentOf(agentType).provider?.name : modelProvider(model)) ?? undefined
}
