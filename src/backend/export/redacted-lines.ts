import type { RedactedLog } from '#core/export/redacted-log.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from('\ufeff')

/** The bytes of a file without the secrets in its lines. Line ends, and all in which nothing was found, stay as they are, byte for byte. */
export async function* redactedLines(chunks: AsyncIterable<Uint8Array>, log: RedactedLog): AsyncGenerator<Uint8Array> {
  const lines = new FramedLines(log)
  // Of a line that has not ended.
  let pieces: Uint8Array[] = []
  for await (const chunk of chunks) {
    const ready: Uint8Array[] = []
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      const last = chunk.subarray(from, end + 1)
      ready.push(...lines.add(pieces.length === 0 ? last : Buffer.concat([...pieces, last])))
      pieces = []
      from = end + 1
    }
    if (ready.length > 0) yield Buffer.concat(ready)
    // A chunk is valid until the next one is asked for.
    if (from < chunk.length) pieces.push(Uint8Array.from(chunk.subarray(from)))
  }
  if (pieces.length > 0) yield Buffer.concat(lines.add(Buffer.concat(pieces)))
  yield Buffer.concat(lines.end())
}

/** Lines with what stands around their text: it is put back when they come out. */
class FramedLines {
  readonly #log: RedactedLog
  /** Of the lines that have not come out. */
  readonly #frames: { readonly before: Uint8Array; readonly after: Uint8Array }[] = []
  #isFirst = true

  constructor(log: RedactedLog) {
    this.#log = log
  }

  /** `line`: with its end. */
  add(line: Uint8Array): Uint8Array[] {
    const isMarked = this.#isFirst && byteOrderMark.every((byte, i) => line[i] === byte)
    this.#isFirst = false
    const from = isMarked ? byteOrderMark.length : 0
    let to = line.length
    if (line[to - 1] === lineFeed) to--
    if (line[to - 1] === carriageReturn) to--
    to = Math.max(from, to)
    this.#frames.push({ before: Uint8Array.from(line.subarray(0, from)), after: Uint8Array.from(line.subarray(to)) })
    return this.#framed(this.#log.add(line.subarray(from, to)))
  }

  end(): Uint8Array[] {
    return this.#framed(this.#log.end())
  }

  #framed(lines: readonly Uint8Array[]): Uint8Array[] {
    return lines.flatMap((line) => {
      const frame = this.#frames.shift()
      return frame ? [frame.before, line, frame.after] : [line]
    })
  }
}
