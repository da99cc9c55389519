import type { Redactor } from '#core/export/redact.ts'
import { RedactedLog } from '#core/export/redacted-log.ts'
import type { OpenFile, Run } from '../sources/run.ts'
import type { LogFormat } from '#core/formats/log-format.ts'

/** The bytes of a file of a run, redacted if there is a redactor. */
export function textOfFile(run: Run, { name, source }: OpenFile, redactor: Redactor | null): AsyncIterable<Uint8Array> {
  if (redactor === null) return source.chunks()
  const file = name ?? null
  if (run.framingOf(name) === 'document') return redactedDocument(source.chunks(), redactor, run.format, file)
  return redactedLines(source.chunks(), new RedactedLog(run.format, run.framingOf(name), redactor, file))
}

const byteOrderMark = Buffer.from('\ufeff')

/** A larger document is redacted line by line, because parsing it whole takes several times its size. */
const maxBytes = 64 << 20

/** Redacts a document as a whole, as a secret may span lines, such as an option and its value. Only strings change. */
async function* redactedDocument(
  chunks: AsyncIterable<Uint8Array>,
  redactor: Redactor,
  format: LogFormat,
  file: string | null = null
): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = []
  let bytes = 0
  const iterator = chunks[Symbol.asyncIterator]()
  for (;;) {
    const next = await iterator.next()
    if (next.done === true) break
    // A chunk is valid until the next one is asked for.
    held.push(Uint8Array.from(next.value))
    bytes += next.value.length
    if (bytes <= maxBytes) continue
    yield* redactedLines(joined(held, iterator), new RedactedLog(format, 'document', redactor, file))
    return
  }
  const all = Buffer.concat(held)
  const from = all.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0
  yield all.subarray(0, from)
  // The lines are unknown.
  redactor.place = null
  yield redactor.bytes(all.subarray(from))
}

async function* joined(held: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* held.splice(0)
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Redacts the lines of a file. All other bytes stay. */
async function* redactedLines(chunks: AsyncIterable<Uint8Array>, log: RedactedLog): AsyncGenerator<Uint8Array> {
  const lines = new FramedLines(log)
  // Of an unterminated line.
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

/** Removes byte order mark and line ends before redaction and restores them. */
class FramedLines {
  readonly #log: RedactedLog
  /** Of the lines inside `#log`. */
  readonly #frames: { readonly before: Uint8Array; readonly after: Uint8Array }[] = []
  #isFirst = true

  constructor(log: RedactedLog) {
    this.#log = log
  }

  /** `line`: with its line end. */
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
