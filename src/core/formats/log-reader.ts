import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { decodeLine } from './decode-line.ts'
import type { IssueDraft } from './issue.ts'
import type { Decoded, Fold, FoldContext, FoldedEvent, LogFormat } from './log-format.ts'

/** One line of a source, read. A blank line has no events and no row; every other line has at least a row. */
export interface ReadLine {
  readonly at: Line
  readonly text: string
  readonly blank: boolean
  readonly events: readonly FoldedEvent[]
  readonly issues: readonly IssueDraft[]
  /** Of a line without events: when and on which track it happened, as far as its record says so. */
  readonly timestamp?: number | undefined
  readonly trackId?: string | undefined
}

export interface LogReaderSink {
  line(line: ReadLine): void
  /** Events that only the end of the source reveals. They belong to lines already given. */
  end?(events: readonly FoldedEvent[]): void
}

/**
 * Bytes -> lines -> records -> events, in any chunking. The one path every consumer reads a log by:
 * the indexer, the command line, the chunk-fed parsers.
 */
export class LogReader<D extends Decoded = Decoded> {
  readonly #format: LogFormat<D>
  readonly #sink: LogReaderSink
  readonly #fold: Fold<D>
  readonly #splitter: LineSplitter

  constructor(format: LogFormat<D>, sink: LogReaderSink, context: FoldContext = {}) {
    this.#format = format
    this.#sink = sink
    this.#fold = format.createFold(context)
    this.#splitter = new LineSplitter((line) => this.#line(line))
  }

  /** Feeds the next bytes. `chunk` may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk)
  }

  /** The source has ended: a last line without line end is read now. Call once. */
  end(): void {
    this.#splitter.end()
    const { events } = this.#fold.end()
    if (events.length > 0) this.#sink.end?.(events)
  }

  #line(line: Line): void {
    const { text, decoded, issues } = decodeLine(this.#format, line)
    if (decoded === null) {
      this.#sink.line({ at: line, text, blank: true, events: [], issues })
      return
    }
    const folded = this.#fold.add(line, decoded)
    // Written out: to spread an object costs more than all else that is done for a short line.
    this.#sink.line({
      at: line,
      text,
      blank: false,
      events: folded.events,
      timestamp: folded.timestamp,
      trackId: folded.trackId,
      issues:
        issues.length + folded.issues.length === 0 ? decoded.issues : [...decoded.issues, ...folded.issues, ...issues]
    })
  }
}
