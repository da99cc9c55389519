import { decodeLine, type DecodedLine } from '#core/formats/decode-line.ts'
import type { Framing, LinePosition, LogFormat } from '#core/formats/log-format.ts'
import { maxLineBytes } from '#core/lines/line-splitter.ts'
import { HostError } from '#contract/host-error.ts'
import type { RunBytes } from './block-cache.ts'

const maxLines = 100
const maxBytes = 4 << 20

/** Reads and decodes lines again. Caches the last ones, at most 4 MiB of log. */
export class DecodedLines {
  readonly #source: RunBytes
  readonly #format: LogFormat
  readonly #framingOf: (file: string | undefined) => Framing
  /** By place, least recently used first. An unterminated line has another key once it continues. */
  readonly #lines = new Map<string, { decoded: DecodedLine; length: number }>()
  #bytes = 0

  constructor(source: RunBytes, format: LogFormat, framingOf: (file: string | undefined) => Framing) {
    this.#source = source
    this.#format = format
    this.#framingOf = framingOf
  }

  /** `terminated`: at indexing. Throws `unavailable` if the file no longer has the line. */
  async at(place: LinePosition, terminated: boolean): Promise<DecodedLine> {
    const key = `${place.offset} ${place.length} ${terminated ? '' : 'cut'} ${place.file ?? ''}`
    const known = this.#lines.get(key)
    if (known) {
      this.#lines.delete(key)
      this.#lines.set(key, known)
      return known.decoded
    }
    const tooLong = place.length > maxLineBytes
    const bytes = tooLong ? null : await this.#source.read(place.file, place.offset, place.length)
    if (bytes && bytes.length < place.length) throw shortened()
    const decoded = decodeLine(this.#format, { ...place, bytes, terminated }, this.#framingOf(place.file))
    this.#keep(key, place.length, decoded)
    return decoded
  }

  #keep(key: string, length: number, decoded: DecodedLine): void {
    if (length > maxBytes) return
    // Two concurrent reads may load the same line.
    this.#bytes += length - (this.#lines.get(key)?.length ?? 0)
    this.#lines.set(key, { decoded, length })
    for (const [oldest, line] of this.#lines) {
      if (this.#lines.size <= maxLines && this.#bytes <= maxBytes) break
      this.#lines.delete(oldest)
      this.#bytes -= line.length
    }
  }
}

/** The error for a file that is shorter than at indexing. */
export function shortened(): HostError {
  return new HostError('unavailable', 'The file was truncated after it was read. Close the log and open it again.')
}
