import { RedactedLog } from '#core/export/redacted-log.ts'
import type { Redactor } from '#core/export/redact.ts'
import type { LogFormat } from '#core/formats/log-format.ts'
import { redactedLines } from './redacted-lines.ts'

const byteOrderMark = Buffer.from('\ufeff')

/** A larger document is redacted line by line: what is read at once takes several times its size. */
const maxBytes = 64 << 20

/**
 * The bytes of a document without its secrets. Several of its lines may make one, as an option and its value in a list, so all of it is
 * looked at together. What lies outside strings, line ends among it, stays.
 */
export async function* redactedDocument(
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
  // On which of its lines is not known.
  redactor.place = null
  yield redactor.bytes(all.subarray(from))
}

async function* joined(held: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* held.splice(0)
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}
