import type { Bytes } from '#queries/find/search.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const windowBytes = 1 << 16
/** Most lines are shorter than this. Longer reads grow by a factor of four, up to a window. */
const nearBytes = 1 << 12
const byteOrderMark = [0xef, 0xbb, 0xbf] as const

/** Bytes of a file in memory. */
interface Region {
  readonly from: number
  readonly bytes: Buffer
}

/** Keeps the last read of a search, so that finding its lines reads nothing twice. */
export class LastRead implements Bytes {
  readonly #bytes: Bytes
  #region: Region = { from: 0, bytes: Buffer.alloc(0) }

  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }

  /** `target` must stay unchanged until the next read. */
  read(target: Uint8Array, offset: number): number {
    const length = this.#bytes.read(target, offset)
    this.#region = { from: offset, bytes: Buffer.from(target.buffer, target.byteOffset, length) }
    return length
  }

  /** The last read, if it covers the offset. */
  at(place: number): Region | null {
    return holds(this.#region, place) ? this.#region : null
  }
}

/** Finds lines around ascending offsets, mostly within the last read. */
export class LineBytes {
  readonly #bytes: Bytes
  readonly #size: number
  readonly #searched: LastRead | null
  readonly #window = windowOfThread()
  #region: Region = { from: 0, bytes: this.#window.subarray(0, 0) }

  /** `searched`: the reads of a search in the same file. */
  constructor(bytes: Bytes, size: number, searched: LastRead | null = null) {
    this.#bytes = bytes
    this.#size = size
    this.#searched = searched
  }

  /** The start of the line at an offset, not before `from`. A byte order mark belongs to no line. */
  startOf(place: number, from: number): number {
    for (let end = place, step = nearBytes; end > from; step = wider(step)) {
      // The end of the line is mostly near as well.
      const near = end === place ? nearBytes : 0
      const region = this.#at(end - 1) ?? this.#read(Math.max(from, end - step), end + near)
      const first = Math.max(from, region.from)
      const found = region.bytes.subarray(first - region.from, end - region.from).lastIndexOf(lineFeed)
      if (found >= 0) return first + found + 1
      end = first
    }
    return from > 0 ? from : this.#markLength()
  }

  /** The offset of the line feed that ends the line at an offset, or the size of the file. */
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

  /** 0 behind the end. */
  byteAt(place: number): number {
    return this.#from(place, nearBytes)[0] ?? 0
  }

  /** The first `most` bytes of a line, without the line end. `end`: offset of the line feed. */
  line(start: number, end: number, most = Infinity): Buffer {
    const length = Math.max(0, Math.min(end - start, most))
    const bytes = Buffer.allocUnsafe(length)
    const read = bytes.subarray(0, this.#bytes.read(bytes, start))
    return read.length === end - start && read.at(-1) === carriageReturn ? read.subarray(0, -1) : read
  }

  /** Counts line feeds in a range. */
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

  /** The bytes in memory from an offset on, else a new read. Empty at the end of the file. */
  #from(place: number, wanted: number): Buffer {
    const region = this.#at(place) ?? this.#read(place, place + wanted)
    return region.bytes.subarray(place - region.from)
  }

  #at(place: number): Region | null {
    return this.#searched?.at(place) ?? (holds(this.#region, place) ? this.#region : null)
  }

  /** Reads at most a window. */
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

/** Shared, as a thread reads one file at a time. */
function windowOfThread(): Buffer {
  return (shared ??= Buffer.allocUnsafeSlow(windowBytes))
}
let shared: Buffer | null = null
