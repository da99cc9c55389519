import { spanFlags } from '../analysis/span-list.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import { todoStatuses } from '../events/todo.ts'
import { agentOf } from '../formats/agents.ts'
import { stated } from '../json.ts'
import { rowKinds } from '../index/row-kind.ts'
import { oneLine } from '../index/one-line.ts'
import { eventSummary } from '../index/row-summary.ts'
import { sentOf } from '../requests/tokens.ts'
import { safeJson } from './normalized-jsonl.ts'
import { type NumberedRequest, type NumberedSpan, RunParts } from './run-parts.ts'
import type { SessionWriter, WrittenSession } from './session-writer.ts'
import { endOf, isDrawn, type Lane, TraceLanes } from './trace-lanes.ts'

/** The only process. */
const pid = 1
const maxName = 80

/**
 * A trace in the JSON form that Perfetto, Firefox Profiler and speedscope read: turns, model, calls and waits as complete
 * slices on lanes; a flow from a call to the subagent it started; counters of tokens and todos; prompts, errors and
 * calls of unknown length as instants. Times are in microseconds since the run began. `args.seq` is the number of the
 * event in Playhead.
 * Source: "Trace Event Format", the document of the Chrome project.
 */
export class ChromeTrace implements SessionWriter {
  private readonly session: WrittenSession
  private readonly parts: RunParts
  private readonly lanes: TraceLanes
  private readonly began: number
  /** By track and lane: the thread's id. */
  private readonly threads = new Map<string, number>()
  /** Tracks to which a flow has begun, and not ended. */
  private readonly flowing = new Set<number>()
  private separator = '\n'
  private untimed = 0

  constructor(session: WrittenSession) {
    const { analysis, name, out } = session
    this.session = session
    this.parts = new RunParts(analysis)
    this.lanes = new TraceLanes(analysis)
    this.began = analysis.index.rows.firstTimestamp ?? NaN
    out.json('{"displayTimeUnit":"ms","traceEvents":[')
    this.write({ name: 'process_name', ph: 'M', pid, tid: 0, args: { name: `${this.agent}: ${session.clean(name)}` } })
  }

  event(event: AgentEvent, seq: number): void {
    const row = this.session.analysis.index.rows.rowOf(seq)
    for (const span of this.parts.spansAt(row)) this.span(span, event, seq)
    for (const request of this.parts.requestsAt(row)) this.tokens(request)
    if (event.type === 'todo_list') this.todos(event, row)
    else if (event.type === 'error') this.instant('error', event.error, row, seq)
    else if (rowKinds[this.session.analysis.index.rows.kindAt(row)] === 'prompt' && event.type === 'text')
      this.instant('prompt', event.text, row, seq)
  }

  end(): void {
    for (const request of this.parts.requestsAt(Infinity)) this.tokens(request)
    const { version, out, analysis } = this.session
    const { rows } = analysis.index
    const otherData = {
      playhead: version,
      session: rows.sessionId,
      startedAt: Number.isFinite(this.began) ? isoText(this.began) : null,
      spansWithoutTime: this.untimed
    }
    out.json(`\n],"otherData":${safeJson(otherData)}}\n`)
  }

  private get agent(): string {
    const { rows, agentType } = this.session.analysis.index
    return agentOf(rows.agentType ?? agentType ?? 'unknown').name
  }

  private span(span: NumberedSpan, event: AgentEvent, seq: number): void {
    if (!isDrawn(span)) {
      if (span.kind === 'call' || span.kind === 'turn') this.untimed++
      return
    }
    const { kind, flags } = span
    // A call with a stated length may begin before the first record.
    const begin = Math.max(span.begin, this.began)
    const tid = this.threadOf(this.lanes.of(span))
    const words = kind === 'call' ? eventSummary(event).text : ''
    const args = {
      seq,
      ...(words !== '' && { summary: words }),
      ...((flags & spanFlags.failed) !== 0 && { failed: true }),
      ...(kind === 'call' && (flags & spanFlags.stated) === 0 && { length: 'between the records of call and result' })
    }
    const name = this.nameOf(span)
    const cat = (flags & spanFlags.failed) === 0 ? kind : `${kind},failed`
    const ts = this.microseconds(begin)
    if (kind === 'call' && Number.isNaN(span.end)) {
      this.write({ name, cat, ph: 'i', s: 't', pid, tid, ts, args: { ...args, length: 'unknown' } })
      return
    }
    const dur = Math.round(1000 * Math.max(0, endOf(span) - begin))
    this.write({ name, cat, ph: 'X', pid, tid, ts, dur, args })
    if (kind === 'call') this.flowsFrom(span, tid, ts)
    else if (kind === 'subagent') this.flowTo(span, tid, ts)
  }

  private nameOf(span: NumberedSpan): string {
    const { analysis } = this.session
    if (span.kind === 'call') return analysis.toolOf(span) ?? 'call'
    if (span.kind === 'subagent') return this.trackName(span.track)
    if (span.kind === 'turn') return `turn ${analysis.turnOf(span.first)}`
    return span.kind
  }

  /** From a call to each subagent that it started. */
  private flowsFrom({ first }: NumberedSpan, tid: number, ts: number): void {
    for (const track of this.startedBy.get(first) ?? []) {
      this.flowing.add(track)
      this.write({ name: this.trackName(track), cat: 'subagent', ph: 's', id: track, pid, tid, ts })
    }
  }

  private flowTo({ track }: NumberedSpan, tid: number, ts: number): void {
    if (!this.flowing.delete(track)) return
    this.write({ name: this.trackName(track), cat: 'subagent', ph: 'f', bp: 'e', id: track, pid, tid, ts })
  }

  private known: ReadonlyMap<number, readonly number[]> | null = null

  /** By the row of a call: the tracks that it started. */
  private get startedBy(): ReadonlyMap<number, readonly number[]> {
    if (this.known !== null) return this.known
    const started = new Map<number, number[]>()
    for (const [number, { call }] of this.session.analysis.index.rows.tracks.entries()) {
      if (call >= 0) started.set(call, [...(started.get(call) ?? []), number])
    }
    return (this.known = started)
  }

  private tokens({ rowFirst, rowLast, tokens, trackId }: NumberedRequest): void {
    const { end } = this.session.analysis.index.rows.spanOf(rowFirst, rowLast)
    const [context, output] = [sentOf(tokens), tokens.output]
    if (end === null || (context === undefined && output === undefined)) return
    const args = stated({ context, output })
    this.write({ name: counterName('tokens', trackId), ph: 'C', pid, tid: 0, ts: this.microseconds(end), args })
  }

  private todos(event: AgentEvent & { readonly type: 'todo_list' }, row: number): void {
    const at = this.session.analysis.index.rows.statedTime(row)
    if (at === null) return
    const args = Object.fromEntries(
      todoStatuses.map((status) => [status, event.items.filter((item) => item.status === status).length])
    )
    this.write({
      name: counterName('todos', event.trackId ?? null),
      ph: 'C',
      pid,
      tid: 0,
      ts: this.microseconds(at),
      args
    })
  }

  private instant(kind: string, text: string, row: number, seq: number): void {
    const { rows } = this.session.analysis.index
    const at = rows.statedTime(row)
    if (at === null) {
      this.untimed++
      return
    }
    const tid = this.threadOf({ track: rows.trackAt(row), lane: 0 })
    const summary = oneLine(text)
    this.write({ name: kind, cat: kind, ph: 'i', s: 't', pid, tid, ts: this.microseconds(at), args: { seq, summary } })
  }

  private threadOf({ track, lane }: Lane): number {
    const key = `${track} ${lane}`
    let tid = this.threads.get(key)
    if (tid !== undefined) return tid
    tid = this.threads.size + 1
    this.threads.set(key, tid)
    const name = lane === 0 ? this.trackName(track) : `${this.trackName(track)} · parallel ${lane + 1}`
    this.write({ name: 'thread_name', ph: 'M', pid, tid, args: { name } })
    this.write({ name: 'thread_sort_index', ph: 'M', pid, tid, args: { sort_index: 1000 * track + lane } })
    return tid
  }

  private trackName(track: number): string {
    const { trackId = null, label = '' } = this.session.analysis.index.rows.tracks[track] ?? {}
    if (trackId === null) return 'main'
    return oneLine(this.session.clean(label || trackId), maxName)
  }

  private microseconds(at: number): number {
    return Math.round(1000 * (at - this.began))
  }

  private write(event: object): void {
    this.session.out.json(`${this.separator}${safeJson(event)}`)
    this.separator = ',\n'
  }
}

function counterName(what: string, trackId: string | null): string {
  return trackId === null ? what : `${what} · ${trackId}`
}

function isoText(at: number): string | null {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : null
}
