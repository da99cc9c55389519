import type { Redactor } from '#core/export/redact.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from('\ufeff')

/** The bytes of a file without the secrets in its lines. Line ends, and all in which nothing was found, stay as they are, byte for byte. */
export async function* redactedLines(
  chunks: AsyncIterable<Uint8Array>,
  redactor: Redactor
): AsyncGenerator<Uint8Array> {
  // Of a line that has not ended.
  let pieces: Uint8Array[] = []
  let isFirst = true
  const line = (last: Uint8Array): Uint8Array => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
    pieces = []
    const mark = isFirst && byteOrderMark.every((byte, i) => bytes[i] === byte) ? byteOrderMark.length : 0
    isFirst = false
    return redactedLine(bytes, mark, redactor)
  }
  for await (const chunk of chunks) {
    const lines: Uint8Array[] = []
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      lines.push(line(chunk.subarray(from, end + 1)))
      from = end + 1
    }
    if (lines.length > 0) yield Buffer.concat(lines)
    // A chunk is valid until the next one is asked for.
    if (from < chunk.length) pieces.push(Uint8Array.from(chunk.subarray(from)))
  }
  if (pieces.length > 0) yield line(new Uint8Array(0))
}

/** `bytes`: with the line end; the text begins at `from`. */
function redactedLine(bytes: Uint8Array, from: number, redactor: Redactor): Uint8Array {
  let end = bytes.length
  if (bytes[end - 1] === lineFeed) end--
  if (bytes[end - 1] === carriageReturn) end--
  const text = bytes.subarray(from, Math.max(from, end))
  const redacted = redactor.bytes(text)
  return redacted === text ? bytes : Buffer.concat([bytes.subarray(0, from), redacted, bytes.subarray(end)])
}
