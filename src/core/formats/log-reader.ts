import { type Decoded, type FoldContext, type Framing, type LogFormat } from './log-format.ts'
import type { LineSink } from './folded-lines.ts'
import { RunReader } from './run-reader.ts'

/** Options of `LogReader`. */
export interface LogReaderOptions extends Pick<FoldContext, 'now' | 'inPieces'> {
  /** The result of `headOf`; lines by default. */
  readonly framing?: Framing
}

/** Reads one source: bytes -> lines -> records -> events, in any chunking. Used by the chunk-fed parsers. */
export class LogReader<D extends Decoded = Decoded> {
  readonly #run: RunReader<D>

  constructor(format: LogFormat<D>, sink: LineSink, options: LogReaderOptions = {}) {
    this.#run = new RunReader(format, sink, options)
  }

  /** Physical lines read so far. */
  get lines(): number {
    return this.#run.linesOf(0)
  }

  /** Adds bytes. The caller may reuse `chunk`. */
  push(chunk: Uint8Array): void {
    this.#run.push(0, chunk)
  }

  /** Ends the source and reads an unterminated last line. Call once. */
  end(): void {
    this.#run.endFile(0)
    this.#run.end()
  }
}
