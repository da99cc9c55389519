import { dialogueFile } from '../dialogue/sent-note.ts'
import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import type { DecodedLine, TextOf } from './decode-line.ts'
import { decodeParts, type TakeLine } from './decode-parts.ts'
import { FoldedLines, type LineSink, type ReadPosition } from './folded-lines.ts'
import { forkState } from '../state/fork-state.ts'
import type { Decoded, FoldContext, Framing, LogFormat, MissingLogs, RunFile } from './log-format.ts'
import { PriorityQueue } from './priority-queue.ts'

/** A further file of the run. */
export interface RunSource extends RunFile {
  readonly framing: Framing
}

export interface RunReaderOptions extends Pick<FoldContext, 'now' | 'inPieces'> {
  /** Framing of the main file; lines by default. */
  readonly framing?: Framing
  /** The other files, ordered by name only. */
  readonly files?: readonly RunSource[]
  /** As in `decodeLine`. */
  readonly textOf?: TextOf
  /** Called with each line, or part of a damaged one, as it is decoded: before the fold. */
  readonly onDecoded?: TakeLine<Decoded>
}

/** The read position of a file, enough to continue. */
export interface FilePosition {
  /** 1-based number of the next line. */
  readonly line: number
  readonly offset: number
  /** The latest time so far; null before the first. -Infinity: the main file before its first. */
  readonly clock: number | null
}

/** State to resume a reader. Only for files of lines, with no line waiting. */
export interface Interrupted<D extends Decoded, S extends LineSink> {
  readonly foldedLines: FoldedLines<D, S>
  /** By file, the main one first. */
  readonly positions: readonly FilePosition[]
}

/**
 * Reads a run, its main file and those of its subagents, as one sequence of lines through one fold. Every consumer
 * reads logs this way. Files are merged by time and keep their own order: a line is as late as the latest time in its
 * file so far, since times go back in real logs. Equally late lines keep the order of the files, main file first. Lines
 * before the main file's first time come first; those of another file go with its first timed line. So the result
 * depends neither on chunking nor on which file is fed first.
 */
export class RunReader<D extends Decoded = Decoded, S extends LineSink = LineSink> {
  readonly #foldedLines: FoldedLines<D, S>
  readonly #sources: Source<D>[]
  /** Files with a ready line. */
  readonly #next = new PriorityQueue<Source<D>>((a, b) => a.key < b.key || (a.key === b.key && a.index < b.index))
  /** Number of awaited files. */
  #unready: number
  /** Time and file of the last emitted line. */
  #last = { key: -Infinity, index: 0 }
  #inOrder = true

  /** Starts at the first line, or resumes an `interrupted` reader of the same files. */
  constructor(
    format: LogFormat<D>,
    sink: S | Interrupted<D, S>,
    { framing = 'lines', files = [], now, inPieces, textOf, onDecoded }: RunReaderOptions = {}
  ) {
    const interrupted = 'foldedLines' in sink ? sink : null
    const context: FoldContext = { files, ...(now && { now }), ...(inPieces && { inPieces }) }
    this.#foldedLines = 'foldedLines' in sink ? sink.foldedLines : new FoldedLines(format, sink, context)
    const alone = files.length === 0 ? this.#foldedLines : null
    const sources: RunSource[] = [{ name: '', framing }, ...files]
    const byOrder = files.length === 1 && files[0]?.name === dialogueFile
    const clockOf = byOrder ? orderOf : timeOf
    this.#sources = sources.map((source, index) => {
      const start = { line: 1, offset: 0, clock: index === 0 ? -Infinity : null }
      const at = interrupted?.positions[index] ?? start
      return new Source(format, index, index === 0 ? undefined : source.name, source.framing, at, {
        alone,
        clockOf,
        textOf,
        onDecoded
      })
    })
    this.#unready = this.#sources.length
    for (const [index, { clock }] of interrupted?.positions.entries() ?? []) {
      if (clock !== null && clock >= this.#last.key) this.#last = { key: clock, index }
    }
  }

  /** The receiver of lines. */
  get sink(): S {
    return this.#foldedLines.sink
  }

  /** Subagent logs that are referred to and not loaded. */
  get missing(): MissingLogs {
    return this.#foldedLines.missing
  }

  /** The state across lines. */
  get foldedLines(): FoldedLines<D, S> {
    return this.#foldedLines
  }

  /** False after a resumed file added a line before emitted ones: then a new reader must start over. */
  get inOrder(): boolean {
    return this.#inOrder
  }

  /** Read positions by file; null while a line waits. */
  get positions(): readonly FilePosition[] | null {
    const positions: FilePosition[] = []
    for (const source of this.#sources) {
      if (source.position === null) return null
      positions.push(source.position)
    }
    return positions
  }

  /** The file to feed next: 0 is the main one; null if all have ended or paused. */
  get wanted(): number | null {
    let open: number | null = null
    for (const [index, source] of this.#sources.entries()) {
      if (source.ended || source.paused) continue
      if (!source.ready) return index
      open ??= index
    }
    return open
  }

  /** Physical lines of a file read so far. */
  linesOf(file: number): number {
    return this.#sources[file]?.lines ?? 0
  }

  /** Position of a file's next or incomplete line; null in a document. */
  nextOf(file: number): { readonly line: number; readonly offset: number } | null {
    return this.#sources[file]?.next ?? null
  }

  /** Adds bytes of a file. The caller may reuse `chunk`. */
  push(file: number, chunk: Uint8Array): void {
    const source = this.#sources[file]
    if (source === undefined) return
    this.#change(source, () => source.push(chunk))
    this.#merge()
  }

  /** Ends a file and reads its unterminated last line. */
  endFile(file: number): void {
    const source = this.#sources[file]
    if (source === undefined) return
    this.#change(source, () => source.end())
    this.#merge()
  }

  /** Stops waiting for a file. */
  pauseFile(file: number): void {
    const source = this.#sources[file]
    if (source === undefined) return
    this.#change(source, () => (source.paused = true))
    this.#merge()
  }

  /** Waits for a file again. */
  resumeFile(file: number): void {
    const source = this.#sources[file]
    if (source !== undefined) this.#change(source, () => (source.paused = false))
  }

  /**
   * A copy of the sink (`forkState`) as if all files ended here; the reader itself continues. Null if an incomplete
   * line belongs before emitted ones, so only a new reader can tell.
   */
  endedCopy(): S | null {
    const foldedLines = forkState(this.#foldedLines)
    const remaining = this.#sources.flatMap((source) => source.remaining())
    remaining.sort((a, b) => a.key - b.key || a.index - b.index)
    const [first] = remaining
    if (first !== undefined && this.#sources.length > 1 && isBefore(first, this.#last)) return null
    for (const { at, line } of remaining) foldedLines.add(at, line)
    foldedLines.end()
    return foldedLines.sink
  }

  /** Ends all files. Call once. */
  end(): void {
    for (const source of this.#sources) this.#change(source, () => source.end())
    this.#merge()
    this.#foldedLines.end()
  }

  /** Emits lines in order while every awaited file has one. */
  #merge(): void {
    while (this.#unready === 0) {
      const { first } = this.#next
      if (first === undefined) return
      const { key, index } = first
      if (isBefore(first, this.#last)) this.#inOrder = false
      this.#last = { key, index }
      first.emit(this.#foldedLines)
      if (first.ready) this.#next.firstIsLater()
      else {
        this.#next.removeFirst()
        if (first.isAwaited) this.#unready++
      }
    }
  }

  /** Runs a change that may make a source ready. */
  #change(source: Source<D>, change: () => void): void {
    const { ready, isAwaited } = source
    change()
    if (!ready && source.ready) this.#next.add(source)
    this.#unready += Number(source.isAwaited) - Number(isAwaited)
  }
}

interface Turn {
  readonly key: number
  readonly index: number
}

function isBefore(a: Turn, b: Turn): boolean {
  return a.key < b.key || (a.key === b.key && a.index < b.index)
}

interface Waiting<D extends Decoded> {
  readonly at: ReadPosition
  readonly line: DecodedLine<D>
  key: number
}

type ClockOf = (line: DecodedLine<Decoded>) => number | undefined

/** The time by which a line is merged. */
function timeOf({ decoded }: DecodedLine<Decoded>): number | undefined {
  return decoded?.time
}

/** What its format states in place of the time, for a run of a recording and what was sent to the agent. */
function orderOf({ decoded }: DecodedLine<Decoded>): number | undefined {
  return decoded?.order ?? decoded?.time
}

/** Maximum lines that wait for a file's first time. */
const maxUntimed = 256

interface SourceOptions<D extends Decoded> {
  /** The direct receiver in a run of one file. */
  readonly alone: FoldedLines<D> | null
  readonly clockOf: ClockOf
  readonly textOf: TextOf | undefined
  readonly onDecoded: TakeLine<Decoded> | undefined
}

/** One file and its queue of lines. */
class Source<D extends Decoded> {
  /** Index among the files. */
  readonly index: number
  readonly #format: LogFormat<D>
  readonly #name: string | undefined
  readonly #framing: Framing
  readonly #textOf: TextOf | undefined
  readonly #onDecoded: TakeLine<Decoded> | undefined
  readonly #clockOf: ClockOf
  readonly #splitter: LineSplitter | DocumentSplitter
  readonly #foldedLines: FoldedLines<D> | null
  #queue: Waiting<D>[] = []
  #head = 0
  /** The latest time so far; null before the first. */
  #clock: number | null
  /** No more bytes for now. */
  paused = false
  #ended = false

  constructor(
    format: LogFormat<D>,
    index: number,
    name: string | undefined,
    framing: Framing,
    { clock, ...from }: FilePosition,
    { alone, clockOf, textOf, onDecoded }: SourceOptions<D>
  ) {
    this.#format = format
    this.index = index
    this.#name = name
    this.#framing = framing
    this.#textOf = textOf
    this.#onDecoded = onDecoded
    this.#clock = clock
    this.#foldedLines = alone
    this.#clockOf = clockOf
    const add: TakeLine<D> = (line, decoded) => this.#add(line, decoded)
    const read = (line: Line): void => this.#decode(line, add)
    this.#splitter = framing === 'lines' ? new LineSplitter(read, { from }) : new DocumentSplitter(read)
  }

  get lines(): number {
    return this.#splitter.lines
  }
  get next(): { readonly line: number; readonly offset: number } | null {
    return this.#splitter instanceof LineSplitter ? this.#splitter.next : null
  }
  get ended(): boolean {
    return this.#ended
  }
  /** The other files wait for its next line. */
  get isAwaited(): boolean {
    return !this.#ended && !this.paused && !this.ready
  }
  get position(): FilePosition | null {
    if (this.#head < this.#queue.length || !(this.#splitter instanceof LineSplitter)) return null
    return { ...this.#splitter.next, clock: this.#clock }
  }
  /** A line waits and has a time. */
  get ready(): boolean {
    return this.#head < this.#queue.length && this.#clock !== null
  }
  get key(): number {
    return this.#queue[this.#head]?.key ?? Infinity
  }

  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk)
  }

  /** The lines that the end of the file would release: untimed ones and an incomplete one. */
  remaining(): readonly (Waiting<D> & Turn)[] {
    const rest = this.#splitter instanceof LineSplitter ? this.#splitter.rest() : null
    const waiting = this.#queue.slice(this.#head)
    let clock = this.#clock
    if (rest !== null) {
      this.#decode(rest, (part, line) => {
        const time = this.#clockOf(line)
        if (time !== undefined && (clock === null || time > clock)) clock = time
        waiting.push({ at: this.#placeOf(part), line, key: clock ?? Infinity })
      })
    }
    return waiting.map(({ at, line, key }) => ({
      ...{ at, line, index: this.index },
      key: this.#clock === null ? (clock ?? Infinity) : key
    }))
  }

  end(): void {
    if (this.#ended) return
    this.#splitter.end()
    this.#ended = true
    if (this.#clock === null) this.#settle(Infinity)
  }

  emit(foldedLines: FoldedLines<D>): void {
    const waiting = this.#queue[this.#head]
    if (waiting === undefined) return
    this.#head++
    if (this.#head >= this.#queue.length) {
      this.#queue = []
      this.#head = 0
    }
    foldedLines.add(waiting.at, waiting.line)
  }

  #decode(line: Line, take: TakeLine<D>): void {
    decodeParts(this.#format, line, this.#framing, take, this.#textOf)
  }

  #add(line: Line, decoded: DecodedLine<D>): void {
    this.#onDecoded?.(line, decoded)
    const at = this.#placeOf(line)
    if (this.#foldedLines !== null) {
      this.#foldedLines.add(at, decoded)
      return
    }
    const time = this.#clockOf(decoded)
    if (time !== undefined && (this.#clock === null || time > this.#clock)) this.#settle(time)
    this.#queue.push({ at, line: decoded, key: this.#clock ?? Infinity })
    if (this.#clock === null && this.#queue.length > maxUntimed) this.#settle(Infinity)
  }

  /** Without the bytes, which others own; events keep the position. */
  #placeOf({ line, offset, length, terminated }: ReadPosition): ReadPosition {
    const place = { line, offset, length, terminated }
    return this.#name === undefined ? place : { file: this.#name, ...place }
  }

  /** Sets the file's time, also for its untimed lines. */
  #settle(time: number): void {
    if (this.#clock === null) for (const waiting of this.#queue) waiting.key = time
    this.#clock = time
  }
}
