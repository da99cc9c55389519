import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { decodeLine, type DecodedLine, type DecodeLine } from './decode-line.ts'
import { LineFolder, type LineSink, type ReadPosition } from './line-folder.ts'
import { forkState } from '../state/fork-state.ts'
import type { Decoded, FoldContext, Framing, LogFormat, MissingLogs, RunFile } from './log-format.ts'
import { PriorityQueue } from './priority-queue.ts'

/** A file of a run that is read beside the main one. */
export interface RunSource extends RunFile {
  readonly framing: Framing
}

export interface RunReaderOptions extends Pick<FoldContext, 'now' | 'inPieces'> {
  /** Of the main file; lines by default. */
  readonly framing?: Framing
  /** The other files, in an order that depends on nothing but their names. */
  readonly files?: readonly RunSource[]
  /** `decodeLine` by default; who observes the lines, or has a faster way to their text, wraps it. */
  readonly decode?: DecodeLine
}

/** How far a file has been read: what it takes to read on from there. */
export interface FilePosition {
  /** Where its next line begins. */
  readonly line: number
  readonly offset: number
  /** The latest time stated before; null while none is. -Infinity: of the main file before its first. */
  readonly clock: number | null
}

/** A reader that was interrupted, and goes on. Only of files of lines, and at a point where none of them waited for another. */
export interface Interrupted<D extends Decoded, S extends LineSink> {
  readonly folder: LineFolder<D, S>
  /** In the order of the files, the main one first. */
  readonly positions: readonly FilePosition[]
}

/**
 * Reads a run: its main file, and the files of its subagents, as one sequence of lines through one fold. The one path every
 * consumer reads a log by. Files are merged by the time their records state: a file's lines keep their order, and a line counts as
 * being as late as the latest time stated in its file up to it (times go back in real logs); of lines equally late the main file's
 * come first, then those of the other files in their order. Lines before the first time of the main file come before
 * everything; those of another file go with the first line of it that has one. So the same bytes give the same events, in any
 * chunking and whichever file is fed first.
 */
export class RunReader<D extends Decoded = Decoded, S extends LineSink = LineSink> {
  readonly #folder: LineFolder<D, S>
  readonly #sources: Source<D>[]
  /** The files that have a line ready. */
  readonly #next = new PriorityQueue<Source<D>>((a, b) => a.key < b.key || (a.key === b.key && a.index < b.index))
  /** How many go on and have none. */
  #unready: number
  /** The line given last: how late it was, and the file it is of. */
  #last = { key: -Infinity, index: 0 }
  #inOrder = true

  /** Begins with the first line, or goes on where another reader of the same files was `interrupted`. */
  constructor(
    format: LogFormat<D>,
    sink: S | Interrupted<D, S>,
    { framing = 'lines', files = [], now, inPieces, decode = decodeLine }: RunReaderOptions = {}
  ) {
    const interrupted = 'folder' in sink ? sink : null
    const context: FoldContext = { files, ...(now && { now }), ...(inPieces && { inPieces }) }
    this.#folder = 'folder' in sink ? sink.folder : new LineFolder(format, sink, context)
    const alone = files.length === 0 ? this.#folder : null
    const sources: RunSource[] = [{ name: '', framing }, ...files]
    this.#sources = sources.map((source, index) => {
      const start = { line: 1, offset: 0, clock: index === 0 ? -Infinity : null }
      const at = interrupted?.positions[index] ?? start
      return new Source(format, index, index === 0 ? undefined : source.name, source.framing, at, alone, decode)
    })
    this.#unready = this.#sources.length
    for (const [index, { clock }] of interrupted?.positions.entries() ?? []) {
      if (clock !== null && clock >= this.#last.key) this.#last = { key: clock, index }
    }
  }

  /** Where the lines go. */
  get sink(): S {
    return this.#folder.sink
  }

  /** Logs of subagents that are not read with this one, as far as its lines tell. */
  get missing(): MissingLogs {
    return this.#folder.missing
  }

  /** What is kept from line to line. */
  get folder(): LineFolder<D, S> {
    return this.#folder
  }

  /** False once a file that had paused went on with a line that belongs before one given already: another reader has to begin anew. */
  get inOrder(): boolean {
    return this.#inOrder
  }

  /** How far each file has been read; null while a line waits for its turn or the time of its file. */
  get positions(): readonly FilePosition[] | null {
    const positions: FilePosition[] = []
    for (const source of this.#sources) {
      if (source.position === null) return null
      positions.push(source.position)
    }
    return positions
  }

  /** The file whose bytes are needed next: 0 the main one, then as in `files`; null when all have ended or paused. */
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

  /** Where the line of a file begins that comes next, or is under way; null in a document. */
  nextOf(file: number): { readonly line: number; readonly offset: number } | null {
    return this.#sources[file]?.next ?? null
  }

  /** Feeds the next bytes of a file. `chunk` may be reused by the caller afterwards. */
  push(file: number, chunk: Uint8Array): void {
    const source = this.#sources[file]
    if (source === undefined) return
    this.#change(source, () => source.push(chunk))
    this.#merge()
  }

  /** A file has ended: its last line without line end is read now. */
  endFile(file: number): void {
    const source = this.#sources[file]
    if (source === undefined) return
    this.#change(source, () => source.end())
    this.#merge()
  }

  /** There is no more of a file for now: nothing waits for it. */
  pauseFile(file: number): void {
    const source = this.#sources[file]
    if (source === undefined) return
    this.#change(source, () => (source.paused = true))
    this.#merge()
  }

  /** There is more of a file: the lines of others wait for it again. */
  resumeFile(file: number): void {
    const source = this.#sources[file]
    if (source !== undefined) this.#change(source, () => (source.paused = false))
  }

  /**
   * The sink as it would be if all files ended where they have paused: a copy of it (`forkState`), while the reader itself goes on. Null
   * where an unfinished line belongs before one given already, so that only another reader can tell.
   */
  endedCopy(): S | null {
    const folder = forkState(this.#folder)
    const left = this.#sources.flatMap((source) => source.left())
    left.sort((a, b) => a.key - b.key || a.index - b.index)
    const [first] = left
    if (first !== undefined && this.#sources.length > 1 && isBefore(first, this.#last)) return null
    for (const { at, line } of left) folder.add(at, line)
    folder.end()
    return folder.sink
  }

  /** All files have ended. Call once. */
  end(): void {
    for (const source of this.#sources) this.#change(source, () => source.end())
    this.#merge()
    this.#folder.end()
  }

  /** Gives the lines whose turn it is, as long as every file that goes on has one. */
  #merge(): void {
    while (this.#unready === 0) {
      const { first } = this.#next
      if (first === undefined) return
      const { key, index } = first
      if (isBefore(first, this.#last)) this.#inOrder = false
      this.#last = { key, index }
      first.give(this.#folder)
      if (first.ready) this.#next.firstIsLater()
      else {
        this.#next.removeFirst()
        if (first.isAwaited) this.#unready++
      }
    }
  }

  /** Does something that may make a source ready. */
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

/** How many lines may wait for the first time of their file. */
const maxUntimed = 256

/** One file: its lines as they are read, waiting for their turn. */
class Source<D extends Decoded> {
  /** Its place among the files. */
  readonly index: number
  readonly #format: LogFormat<D>
  readonly #name: string | undefined
  readonly #framing: Framing
  readonly #decode: DecodeLine
  readonly #splitter: LineSplitter | DocumentSplitter
  /** Of a run of one file: where its lines go at once. */
  readonly #folder: LineFolder<D> | null
  #queue: Waiting<D>[] = []
  #head = 0
  /** The latest time stated so far; null while none is. */
  #clock: number | null
  /** It goes on some time. */
  paused = false
  #ended = false

  constructor(
    format: LogFormat<D>,
    index: number,
    name: string | undefined,
    framing: Framing,
    { clock, ...from }: FilePosition,
    folder: LineFolder<D> | null,
    decode: DecodeLine
  ) {
    this.#format = format
    this.index = index
    this.#name = name
    this.#framing = framing
    this.#decode = decode
    this.#clock = clock
    this.#folder = folder
    const read = (line: Line): void => this.#read(line)
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
  /** It goes on, and the others wait for its next line. */
  get isAwaited(): boolean {
    return !this.#ended && !this.paused && !this.ready
  }
  /** Null while a line waits. */
  get position(): FilePosition | null {
    if (this.#head < this.#queue.length || !(this.#splitter instanceof LineSplitter)) return null
    return { ...this.#splitter.next, clock: this.#clock }
  }
  /** A line waits, and it is known how late it is. */
  get ready(): boolean {
    return this.#head < this.#queue.length && this.#clock !== null
  }
  get key(): number {
    return this.#queue[this.#head]?.key ?? Infinity
  }

  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk)
  }

  /** What the end of the file would give now: lines that wait for its first time, and an unfinished one. */
  left(): readonly (Waiting<D> & Turn)[] {
    const rest = this.#splitter instanceof LineSplitter ? this.#splitter.rest() : null
    const waiting = this.#queue.slice(this.#head)
    let clock = this.#clock
    if (rest !== null) {
      const line = this.#decode(this.#format, rest, this.#framing)
      const time = line.decoded?.time
      if (time !== undefined && (clock === null || time > clock)) clock = time
      waiting.push({ at: this.#placeOf(rest), line, key: clock ?? Infinity })
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

  give(folder: LineFolder<D>): void {
    const waiting = this.#queue[this.#head]
    if (waiting === undefined) return
    this.#head++
    if (this.#head >= this.#queue.length) {
      this.#queue = []
      this.#head = 0
    }
    folder.add(waiting.at, waiting.line)
  }

  #read(line: Line): void {
    const decoded = this.#decode(this.#format, line, this.#framing)
    const at = this.#placeOf(line)
    if (this.#folder !== null) {
      this.#folder.add(at, decoded)
      return
    }
    const time = decoded.decoded?.time
    if (time !== undefined && (this.#clock === null || time > this.#clock)) this.#settle(time)
    this.#queue.push({ at, line: decoded, key: this.#clock ?? Infinity })
    if (this.#clock === null && this.#queue.length > maxUntimed) this.#settle(Infinity)
  }

  /** Without the line's bytes, which are the splitter's or the caller's: events are kept, and with them the place they stand at. */
  #placeOf({ line, offset, length, terminated }: ReadPosition): ReadPosition {
    const place = { line, offset, length, terminated }
    return this.#name === undefined ? place : { file: this.#name, ...place }
  }

  /** From here on the file is this late; so are the lines that waited for its first time. */
  #settle(time: number): void {
    if (this.#clock === null) for (const waiting of this.#queue) waiting.key = time
    this.#clock = time
  }
}
