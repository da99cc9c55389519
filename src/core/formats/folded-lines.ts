import type { DecodedLine } from './decode-line.ts'
import type { TokenNote } from '../requests/request-note.ts'
import type { IssueDraft } from './issue.ts'
import {
  type Decoded,
  type Fold,
  type FoldContext,
  type FoldedEvent,
  type FoldResult,
  type LineMark,
  type LinePosition,
  type LogFormat,
  type MissingLogs,
  noMissingLogs
} from './log-format.ts'

/** A line's position. `terminated`: it has a line end (in a document: the record is complete). */
export interface ReadPosition extends LinePosition {
  readonly terminated: boolean
}

/** One line that was read. Every line but a blank one has a row. */
export interface ReadLine {
  readonly at: ReadPosition
  readonly text: string
  readonly blank: boolean
  readonly events: readonly FoldedEvent[]
  readonly issues: readonly IssueDraft[]
  /** The record's time and track, for a line without events. */
  readonly timestamp?: number | undefined
  readonly trackId?: string | undefined
  /** Marks for this line or earlier ones. */
  readonly marks?: readonly LineMark[]
  readonly tokens?: readonly TokenNote[]
}

export interface LineSink {
  line(line: ReadLine): void
  /** Events and marks that the end of the source reveals, for lines already read. */
  end?(events: readonly FoldedEvent[], marks: readonly LineMark[]): void
}

const noEvents: readonly FoldedEvent[] = []
/** Limit of held lines; above it blank lines precede them. */
const maxHeld = 4096
const nothing: FoldResult = { events: noEvents, issues: [] }

/** Passes decoded lines through a format's fold to a sink, in order. Buffers the lines that the fold holds. */
export class FoldedLines<D extends Decoded = Decoded, S extends LineSink = LineSink> {
  private readonly fold: Fold<D>
  readonly sink: S
  private held: ReadLine[] = []
  /** Events received while lines are held. */
  private early: FoldedEvent[] = []
  /** Of the last event that the sink got. */
  private lastAt: LinePosition | null = null
  private nextOrdinal = 0

  constructor(format: LogFormat<D>, sink: S, context: FoldContext) {
    this.fold = format.createFold(context)
    this.sink = sink
  }

  /** Keeps a reference to `at`. */
  add(at: ReadPosition, { text, decoded, issues }: DecodedLine<D>): void {
    // The fold limits the lines it holds, but never sees blank ones.
    if (decoded === null && this.held.length >= maxHeld)
      return this.sink.line(readLine(at, text, true, noEvents, issues, nothing))
    const folded = decoded === null ? nothing : this.fold.add(at, decoded)
    const found = decoded === null ? [] : decoded.issues
    const own = issues.length + folded.issues.length === 0 ? found : [...found, ...folded.issues, ...issues]
    if (this.held.length === 0 && folded.held !== true) {
      this.gave(folded.events)
      return this.sink.line(readLine(at, text, decoded === null, folded.events, own, folded))
    }
    if (folded.events.length > 0) this.early.push(...folded.events)
    this.held.push(readLine(at, text, decoded === null, noEvents, own, folded))
    if (folded.held !== true && decoded !== null) this.release()
  }

  get missing(): MissingLogs {
    return this.fold.missing?.() ?? noMissingLogs
  }

  /** Ends the source. Call once. */
  end(): void {
    const { events, marks = [] } = this.fold.end()
    const lines = new Set(this.held.map(({ at }) => keyOf(at)))
    this.early.push(...events.filter(({ at }) => lines.has(keyOf(at))))
    const rest = events.filter(({ at }) => !lines.has(keyOf(at)))
    this.release()
    if (rest.length + marks.length > 0) this.sink.end?.(rest, marks)
  }

  /** Flushes the held lines with their events. Events of earlier lines go with the last one. */
  private release(): void {
    const byLine = new Map<number | string, FoldedEvent[]>()
    // The parts of a line share its numbers. A fold may tell the events of a later part first, or after those of the next line.
    const nextOrdinals = new Map<number | string, number>()
    const lastLine = this.lastAt === null ? null : keyOf(this.lastAt, this.lastAt.line)
    for (const event of this.early) {
      const key = keyOf(event.at)
      const line = keyOf(event.at, event.at.line)
      const first = Math.min(event.ordinal, nextOrdinals.get(line) ?? Infinity)
      nextOrdinals.set(line, line === lastLine ? Math.max(first, this.nextOrdinal) : first)
      const events = byLine.get(key)
      if (events === undefined) byLine.set(key, [event])
      else events.push(event)
    }
    const held = this.held
    const last = held.at(-1)
    this.held = []
    this.early = []
    for (const line of held) {
      const key = keyOf(line.at)
      const own = byLine.get(key) ?? noEvents
      byLine.delete(key)
      const told = line === last && byLine.size > 0 ? [...[...byLine.values()].flat(), ...own] : own
      const events = told.map((event) => numbered(event, nextOrdinals))
      this.gave(events)
      this.sink.line(readLine(line.at, line.text, line.blank, events, line.issues, line))
    }
  }

  private gave(events: readonly FoldedEvent[]): void {
    const last = events.at(-1)
    if (last === undefined) return
    this.lastAt = last.at
    this.nextOrdinal = last.ordinal + 1
  }
}

/** Without spread, which would cost more than all other work for a short line. */
function readLine(
  at: ReadPosition,
  text: string,
  blank: boolean,
  events: readonly FoldedEvent[],
  issues: readonly IssueDraft[],
  { timestamp, trackId, marks, tokens }: Pick<FoldResult, 'timestamp' | 'trackId' | 'marks' | 'tokens'>
): ReadLine {
  if (marks === undefined && tokens === undefined) return { at, text, blank, events, timestamp, trackId, issues }
  if (marks === undefined) return { at, text, blank, events, timestamp, trackId, issues, tokens: tokens ?? [] }
  if (tokens === undefined) return { at, text, blank, events, timestamp, trackId, issues, marks }
  return { at, text, blank, events, timestamp, trackId, issues, marks, tokens }
}

function numbered(event: FoldedEvent, nextOrdinals: Map<number | string, number>): FoldedEvent {
  const line = keyOf(event.at, event.at.line)
  const ordinal = nextOrdinals.get(line) ?? event.ordinal
  nextOrdinals.set(line, ordinal + 1)
  return ordinal === event.ordinal ? event : { ...event, ordinal }
}

/** Of a place in a file. Number keys are many times faster than strings. */
function keyOf({ file, offset }: LinePosition, place: number = offset): number | string {
  return file === undefined ? place : `${place} ${file}`
}
