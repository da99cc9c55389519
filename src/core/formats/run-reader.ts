import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { decodeLine, type DecodedLine } from './decode-line.ts'
import { LineFolder, type LineSink, type ReadPosition } from './line-folder.ts'
import type { Decoded, FoldContext, Framing, LogFormat, RunFile } from './log-format.ts'
import { PriorityQueue } from './priority-queue.ts'

/** A file of a run that is read beside the main one. */
export interface RunSource extends RunFile {
  readonly framing: Framing
}

export interface RunReaderOptions extends Pick<FoldContext, 'now'> {
  /** Of the main file; lines by default. */
  readonly framing?: Framing
  /** The other files, in an order that depends on nothing but their names. */
  readonly files?: readonly RunSource[]
}

/**
 * Reads a run: its main file, and the files of its subagents, as one sequence of lines through one fold. The one path every
 * consumer reads a log by. Files are merged by the time their records state: a file's lines keep their order, and a line counts as
 * being as late as the latest time stated in its file up to it (times go back in real logs); of lines equally late the main file's
 * come first, then those of the other files in their order. Lines before the first time of the main file come before
 * everything; those of another file go with the first line of it that has one. So the same bytes give the same events, in any
 * chunking and whichever file is fed first.
 */
export class RunReader<D extends Decoded = Decoded> {
  readonly #folder: LineFolder<D>
  readonly #sources: Source<D>[]
  /** The files that have a line ready. */
  readonly #next = new PriorityQueue<Source<D>>((a, b) => a.key < b.key || (a.key === b.key && a.index < b.index))
  /** How many go on and have none. */
  #unready: number

  constructor(format: LogFormat<D>, sink: LineSink, { framing = 'lines', files = [], now }: RunReaderOptions = {}) {
    this.#folder = new LineFolder(format, sink, now === undefined ? { files } : { files, now })
    const alone = files.length === 0 ? this.#folder : null
    this.#sources = [
      new Source(format, 0, undefined, framing, -Infinity, alone),
      ...files.map((file, i) => new Source(format, i + 1, file.name, file.framing, null, null))
    ]
    this.#unready = this.#sources.length
  }

  /** The file whose bytes are needed next: 0 the main one, then as in `files`; null when all have ended. */
  get wanted(): number | null {
    let open: number | null = null
    for (const [index, source] of this.#sources.entries()) {
      if (source.ended) continue
      if (!source.ready) return index
      open ??= index
    }
    return open
  }

  /** Physical lines of a file read so far. */
  linesOf(file: number): number {
    return this.#sources[file]?.lines ?? 0
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
      first.give(this.#folder)
      if (first.ready) this.#next.firstIsLater()
      else {
        this.#next.removeFirst()
        if (!first.ended) this.#unready++
      }
    }
  }

  /** Does something that may make a source ready. */
  #change(source: Source<D>, change: () => void): void {
    const { ready, ended } = source
    change()
    if (ready) return
    if (source.ready) this.#next.add(source)
    if (!ended && (source.ready || source.ended)) this.#unready--
  }
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
  readonly #splitter: LineSplitter | DocumentSplitter
  /** Of a run of one file: where its lines go at once. */
  readonly #folder: LineFolder<D> | null
  #queue: Waiting<D>[] = []
  #head = 0
  /** The latest time stated so far; null while none is. */
  #clock: number | null
  #ended = false

  constructor(
    format: LogFormat<D>,
    index: number,
    name: string | undefined,
    framing: Framing,
    clock: number | null,
    folder: LineFolder<D> | null
  ) {
    this.#format = format
    this.index = index
    this.#name = name
    this.#framing = framing
    this.#clock = clock
    this.#folder = folder
    const read = (line: Line): void => this.#read(line)
    this.#splitter = framing === 'lines' ? new LineSplitter(read) : new DocumentSplitter(read)
  }

  get lines(): number {
    return this.#splitter.lines
  }
  get ended(): boolean {
    return this.#ended
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
    const decoded = decodeLine(this.#format, line, this.#framing)
    if (this.#folder !== null) {
      this.#folder.add(line, decoded)
      return
    }
    const { offset, length, terminated } = line
    const place = { line: line.line, offset, length, terminated }
    const at = this.#name === undefined ? place : { file: this.#name, ...place }
    const time = decoded.decoded?.time
    if (time !== undefined && (this.#clock === null || time > this.#clock)) this.#settle(time)
    this.#queue.push({ at, line: decoded, key: this.#clock ?? Infinity })
    if (this.#clock === null && this.#queue.length > maxUntimed) this.#settle(Infinity)
  }

  /** From here on the file is this late; so are the lines that waited for its first time. */
  #settle(time: number): void {
    if (this.#clock === null) for (const waiting of this.#queue) waiting.key = time
    this.#clock = time
  }
}
