/** The longest string of V8 (0x1fffffe8 characters). A UTF-8 line of that many bytes always fits. */
export const maxLineBytes = 0x1fffffe8

/** One line of a source. */
export interface Line {
  /** 1-based. */
  readonly line: number
  readonly offset: number
  /** Bytes without the line end (`\n` or `\r\n`). */
  readonly length: number
  /** The line's bytes, valid only until the callback returns; null when the line is longer than `maxBytes`. */
  readonly bytes: Uint8Array | null
  /** False only for a last line without a line end. */
  readonly terminated: boolean
}

export interface LineSplitterOptions {
  /** Longer lines are counted, not stored. */
  readonly maxBytes?: number
  /** The position of the first byte, at the start of a line. Default: the start of the source. */
  readonly from?: { readonly line: number; readonly offset: number }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf)
const nothing = new Uint8Array(0)

/** Bytes of a buffer that is reused for the next line; larger ones are released. */
const keptCapacity = 1 << 20

/**
 * Cuts bytes into lines at `\n`, in any chunking. One `\r` before it belongs to the line end. Every other `\r`, NUL and a
 * byte order mark not at offset 0 are data. An empty line is a line. UTF-8 never has 0x0A inside a character.
 */
export class LineSplitter {
  readonly #onLine: (line: Line) => void
  readonly #maxBytes: number
  #line = 1
  /** Offset of the current line's first byte. */
  #offset = 0
  /** Bytes of the current line in earlier chunks, stored or not. */
  #length = 0
  /** The first `#length` are the current line's bytes in earlier chunks, unless the line is too long. */
  #held = nothing
  #lastByte = -1
  /** Bytes of a byte order mark matched at the start of the source; -1 when decided. */
  #markBytes = 0

  constructor(onLine: (line: Line) => void, { maxBytes = maxLineBytes, from }: LineSplitterOptions = {}) {
    this.#onLine = onLine
    this.#maxBytes = maxBytes
    if (from === undefined || from.offset === 0) return
    this.#line = from.line
    this.#offset = from.offset
    this.#markBytes = -1
  }

  /** Lines emitted, and those before `from`. */
  get lines(): number {
    return this.#line - 1
  }

  /** The start of the current or next line. */
  get next(): { readonly line: number; readonly offset: number } {
    return { line: this.#line, offset: this.#offset }
  }

  /** Calls back for every line that ends in `chunk`, which may be reused afterwards. */
  push(chunk: Uint8Array): void {
    let from = this.#markBytes < 0 ? 0 : this.#skipMark(chunk)
    // Searches with the chunk's own `indexOf` (that of Node's Buffer is many times faster). Emits plain bytes (`slice`
    // of a Buffer does not copy).
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length)
    for (let end = lineEnd(chunk, from); end !== -1; end = lineEnd(chunk, from)) {
      const start = from
      from = end + 1
      if (this.#length > 0) {
        this.#hold(bytes, start, end)
        this.#emitHeld(true)
      } else {
        this.#emit(bytes, start, end, true)
      }
    }
    if (from < chunk.length) this.#hold(bytes, from, chunk.length)
  }

  /** The end of the source: emits a last line without a line end. */
  end(): void {
    if (this.#markBytes > 0) this.#settleMark()
    if (this.#length > 0) this.#emitHeld(false)
  }

  /** The last line without a line end, as `end` would emit it now, or null. Changes nothing. */
  rest(): Line | null {
    const place = { line: this.#line, offset: this.#offset, terminated: false }
    if (this.#markBytes > 0)
      return { ...place, length: this.#markBytes, bytes: byteOrderMark.slice(0, this.#markBytes) }
    if (this.#length === 0) return null
    const length = this.#length - (this.#lastByte === carriageReturn ? 1 : 0)
    return { ...place, length, bytes: length > this.#maxBytes ? null : this.#held.slice(0, length) }
  }

  /** The number of bytes of `chunk` that belong to a byte order mark at the start of the source. */
  #skipMark(chunk: Uint8Array): number {
    let at = 0
    while (at < chunk.length) {
      if (chunk[at] !== byteOrderMark[this.#markBytes]) {
        this.#settleMark()
        // `#settleMark` has added the matched bytes as data.
        return at
      }
      at++
      this.#markBytes++
      if (this.#markBytes === byteOrderMark.length) {
        this.#markBytes = -1
        this.#offset = byteOrderMark.length
        return at
      }
    }
    return at
  }

  /** The bytes matched so far are data. */
  #settleMark(): void {
    const count = this.#markBytes
    this.#markBytes = -1
    if (count > 0) this.#hold(byteOrderMark, 0, count)
  }

  /** Stores the bytes of an unfinished line up to the limit, plus one for the `\r` of its line end. */
  #hold(source: Uint8Array, start: number, end: number): void {
    if (end === start) return
    const length = this.#length + end - start
    this.#lastByte = source[end - 1] ?? -1
    if (length > this.#maxBytes + 1) {
      this.#held = nothing
    } else {
      if (length > this.#held.length) this.#grow(length)
      this.#held.set(source.subarray(start, end), this.#length)
    }
    this.#length = length
  }

  /** Doubles, so appending many chunks stays linear. */
  #grow(length: number): void {
    const held = this.#held
    this.#held = new Uint8Array(Math.max(length, Math.min(length * 2, this.#maxBytes + 1)))
    this.#held.set(held.subarray(0, this.#length))
  }

  #emitHeld(terminated: boolean): void {
    const held = this.#held
    const total = this.#length
    this.#length = 0
    if (held.length > keptCapacity) this.#held = nothing
    if (total <= this.#maxBytes + 1) {
      this.#emit(held, 0, total, terminated)
      return
    }
    this.#emitLine(total - (this.#lastByte === carriageReturn ? 1 : 0), null, total, terminated)
  }

  #emit(source: Uint8Array, start: number, end: number, terminated: boolean): void {
    const textEnd = end > start && source[end - 1] === carriageReturn ? end - 1 : end
    const length = textEnd - start
    this.#emitLine(length, length > this.#maxBytes ? null : source.subarray(start, textEnd), end - start, terminated)
  }

  /** `total`: bytes of the line with the `\r` of its line end, without the `\n`. */
  #emitLine(length: number, bytes: Uint8Array | null, total: number, terminated: boolean): void {
    const line = { line: this.#line, offset: this.#offset, length, bytes, terminated }
    this.#line++
    this.#offset += total + 1
    this.#onLine(line)
  }
}

/** Checks the first byte before searching: a file may consist of line ends. */
function lineEnd(chunk: Uint8Array, from: number): number {
  return chunk[from] === lineFeed ? from : chunk.indexOf(lineFeed, from)
}
