import { literalPatterns } from './literal-patterns.ts'
import { isMeant, type Pattern, patternOf } from './pattern.ts'
import type { Scanner } from './scanner.ts'
import type { Bytes, Found, OnWay, Piece, Search, SearchOptions, Texts } from './search.ts'
import type { Framing } from '#core/formats/log-format.ts'

/** Fits a core's cache together with the patterns. */
const defaultWindow = 1 << 18
/** Enough to tell which bytes are rare. */
const sampleBytes = 1 << 15
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Searches texts in bytes without decoding them: each part of the log is read once for all of them. */
export class LiteralSearch implements Search {
  readonly #patterns: readonly Pattern[]
  /** By text: the numbers of its patterns. */
  readonly #ofTexts: readonly (readonly number[])[]
  /** The numbers of the patterns that end a record. */
  readonly #ends: readonly number[]
  readonly #scanner: Scanner
  readonly #windowBytes: number
  /** The longest pattern, and the byte after it. */
  readonly #overlap: number
  #tuned = false

  constructor({ texts, caseSensitive }: Texts, { framing, scanner, windowBytes = defaultWindow }: SearchOptions) {
    const byText = texts.map((text) => literalPatterns(text, caseSensitive))
    this.#patterns = byText.flat()
    let patterns = 0
    this.#ofTexts = byText.map((ofText) => ofText.map(() => patterns++))
    const ends = recordEnds[framing]
    this.#ends = ends.map((_, i) => this.#patterns.length + i)
    this.#overlap = Math.max(...this.#patterns.map(({ bytes }) => bytes.length))
    this.#windowBytes = windowBytes
    this.#scanner = scanner([...this.#patterns, ...ends], windowBytes + this.#overlap)
  }

  piece(bytes: Bytes, { from, to, limit }: Piece, onWay: OnWay): Found {
    const offsets = this.#ofTexts.map((): number[] => [])
    const { window } = this.#scanner
    for (let at = from; at < to; at += this.#windowBytes) {
      const wanted = Math.min(this.#windowBytes, to - at)
      const length = bytes.read(window.subarray(0, Math.min(wanted + this.#overlap, limit - at)), at)
      if (length === 0) break
      if (!this.#tuned) this.#scanner.tune(window.subarray(0, Math.min(length, sampleBytes)))
      this.#tuned = true
      const starts = Math.min(wanted, length)
      for (const [i, numbers] of this.#ofTexts.entries()) {
        const found = numbers.map((number) => this.#find(number, starts, length))
        for (const place of merged(found)) offsets[i]?.push(at + place)
      }
      onWay(at + wanted, offsets)
    }
    const unsure = limit - this.#overlap
    return {
      offsets: offsets.map((ofText) => Float64Array.from(ofText)),
      open: to > unsure ? Math.max(from, unsure) : null
    }
  }

  /** Finds the pattern in the first `starts` bytes of the window, about once a record. */
  #find(number: number, starts: number, length: number): number[] {
    const places: number[] = []
    const pattern = this.#patterns[number]
    if (pattern === undefined) return places
    const to = Math.min(length, starts + pattern.bytes.length - 1)
    for (let at = 0; ;) {
      at = this.#scanner.next(number, at, to)
      if (at < 0) return places
      if (!this.#isInLine(pattern, at, length)) {
        at++
        continue
      }
      places.push(at)
      at = this.#recordEnd(at + 1, to)
    }
  }

  #isInLine(pattern: Pattern, at: number, length: number): boolean {
    const { window } = this.#scanner
    const end = at + pattern.bytes.length
    // A carriage return before a line feed or the end belongs to the line end.
    if (window[end - 1] === carriageReturn && (end >= length || window[end] === lineFeed)) return false
    return isMeant(pattern, window, at)
  }

  #recordEnd(from: number, to: number): number {
    let end = to
    for (const number of this.#ends) {
      const at = this.#scanner.next(number, from, end)
      if (at >= 0) end = at
    }
    return end
  }
}

function merged(lists: readonly number[][]): readonly number[] {
  const [first = [], ...others] = lists
  return others.every((list) => list.length === 0) ? first : lists.flat().sort((a, b) => a - b)
}

const exactly = (text: string): Pattern => patternOf([[new TextEncoder().encode(text)]])

/** Patterns between any two records. They also occur inside records of a document and only limit hits. */
const recordEnds: { readonly [F in Framing]: readonly Pattern[] } = {
  lines: [exactly('\n')],
  // The last one fits the four brackets, and four other bytes.
  document: [
    exactly('\n'),
    exactly(','),
    { bytes: Uint8Array.of(0x59), masks: Uint8Array.of(0xd9), alternatives: null }
  ]
}
