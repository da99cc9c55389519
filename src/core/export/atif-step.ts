import type { RowMark } from '../formats/log-format.ts'
import { stated } from '../json.ts'
import type { ModelRequest } from '../requests/request-list.ts'
import { sentOf } from '../requests/tokens.ts'
import { safeJson } from './normalized-jsonl.ts'

/** A part of the document: text, or the number of a piece that was kept. */
export type DocumentPart = string | { readonly piece: number }

export type Source = 'system' | 'user' | 'agent'

/** A request of a trajectory, from its first row on. */
export interface BegunRequest {
  readonly request: ModelRequest
  /** Among those of the trajectory, from 0. */
  readonly number: number
  /** A step has its tokens. */
  isCounted: boolean
}

/** What the first event of a step says of all of it. */
export interface StepStart {
  readonly source: Source
  readonly timestamp: string | undefined
  readonly request: BegunRequest | null
  /** Why its events are no part of the conversation. */
  readonly mark: RowMark | null
  /** Members of `extra`: session and agent, where they are not those of the trajectory. */
  readonly extra: object
}

interface Texts {
  reasoning: string | undefined
  message: string | undefined
  readonly extra: Record<string, unknown>
}

/** The events of a step that are not its texts. The first two are lists of the format, the others members of `extra`. */
const lists = ['tool_calls', 'results', 'session', 'todo_lists', 'turns'] as const
type ListName = (typeof lists)[number]

/** A step of a trajectory. Its texts are kept outside memory. */
export class AtifStep {
  readonly source: Source
  readonly isOfRequest: boolean
  private readonly keep: (json: string) => number
  /** Until its texts are kept. */
  private open: (Texts & { readonly start: StepStart }) | null
  /** Pieces; -1: none. */
  private body = -1
  private extra = -1
  private metrics = -1
  /** Places of the texts among the events of the step; -1: none. */
  private reasoningAt = -1
  private messageAt = -1
  private count = 0
  /** Pieces, each before the place of its event. */
  private events: { [Name in ListName]?: number[] } | null = null
  private compactions: number[] | null = null

  constructor(start: StepStart, keep: (json: string) => number) {
    this.source = start.source
    this.isOfRequest = start.request !== null
    this.open = { start, reasoning: undefined, message: undefined, extra: {} }
    this.keep = keep
  }

  /** Events. */
  get length(): number {
    return this.count
  }

  get timestamp(): string | undefined {
    return this.open?.start.timestamp
  }

  get hasMetrics(): boolean {
    return this.metrics >= 0
  }

  /** Whether it has room for an event that could begin a step of its own: texts come before calls, and all before results. */
  takes(what: 'reasoning' | 'message' | 'call', { source, request, mark, extra }: StepStart): boolean {
    if (this.open === null || this.events?.results !== undefined) return false
    const { start, reasoning, message } = this.open
    if (start.source !== source || start.request !== request || start.mark !== mark) return false
    if (what === 'call') return true
    const isFree = message === undefined && this.events?.tool_calls === undefined
    return isFree && (what === 'message' || reasoning === undefined) && safeJson(start.extra) === safeJson(extra)
  }

  /** `extra`: what the format has no word for. */
  reason(text: string, extra: object): void {
    if (this.open === null) return
    this.reasoningAt = this.count++
    this.open.reasoning = text
    Object.assign(this.open.extra, extra)
  }

  say(text: string, extra: object): void {
    if (this.open === null) return
    this.messageAt = this.count++
    this.open.message = text
    Object.assign(this.open.extra, extra)
  }

  /** An event of a list. The last member of a call and a result is `extra`. */
  add(list: ListName, event: object): void {
    const json = safeJson(event)
    const open = list === 'tool_calls' || list === 'results' ? json.slice(0, -2) : json.slice(0, -1)
    ;((this.events ??= {})[list] ??= []).push(this.keep(open), this.count++)
  }

  addCompaction(compaction: object): void {
    ;(this.compactions ??= []).push(this.keep(safeJson(compaction)))
  }

  /** The tokens of a request, or of a turn. */
  measure(request: ModelRequest): void {
    const { tokens, costUsd, of, model, written, settled, window, firstTokenMs, tier, inRunCost } = request
    const sent = sentOf(tokens)
    const metrics = {
      prompt_tokens: sent,
      completion_tokens: tokens.output,
      cached_tokens: tokens.cacheRead,
      cost_usd: costUsd ?? undefined,
      extra: stated({
        scope: of,
        // Of a request it is that of the step.
        model: of === 'request' ? undefined : (model ?? undefined),
        input_tokens: sent !== undefined && tokens.input === undefined ? null : undefined,
        cache_write_tokens: tokens.cacheWrite,
        cache_write_hour_tokens: tokens.cacheWriteHour,
        reasoning_tokens: tokens.reasoning,
        written_characters: written > 0 ? written : undefined,
        settled: settled ? true : undefined,
        context_window: window ?? undefined,
        first_token_ms: firstTokenMs ?? undefined,
        service_tier: tier ?? undefined,
        in_run_cost: inRunCost ? true : undefined
      })
    }
    this.metrics = this.keep(safeJson(stated(metrics)))
  }

  /** No text is added any more. */
  close(): void {
    if (this.open === null) return
    const { start, reasoning, message, extra } = this.open
    const { source, timestamp, request, mark } = start
    const members = stated({
      timestamp,
      source,
      model_name: request?.request.model ?? undefined,
      is_copied_context: mark === 'duplicate' ? true : undefined,
      message: message ?? '',
      reasoning_content: reasoning
    })
    this.body = this.keep(safeJson(members).slice(1, -1))
    const all = stated({
      ...extra,
      ...start.extra,
      request: request?.number,
      mark: mark === null || mark === 'duplicate' ? undefined : mark
    })
    if (Object.keys(all).length > 0) this.extra = this.keep(safeJson(all).slice(1, -1))
    this.open = null
  }

  /** `id`: from 1. `seq`: of its first event in the document. */
  *parts(id: number, seq: number): Generator<DocumentPart> {
    yield `{"step_id":${id},`
    yield { piece: this.body }
    if (this.events?.tool_calls !== undefined) yield* this.list(',"tool_calls":[', 'tool_calls', seq, ']')
    if (this.events?.results !== undefined) yield* this.list(',"observation":{"results":[', 'results', seq, ']}')
    if (this.metrics >= 0) yield* [',"metrics":', { piece: this.metrics }]
    let separator = ',"extra":{'
    for (const part of this.extras(seq)) {
      yield separator
      separator = ','
      yield* part
    }
    yield separator === ',' ? '}}' : '}'
  }

  /** The members of `extra`. */
  private *extras(seq: number): Generator<Iterable<DocumentPart>> {
    if (this.reasoningAt >= 0) yield [`"reasoning_seq":${seq + this.reasoningAt}`]
    if (this.messageAt >= 0) yield [`"message_seq":${seq + this.messageAt}`]
    if (this.extra >= 0) yield [{ piece: this.extra }]
    if (this.events?.session !== undefined) yield this.list('"session":', 'session', seq, '')
    if (this.events?.todo_lists !== undefined) yield this.list('"todo_lists":[', 'todo_lists', seq, ']')
    if (this.events?.turns !== undefined) yield this.list('"turns":[', 'turns', seq, ']')
    if (this.compactions !== null) {
      yield this.compactions.flatMap((piece, at) => [at === 0 ? '"compactions":[' : ',', { piece }]).concat(']')
    }
  }

  private *list(before: string, name: ListName, seq: number, after: string): Generator<DocumentPart> {
    const pieces = this.events?.[name] ?? []
    const close = name === 'tool_calls' || name === 'results' ? '}}' : '}'
    for (let at = 0; at < pieces.length; at += 2) {
      yield at === 0 ? before : ','
      yield { piece: pieces[at] ?? -1 }
      yield `,"seq":${seq + (pieces[at + 1] ?? 0)}${close}`
    }
    yield after
  }
}
