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

/** Where a line stands, and whether it has a line end (in a document: whether the record is whole). */
export interface ReadPosition extends LinePosition {
  readonly terminated: boolean
}

/** One line of a source, read. A blank line has no events and no row; every other line has at least a row. */
export interface ReadLine {
  readonly at: ReadPosition
  readonly text: string
  readonly blank: boolean
  readonly events: readonly FoldedEvent[]
  readonly issues: readonly IssueDraft[]
  /** Of a line without events: when and on which track it happened, as far as its record says so. */
  readonly timestamp?: number | undefined
  readonly trackId?: string | undefined
  /** Lines, given before or this one, that are marked from here on. */
  readonly marks?: readonly LineMark[]
  readonly tokens?: readonly TokenNote[]
}

export interface LineSink {
  line(line: ReadLine): void
  /** What only the end of the source reveals. It belongs to lines already given. */
  end?(events: readonly FoldedEvent[], marks: readonly LineMark[]): void
}

const noEvents: readonly FoldedEvent[] = []
/** With so many lines held, a blank one goes ahead of them. */
const maxHeld = 4096
const nothing: FoldResult = { events: noEvents, issues: [] }

/** Puts decoded lines through a format's fold and gives them in order, with their events. Lines the fold holds wait here. */
export class LineFolder<D extends Decoded = Decoded, S extends LineSink = LineSink> {
  private readonly fold: Fold<D>
  readonly sink: S
  private held: ReadLine[] = []
  /** Events given while lines are held. */
  private early: FoldedEvent[] = []

  constructor(format: LogFormat<D>, sink: S, context: FoldContext) {
    this.fold = format.createFold(context)
    this.sink = sink
  }

  /** `at` is kept, with all it has. */
  add(at: ReadPosition, { text, decoded, issues }: DecodedLine<D>): void {
    // A fold bounds what it holds, and knows nothing of blank lines: of those there may be any number.
    if (decoded === null && this.held.length >= maxHeld)
      return this.sink.line(readLine(at, text, true, noEvents, issues, nothing))
    const folded = decoded === null ? nothing : this.fold.add(at, decoded)
    const found = decoded === null ? [] : decoded.issues
    const own = issues.length + folded.issues.length === 0 ? found : [...found, ...folded.issues, ...issues]
    if (this.held.length === 0 && folded.held !== true) {
      return this.sink.line(readLine(at, text, decoded === null, folded.events, own, folded))
    }
    if (folded.events.length > 0) this.early.push(...folded.events)
    this.held.push(readLine(at, text, decoded === null, noEvents, own, folded))
    if (folded.held !== true && decoded !== null) this.release()
  }

  get missing(): MissingLogs {
    return this.fold.missing?.() ?? noMissingLogs
  }

  /** The source has ended. Call once. */
  end(): void {
    const { events, marks = [] } = this.fold.end()
    const lines = new Set(this.held.map(({ at }) => keyOf(at)))
    this.early.push(...events.filter(({ at }) => lines.has(keyOf(at))))
    const rest = events.filter(({ at }) => !lines.has(keyOf(at)))
    this.release()
    if (rest.length + marks.length > 0) this.sink.end?.(rest, marks)
  }

  /** Gives the lines held, each with its events; those of a line given before go with the last one. */
  private release(): void {
    const byLine = new Map<number | string, FoldedEvent[]>()
    for (const event of this.early) {
      const key = keyOf(event.at)
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
      const events = line === last && byLine.size > 0 ? [...[...byLine.values()].flat(), ...own] : own
      this.sink.line(readLine(line.at, line.text, line.blank, events, line.issues, line))
    }
  }
}

/** Written out: to spread an object costs more than all else that is done for a short line. */
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

/** Numbers are found many times faster than texts. */
function keyOf(at: LinePosition): number | string {
  return at.file === undefined ? at.offset : `${at.offset} ${at.file}`
}
