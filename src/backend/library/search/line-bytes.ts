import type { Bytes } from '#queries/find/search.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const windowBytes = 1 << 16
/** So far back a line's beginning mostly is; the rest of the window is what comes after. */
const backBytes = 1 << 14
const byteOrderMark = [0xef, 0xbb, 0xbf] as const

/** Finds the lines of a file around places that ascend: mostly the next one lies in what was just read. */
export class LineBytes {
  readonly #bytes: Bytes
  readonly #size: number
  readonly #window = windowOfThread()
  #from = 0
  #length = 0

  constructor(bytes: Bytes, size: number) {
    this.#bytes = bytes
    this.#size = size
  }

  /** Where the line begins that a place lies in; `from`: it begins there at the earliest. The mark of an encoding belongs to no line. */
  startOf(place: number, from: number): number {
    for (let end = place, step = backBytes; end > from; step = windowBytes) {
      const start = Math.max(from, end - step)
      const found = this.#between(start, end).lastIndexOf(lineFeed)
      if (found >= 0) return start + found + 1
      end = start
    }
    return from > 0 ? from : this.#markLength()
  }

  /** Where the line feed stands that ends the line a place lies in; the end of the file where there is none. */
  endOf(place: number): number {
    for (let at = place; at < this.#size;) {
      const window = this.#between(at, Math.min(this.#size, at + windowBytes))
      if (window.length === 0) return at
      const found = window.indexOf(lineFeed)
      if (found >= 0) return at + found
      at += window.length
    }
    return this.#size
  }

  /** The byte at a place; 0 where there is none. */
  byteAt(place: number): number {
    return this.#between(place, place + 1)[0] ?? 0
  }

  /** The bytes of a line without its line end; `most` at the most. `end`: where the line feed stands. */
  line(start: number, end: number, most = Infinity): Buffer {
    const length = Math.max(0, Math.min(end - start, most))
    const bytes = Buffer.allocUnsafe(length)
    const read = bytes.subarray(0, this.#bytes.read(bytes, start))
    return read.length === end - start && read.at(-1) === carriageReturn ? read.subarray(0, -1) : read
  }

  /** How many line feeds stand from one place to another. */
  lineFeeds(from: number, to: number): number {
    let count = 0
    for (let at = from; at < to;) {
      const window = this.#between(at, Math.min(to, at + windowBytes))
      if (window.length === 0) break
      for (let i = window.indexOf(lineFeed); i >= 0; i = window.indexOf(lineFeed, i + 1)) count++
      at += window.length
    }
    return count
  }

  #markLength(): number {
    const window = this.#between(0, Math.min(this.#size, byteOrderMark.length))
    return byteOrderMark.every((byte, i) => window[i] === byte) ? byteOrderMark.length : 0
  }

  /** The bytes of a range that is no longer than a window, fewer where the file ends. */
  #between(from: number, to: number): Buffer {
    if (from < this.#from || to > this.#from + this.#length) {
      this.#from = from
      this.#length = this.#bytes.read(this.#window.subarray(0, Math.min(windowBytes, this.#size - from)), from)
    }
    return this.#window.subarray(
      from - this.#from,
      Math.max(from - this.#from, Math.min(to - this.#from, this.#length))
    )
  }
}

/** A thread looks at one file at a time. */
function windowOfThread(): Buffer {
  return (shared ??= Buffer.allocUnsafeSlow(windowBytes))
}
let shared: Buffer | null = null
