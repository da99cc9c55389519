import type { Bytes } from '#queries/find/search.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const windowBytes = 1 << 16
/** Most lines begin and end within so many bytes of a place. Farther looks take four times as many each, up to a window. */
const nearBytes = 1 << 12
const byteOrderMark = [0xef, 0xbb, 0xbf] as const

/** Bytes of a file that are in memory. */
interface Region {
  readonly from: number
  readonly bytes: Buffer
}

/** The bytes of a file for a search, whose last read serves to look for lines: nothing is read twice. */
export class LastRead implements Bytes {
  readonly #bytes: Bytes
  #region: Region = { from: 0, bytes: Buffer.alloc(0) }

  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }

  /** What stands in `target` counts as read until the next read. */
  read(target: Uint8Array, offset: number): number {
    const length = this.#bytes.read(target, offset)
    this.#region = { from: offset, bytes: Buffer.from(target.buffer, target.byteOffset, length) }
    return length
  }

  /** The bytes read last, if a place lies in them. */
  at(place: number): Region | null {
    return holds(this.#region, place) ? this.#region : null
  }
}

/** Finds the lines of a file around places that ascend: mostly the next one lies in what was just read. */
export class LineBytes {
  readonly #bytes: Bytes
  readonly #size: number
  readonly #searched: LastRead | null
  readonly #window = windowOfThread()
  #region: Region = { from: 0, bytes: this.#window.subarray(0, 0) }

  /** `searched`: what a search that goes on reads of the same file. */
  constructor(bytes: Bytes, size: number, searched: LastRead | null = null) {
    this.#bytes = bytes
    this.#size = size
    this.#searched = searched
  }

  /** Where the line begins that a place lies in; `from`: it begins there at the earliest. The mark of an encoding belongs to no line. */
  startOf(place: number, from: number): number {
    for (let end = place, step = nearBytes; end > from; step = wider(step)) {
      // The end of the line is mostly near, too.
      const near = end === place ? nearBytes : 0
      const region = this.#at(end - 1) ?? this.#read(Math.max(from, end - step), end + near)
      const first = Math.max(from, region.from)
      const found = region.bytes.subarray(first - region.from, end - region.from).lastIndexOf(lineFeed)
      if (found >= 0) return first + found + 1
      end = first
    }
    return from > 0 ? from : this.#markLength()
  }

  /** Where the line feed stands that ends the line a place lies in; the end of the file where there is none. */
  endOf(place: number): number {
    for (let at = place, step = nearBytes; at < this.#size; step = wider(step)) {
      const bytes = this.#from(at, step)
      if (bytes.length === 0) return at
      const found = bytes.indexOf(lineFeed)
      if (found >= 0) return at + found
      at += bytes.length
    }
    return this.#size
  }

  /** The byte at a place; 0 where there is none. */
  byteAt(place: number): number {
    return this.#from(place, nearBytes)[0] ?? 0
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
      const bytes = this.#from(at, windowBytes).subarray(0, to - at)
      if (bytes.length === 0) break
      for (let i = bytes.indexOf(lineFeed); i >= 0; i = bytes.indexOf(lineFeed, i + 1)) count++
      at += bytes.length
    }
    return count
  }

  #markLength(): number {
    return byteOrderMark.every((byte, i) => this.byteAt(i) === byte) ? byteOrderMark.length : 0
  }

  /** All that is in memory from a place on; so many bytes are read where nothing is. Empty where the file ends. */
  #from(place: number, wanted: number): Buffer {
    const region = this.#at(place) ?? this.#read(place, place + wanted)
    return region.bytes.subarray(place - region.from)
  }

  #at(place: number): Region | null {
    return this.#searched?.at(place) ?? (holds(this.#region, place) ? this.#region : null)
  }

  /** Reads what there is of a range that is no longer than a window. */
  #read(from: number, to: number): Region {
    const length = Math.max(0, Math.min(windowBytes, to - from, this.#size - from))
    const read = this.#bytes.read(this.#window.subarray(0, length), from)
    this.#region = { from, bytes: this.#window.subarray(0, read) }
    return this.#region
  }
}

function holds({ from, bytes }: Region, place: number): boolean {
  return place >= from && place < from + bytes.length
}

function wider(step: number): number {
  return Math.min(windowBytes, 4 * step)
}

/** A thread looks at one file at a time. */
function windowOfThread(): Buffer {
  return (shared ??= Buffer.allocUnsafeSlow(windowBytes))
}
let shared: Buffer | null = null
