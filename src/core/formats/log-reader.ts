import { type Decoded, type FoldContext, type Framing, type LogFormat } from './log-format.ts'
import type { LineSink } from './line-folder.ts'
import { RunReader } from './run-reader.ts'

/** How a log is read. */
export interface LogReaderOptions extends Pick<FoldContext, 'now' | 'inPieces'> {
  /** As `headOf` found it; lines by default. */
  readonly framing?: Framing
}

/** Reads one source: bytes -> lines -> records -> events, in any chunking. The chunk-fed parsers read by it. */
export class LogReader<D extends Decoded = Decoded> {
  readonly #run: RunReader<D>

  constructor(format: LogFormat<D>, sink: LineSink, options: LogReaderOptions = {}) {
    this.#run = new RunReader(format, sink, options)
  }

  /** Physical lines read so far. */
  get lines(): number {
    return this.#run.linesOf(0)
  }

  /** Feeds the next bytes. `chunk` may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    this.#run.push(0, chunk)
  }

  /** The source has ended: a last line without line end is read now. Call once. */
  end(): void {
    this.#run.endFile(0)
    this.#run.end()
  }
}
