import type { DecodedLine } from '../formats/decode-line.ts'
import { decodeParts, type TakeLine } from '../formats/decode-parts.ts'
import type { LineSink } from '../formats/folded-lines.ts'
import { type Decoded, type LogFormat, placeOf } from '../formats/log-format.ts'
import { RunReader } from '../formats/run-reader.ts'
import { LineSplitter } from '../lines/line-splitter.ts'
import type { RunStream } from './run-stream.ts'

/** The notes as a file of the run, without events. */
const notesName = 'notes'

/** Reads the recording of a run into its stream with the reader of all logs, in any chunking. */
export class RecordingReader {
  readonly #reader: RunReader
  readonly #notes: LineSplitter
  #tornAt: number | null = null

  constructor(format: LogFormat, stream: RunStream) {
    const sink: LineSink = {
      line: ({ events, tokens = [] }) => {
        stream.addTokens(tokens)
        stream.addEvents(events)
      },
      end: (events) => stream.addEvents(events)
    }
    // Held lines reach the sink late, but the stream needs their records at once.
    const onDecoded: TakeLine<Decoded> = (line, decoded) => {
      stream.read(decoded)
      // An unterminated last line may be incomplete.
      if (line.terminated && isTorn(decoded)) this.#tornAt ??= line.offset
    }
    this.#reader = new RunReader(format, sink, { onDecoded })
    // Added at once, not by time, so the stream does not depend on the chunking of the recording.
    this.#notes = new LineSplitter((line) =>
      decodeParts(format, line, 'lines', (part, decoded) =>
        this.#reader.foldedLines.add({ file: notesName, ...placeOf(part), terminated: true }, decoded)
      )
    )
  }

  /** Byte offset of the current or next line of the recording. */
  get position(): number {
    return this.#reader.nextOf(0)?.offset ?? 0
  }

  /** Byte offset of the first line with a partial record; null: none. */
  get tornAt(): number | null {
    return this.#tornAt
  }

  /** `bytes` may be reused afterwards. */
  push(bytes: Uint8Array): void {
    this.#reader.push(0, bytes)
  }

  /** Adds whole lines noted beside the recording (`LiveNotes`), at any time before the line that needs them. */
  note(lines: Uint8Array): void {
    this.#notes.push(lines)
  }

  /** The end of the recording: reads a last line without line end. Call once. */
  end(): void {
    this.#reader.end()
  }
}

/** A partial record. Other text between records is program output. */
function isTorn({ text, value }: DecodedLine): boolean {
  return value === undefined && text.startsWith('{')
}
