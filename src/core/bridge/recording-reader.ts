import { decodeLine, type DecodedLine, type DecodeLine } from '../formats/decode-line.ts'
import type { LineSink } from '../formats/line-folder.ts'
import { type LogFormat, placeOf } from '../formats/log-format.ts'
import { RunReader } from '../formats/run-reader.ts'
import { LineSplitter } from '../lines/line-splitter.ts'
import type { RunStream } from './run-stream.ts'

/** As a file of the run; no event is of it. */
const notesName = 'notes'

/** Reads the recording of a run into its stream, by the reader that every log is read by: bytes in any chunking. */
export class RecordingReader {
  readonly #reader: RunReader
  readonly #notes: LineSplitter
  #tornAt: number | null = null

  constructor(format: LogFormat, stream: RunStream) {
    const sink: LineSink = {
      line: ({ events, tokens = [] }) => {
        stream.note(tokens)
        stream.tell(events)
      },
      end: (events) => stream.tell(events)
    }
    // Lines that a fold holds come to the sink late; what they say is wanted at once.
    const observed: DecodeLine = (lineFormat, line, framing) => {
      const decoded = decodeLine(lineFormat, line, framing)
      stream.read(decoded)
      // A last line without its end may only be on its way, or be cut by a stop.
      if (line.terminated && isTorn(decoded)) this.#tornAt ??= line.offset
      return decoded
    }
    this.#reader = new RunReader(format, sink, { decode: observed })
    // At once, and not by their times: the stream would depend on where a chunk of the recording ends.
    this.#notes = new LineSplitter((line) =>
      this.#reader.folder.add(
        { file: notesName, ...placeOf(line), terminated: true },
        decodeLine(format, line, 'lines')
      )
    )
  }

  /** Where the line begins that comes next, or is under way: in bytes of the recording. */
  get position(): number {
    return this.#reader.nextOf(0)?.offset ?? 0
  }

  /** Where the first line begins, in bytes, that holds only a part of its record; null: none does. */
  get tornAt(): number | null {
    return this.#tornAt
  }

  /** Feeds the next bytes, which may be reused afterwards. */
  push(bytes: Uint8Array): void {
    this.#reader.push(0, bytes)
  }

  /** Whole lines that are noted beside the recording (`LiveNotes`): at any time before the line that needs them. */
  note(lines: Uint8Array): void {
    this.#notes.push(lines)
  }

  /** The recording has ended: a last line without line end is read now. Call once. */
  end(): void {
    this.#reader.end()
  }
}

/** A record, but not a whole one. Other words between records are what some programs print of themselves. */
function isTorn({ text, value }: DecodedLine): boolean {
  return value === undefined && text.startsWith('{')
}
