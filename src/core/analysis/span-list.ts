import { Column } from '../column.ts'
import type { Agent } from '../formats/agent.ts'
import { agents } from '../formats/agents.ts'
import type { EventIndex } from '../index/event-index.ts'
import { numberOfKind, rowKinds } from '../index/row-kind.ts'
import { TurnStarts } from '../replay/turns.ts'
import { itemsOfStep, type Steps } from '../steps.ts'
import { forkState } from '../state/fork-state.ts'

/**
 * What took time, stored as an index. `run`: from the first to the last time stated. `turn`: from a prompt to the main
 * agent's last event before the next. `model`: from the event before to the last event that the model wrote without
 * another event of its track between (derived: no record states it). `call`: of a tool. `subagent`: from the first to
 * the last time that its track states. `wait`: for the person, from a turn's end, or a session's start, to the next prompt. `unknown`: the
 * time in which a call of unknown length was made.
 */
export const spanKinds = ['run', 'turn', 'model', 'call', 'subagent', 'wait', 'unknown'] as const
export type SpanKind = (typeof spanKinds)[number]

/** Bits of a span's flags. */
export const spanFlags = {
  failed: 1,
  /** It has not ended; a call has no result. */
  open: 2,
  /** Of a call: the log states the length. Else it is the time between the records of call and result. */
  stated: 4,
  /** A call that asks the person; its time is waiting. */
  asks: 8,
  /** Of a call: its stated length is longer than the time between its records, so it begins before its own. */
  early: 16
} as const

export interface Span {
  readonly kind: SpanKind
  readonly flags: number
  /** An index in `EventIndex.tracks`. */
  readonly track: number
  /** Integer ms since the epoch; NaN if unknown. A call of unknown length has no end. */
  readonly begin: number
  readonly end: number
  /** Its first row: of a call its own, else that of its result. */
  readonly first: number
  /** Its last row: of a call its first result, -1 without one. */
  readonly last: number
  /** The first row of the span around it: of a subagent and what is in it the call that started it, else the turn. -1: none. */
  readonly parent: number
}

const chunkBits = 12
const numberOfSpan = Object.fromEntries(spanKinds.map((kind, number) => [kind, number])) as Record<SpanKind, number>

/** Whether the model wrote a row of this kind. A todo list may stand beside a result. */
const isWritten = rowKinds.map((kind) => kind === 'assistant' || kind === 'reasoning' || kind === 'tool')
/** Whether the model wrote nothing on the track since such a row. */
const endsModel = rowKinds.map((kind) => {
  return (
    kind === 'prompt' || kind === 'tool-result' || kind === 'tool-error' || kind === 'result-text' || kind === 'turn'
  )
})
const asking: ReadonlySet<string> = new Set(Object.values<Agent>(agents).flatMap((agent) => agent.asking ?? []))

/** A track so far. `model…`: what the model writes; -1: nothing. */
interface TrackState {
  first: number
  last: number
  /** The latest time stated; times go back in real logs. */
  latest: number
  firstRow: number
  lastRow: number
  modelBegin: number
  modelEnd: number
  modelFirst: number
  modelLast: number
  /** Since when it is not known what went on; NaN: it is. */
  unknownSince: number
  unknownRow: number
}

/**
 * The spans of a run, derived from its index in one pass: 32 bytes a span. A span is added when it ends, so earlier ones
 * never change; `ended` adds those still open. Calls are those that `CallCounts` counts, also in rows with a mark.
 */
export class SpanList {
  private readonly kinds = new Column('uint8', chunkBits)
  private readonly flagBits = new Column('uint8', chunkBits)
  private readonly trackNumbers = new Column('uint16', chunkBits)
  private readonly begins = new Column('float64', chunkBits)
  private readonly ends = new Column('float64', chunkBits)
  private readonly firsts = new Column('int32', chunkBits)
  private readonly lasts = new Column('int32', chunkBits)
  private readonly parents = new Column('int32', chunkBits)
  /** Rows of calls; those with a result are removed from time to time. */
  private started = new Column('uint32', chunkBits)
  private openCalls = 0
  private readonly turnStarts = new TurnStarts()
  private readonly tracks: TrackState[] = []
  /** The first rows and the ends of turns that are over. */
  private readonly turnRows = new Column('uint32', 6)
  private readonly turnEnds = new Column('float64', 6)
  /** The current turn; -1: none. */
  private turnRow = -1
  private turnLastRow = -1
  private turnBegin = NaN
  private turnEnd = NaN
  /** The main agent's latest time before the first turn. */
  private endBeforeTurns = NaN
  /** The main agent's last event with a time, as in `RunTime`. */
  private lastAct = NaN
  private lastActRow = -1
  private first = NaN
  private last = NaN
  private counted = 0

  get length(): number {
    return this.kinds.length
  }

  /** Rows read so far. */
  get rows(): number {
    return this.counted
  }

  kindAt(number: number): SpanKind {
    return spanKinds[this.kinds.at(number)] ?? 'run'
  }

  at(number: number): Span {
    return {
      kind: this.kindAt(number),
      flags: this.flagBits.at(number),
      track: this.trackNumbers.at(number),
      begin: this.begins.at(number),
      end: this.ends.at(number),
      first: this.firsts.at(number),
      last: this.lasts.at(number),
      parent: this.parents.at(number)
    }
  }

  *[Symbol.iterator](): Generator<Span> {
    for (let number = 0; number < this.length; number++) yield this.at(number)
  }

  /** Copies of the columns of spans `from` … `from + count`, fewer at the end. */
  columns(from: number, count: number) {
    const start = Math.min(from, this.length)
    const taken = Math.min(count, this.length - start)
    return {
      from: start,
      count: taken,
      kind: this.kinds.slice(start, taken),
      flags: this.flagBits.slice(start, taken),
      track: this.trackNumbers.slice(start, taken),
      begin: this.begins.slice(start, taken),
      end: this.ends.slice(start, taken),
      first: this.firsts.slice(start, taken),
      last: this.lasts.slice(start, taken),
      parent: this.parents.slice(start, taken)
    }
  }

  /** Reads the next rows of the index, up to `end`. These rows must be final. */
  read(index: EventIndex, end: number): void {
    const to = Math.min(end, index.rows)
    for (; this.counted < to; this.counted++) if (index.seqOf(this.counted) >= 0) this.event(index, this.counted)
  }

  /** A copy with the spans that have not ended at the rows read so far, and with the run. It must not be read on. */
  *ended(index: EventIndex): Steps<SpanList> {
    const copy = forkState(this)
    yield* copy.addOpen(index)
    return copy
  }

  private event(index: EventIndex, row: number): void {
    const kind = index.kindAt(row)
    const number = index.trackAt(row)
    const at = index.statedTime(row) ?? NaN
    const track = (this.tracks[number] ??= newTrack(row))
    if (!Number.isNaN(at)) {
      this.first = least(this.first, at)
      this.last = most(this.last, at)
      this.endUnknown(track, number, at, row)
    }
    if (number === 0) this.mainEvent(kind, at, row)
    if (endsModel[kind] === true) this.endModel(index, track, number)
    else if (isWritten[kind] === true || (kind === numberOfKind.todo && track.modelFirst >= 0))
      writeModel(track, at, row)
    if (kind === numberOfKind.tool) this.startCall(index, row)
    else if (kind === numberOfKind['tool-result'] || kind === numberOfKind['tool-error']) this.endCall(index, row)
    track.lastRow = row
    if (Number.isNaN(at)) return
    track.first = least(track.first, at)
    track.last = most(track.last, at)
    track.latest = at
  }

  private mainEvent(kind: number, at: number, row: number): void {
    const begins = this.turnStarts.next(kind)
    const { endsWait } = this.turnStarts
    if (endsWait && at > this.lastAct) this.push('wait', 0, 0, this.lastAct, at, this.lastActRow, row, -1)
    if (begins) {
      this.endTurn(0)
      this.turnRow = row
      this.turnBegin = NaN
      this.turnEnd = NaN
    }
    // Before its first prompt, a session is open and nothing happens.
    if (endsWait && !Number.isNaN(at)) this.turnBegin = at
    if (this.turnRow >= 0) this.turnLastRow = row
    if (Number.isNaN(at)) return
    this.turnBegin = Number.isNaN(this.turnBegin) ? at : this.turnBegin
    this.turnEnd = most(this.turnEnd, at)
    this.lastAct = at
    this.lastActRow = row
  }

  private endTurn(flags: number): void {
    if (this.turnRow < 0) {
      this.endBeforeTurns = this.turnEnd
      return
    }
    this.push('turn', flags, 0, this.turnBegin, this.turnEnd, this.turnRow, this.turnLastRow, -1)
    this.turnRows.push(this.turnRow)
    this.turnEnds.push(this.turnEnd)
  }

  private endModel(index: EventIndex, track: TrackState, number: number, flags = 0): void {
    if (track.modelFirst < 0) return
    const { modelBegin, modelEnd, modelFirst, modelLast } = track
    const end = modelEnd > modelBegin ? modelEnd : NaN
    this.push('model', flags, number, modelBegin, end, modelFirst, modelLast, this.parentOf(index, number, modelFirst))
    track.modelFirst = -1
  }

  private startCall(index: EventIndex, row: number): void {
    this.started.push(row)
    this.openCalls++
    // Calls with a result leave the list when they are most of it.
    if (this.started.length < 64 || this.started.length < 2 * this.openCalls) return
    const open = new Column('uint32', chunkBits)
    for (let i = 0; i < this.started.length; i++)
      if (this.isOpen(index, this.started.at(i))) open.push(this.started.at(i))
    this.started = open
  }

  /** Whether the rows read so far have no result of a call. The index may have more rows. */
  private isOpen(index: EventIndex, call: number): boolean {
    const result = index.firstResultOf(call)
    return result < 0 || result >= this.counted
  }

  /** As `CallCounts`: the first result of a call counts, and that of a todo tool is its call. */
  private endCall(index: EventIndex, result: number): void {
    if (!index.isFirstResult(result)) return
    const call = index.callOf(result)
    const tool = index.toolAt(result)
    const isStarted = call >= 0 && index.isCall(call)
    if (!isStarted && tool === undefined) return
    if (isStarted) this.openCalls--
    const row = call < 0 ? result : call
    const number = index.trackAt(row)
    const began = call < 0 ? NaN : (index.statedTime(call) ?? NaN)
    const answered = index.statedTime(result) ?? NaN
    const durationMs = index.durationAt(result)
    const isStated = index.isDurationStated(result)
    const { begin, end } = placeOfCall(began, answered, durationMs, isStated)
    const flags =
      (index.kindAt(result) === numberOfKind['tool-error'] ? spanFlags.failed : 0) |
      (isStated ? spanFlags.stated : 0) |
      (asking.has(tool ?? '') ? spanFlags.asks : 0) |
      (begin < began ? spanFlags.early : 0)
    this.push('call', flags, number, begin, end, row, result, this.parentOf(index, number, row))
    if (durationMs === undefined) this.addUnknown(index, row, began, answered, result)
  }

  /**
   * A call of unknown length, or its end, was somewhere between the times before and after it. Where its result states
   * none, up to the next time of its track.
   */
  private addUnknown(index: EventIndex, row: number, began: number, answered: number, result: number): void {
    const number = index.trackAt(row)
    const isPoint = Number.isNaN(began) || answered <= began
    const since = isPoint ? (index.spanOf(row, row).begin ?? began) : began
    if (!Number.isNaN(answered)) this.pushUnknown(index, number, since, answered, row, result)
    else {
      const track = (this.tracks[number] ??= newTrack(row))
      // NaN: none yet. Of several that end at the same time, the longest counts.
      if (!(since >= track.unknownSince)) [track.unknownSince, track.unknownRow] = [since, row]
    }
  }

  private endUnknown(track: TrackState, number: number, at: number, row: number): void {
    if (Number.isNaN(track.unknownSince)) return
    if (at > track.unknownSince) this.push('unknown', 0, number, track.unknownSince, at, track.unknownRow, row, -1)
    track.unknownSince = NaN
  }

  private pushUnknown(index: EventIndex, track: number, begin: number, end: number, first: number, last: number): void {
    if (end > begin) this.push('unknown', 0, track, begin, end, first, last, this.parentOf(index, track, first))
  }

  private *addOpen(index: EventIndex): Steps<undefined> {
    const { open } = spanFlags
    for (const [number, track] of this.tracks.entries()) {
      if (track === undefined) continue
      this.endModel(index, track, number, open)
      if (number === 0) continue
      const parent = index.tracks[number]?.call ?? -1
      this.push('subagent', open, number, track.first, track.last, track.firstRow, track.lastRow, parent)
    }
    this.endTurn(open)
    for (let i = 0; i < this.started.length; i++) {
      if (i % itemsOfStep === 0) yield
      const row = this.started.at(i)
      if (this.isOpen(index, row)) this.addOpenCall(index, row)
    }
    this.push('run', open, 0, this.first, this.last, 0, Math.max(0, this.counted - 1), -1)
    return undefined
  }

  /** What a call without a result did is not known until its turn or its track ended. */
  private addOpenCall(index: EventIndex, row: number): void {
    const track = index.trackAt(row)
    const began = index.statedTime(row) ?? NaN
    const flags = spanFlags.open | (asking.has(index.toolAt(row) ?? '') ? spanFlags.asks : 0)
    this.push('call', flags, track, began, NaN, row, -1, this.parentOf(index, track, row))
    const turn = this.turnOf(row)
    const turnEnd = turn < 0 ? this.endBeforeTurns : this.turnEnds.at(turn)
    const end = track === 0 ? turnEnd : (this.tracks[track]?.last ?? NaN)
    this.pushUnknown(index, track, began, end, row, row)
  }

  /** The place among `turnRows`; -1 before the first. */
  private turnOf(row: number): number {
    return this.turnRows.firstFrom(row + 1) - 1
  }

  private parentOf(index: EventIndex, track: number, row: number): number {
    if (track !== 0) return index.tracks[track]?.call ?? -1
    if (this.turnRow >= 0 && row >= this.turnRow) return this.turnRow
    const turn = this.turnOf(row)
    return turn < 0 ? -1 : this.turnRows.at(turn)
  }

  private push(
    kind: SpanKind,
    flags: number,
    track: number,
    begin: number,
    end: number,
    first: number,
    last: number,
    parent: number
  ): void {
    this.kinds.push(numberOfSpan[kind])
    this.flagBits.push(flags)
    this.trackNumbers.push(track)
    this.begins.push(Math.round(begin))
    this.ends.push(Math.round(end))
    this.firsts.push(first)
    this.lasts.push(last)
    this.parents.push(parent)
  }
}

/**
 * A length between records ends at the result. A stated one begins at the call's record if it fits between the records;
 * else the call was logged late, and it ends at the result's.
 */
function placeOfCall(
  began: number,
  answered: number,
  durationMs: number | undefined,
  isStated: boolean
): Pick<Span, 'begin' | 'end'> {
  if (durationMs === undefined) return { begin: Number.isNaN(began) ? answered : began, end: NaN }
  const ms = Math.round(durationMs)
  const isAtCall = Number.isNaN(answered) || answered < began || (isStated && began + ms <= answered)
  return isAtCall ? { begin: began, end: began + ms } : { begin: answered - ms, end: answered }
}

function writeModel(track: TrackState, at: number, row: number): void {
  if (track.modelFirst < 0) {
    track.modelFirst = row
    track.modelBegin = track.latest
    track.modelEnd = NaN
  }
  track.modelLast = row
  track.modelEnd = most(track.modelEnd, at)
}

function newTrack(row: number): TrackState {
  const none = { unknownSince: NaN, unknownRow: -1 }
  const model = { modelBegin: NaN, modelEnd: NaN, modelFirst: -1, modelLast: -1 }
  return { first: NaN, last: NaN, latest: NaN, firstRow: row, lastRow: row, ...model, ...none }
}

function least(a: number, b: number): number {
  return Number.isNaN(a) || b < a ? b : a
}

function most(a: number, b: number): number {
  return Number.isNaN(a) || b > a ? b : a
}
