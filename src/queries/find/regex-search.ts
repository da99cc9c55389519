import type { Framing } from '#core/formats/log-format.ts'
import type { Expression } from '#core/query/linear-regex.ts'
import { plainPattern } from './literal-patterns.ts'
import { GuardedExpression } from './guarded-expression.ts'
import { EndlessMatch } from './match-guard.ts'
import { patternOf } from './pattern.ts'
import { requiredText } from './required-text.ts'
import type { Scanner } from './scanner.ts'
import type { Bytes, Found, OnWay, Piece, Query, Search, SearchOptions } from './search.ts'
import { betweenCharacters, matchesOfRecords } from './text-matches.ts'

const defaultWindow = 1 << 20
const defaultLongLine = 1 << 24
/** The part of a long line's window that is context before and after matches. */
const contextPart = 1 / 32
const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = [0xef, 0xbb, 0xbf] as const
/** Numbers of the scanner's patterns. */
const [lineEnd, required] = [0, 1] as const

export interface RegexSearchOptions extends SearchOptions {
  /** Bytes from which a line is matched in windows. */
  readonly longLine?: number
}

/** Matches lines with the required text. Lines over 16 MiB are matched in windows that overlap by half a MiB. */
export class RegexSearch implements Search {
  readonly #expression: GuardedExpression
  readonly #framing: Framing
  readonly #scanner: Scanner
  readonly #readText: (bytes: Uint8Array) => string
  readonly #hasRequired: boolean
  readonly #windowBytes: number
  readonly #longLine: number
  #tuned = false
  #offsets: number[] = []
  #onWay: OnWay = () => {}

  /** Throws a SyntaxError if the text is not a regular expression. */
  constructor(
    query: Query,
    { framing, scanner, readText, guard, windowBytes = defaultWindow, longLine = defaultLongLine }: RegexSearchOptions
  ) {
    this.#readText = readText
    this.#expression = new GuardedExpression(query, guard ?? null)
    this.#framing = framing
    this.#windowBytes = windowBytes
    this.#longLine = Math.max(longLine, windowBytes)
    const text = requiredText(query.text, query.caseSensitive)
    this.#hasRequired = text !== null
    const patterns = text === null ? [] : [plainPattern(text, query.caseSensitive)]
    this.#scanner = scanner([patternOf([[Uint8Array.of(lineFeed)]]), ...patterns], windowBytes)
  }

  /** Searches the lines that begin in the piece, each up to the limit. */
  piece(bytes: Bytes, { from, to, limit }: Piece, onWay: OnWay): Found {
    this.#offsets = []
    this.#onWay = onWay
    const open = this.#linesFrom(bytes, from === 0 ? 0 : this.#lineFrom(bytes, from, to), to, limit)
    return { offsets: [Float64Array.from(this.#offsets)], open }
  }

  /** The start of a line that continues at the limit, if before `to`; else null. */
  #linesFrom(bytes: Bytes, first: number, to: number, limit: number): number | null {
    let wanted = this.#windowBytes
    for (let at = first; at < to;) {
      const length = this.#read(bytes, at, Math.min(wanted, limit - at))
      const whole = length === 0 ? 0 : this.#scanner.window.lastIndexOf(lineFeed, length - 1) + 1
      if (length < wanted) {
        this.#lines(at, to - at, length)
        return whole < length && at + whole < to ? at + whole : null
      }
      if (whole === 0 && wanted < this.#longLine) {
        wanted = Math.min(wanted * 2, this.#longLine)
        continue
      }
      const next = whole > 0 ? at + whole : this.#longLineAt(bytes, at, limit)
      if (next === null) return at
      if (whole > 0) this.#lines(at, to - at, whole)
      at = next
      wanted = this.#windowBytes
    }
    return null
  }

  /** The lines of the window's first `length` bytes, which are those at `base`, that begin in the first `starts`. */
  #lines(base: number, starts: number, length: number): void {
    const { window } = this.#scanner
    let begin = 0
    // A guarded match costs more than a look for the text, which few windows have.
    if (this.#hasRequired && this.#scanner.next(required, 0, length) < 0)
      return this.#onWay(base + length, [this.#offsets])
    const isDone = this.#expression.run(length, (expression) => {
      // Of a line whose match was ended.
      this.#dropFrom(base + begin)
      while (begin < length && begin < starts) {
        if (this.#hasRequired) {
          const text = this.#scanner.next(required, begin, length)
          if (text < 0) return
          begin = window.lastIndexOf(lineFeed, text) + 1
          if (begin >= starts) return
        }
        const found = this.#scanner.next(lineEnd, begin, length)
        const end = found < 0 ? length : found
        this.#match(expression, base + begin, window.subarray(begin, textEnd(window, begin, end)))
        // A guarded match may be ended anywhere, so nothing that others see is done in it.
        if (!this.#expression.isGuarded) this.#onWay(base + end, [this.#offsets])
        begin = end + 1
      }
    })
    if (this.#expression.isGuarded) this.#onWay(base + (isDone ? length : begin), [this.#offsets])
    if (!isDone) throw new EndlessMatch(base + begin)
  }

  #dropFrom(offset: number): void {
    while ((this.#offsets.at(-1) ?? -1) >= offset) this.#offsets.pop()
  }

  /** `bytes`: of the line at `offset`, without its end. */
  #match(expression: Expression, offset: number, bytes: Uint8Array): void {
    const mark = offset === 0 ? markLength(bytes) : 0
    const line = bytes.subarray(mark)
    for (const at of matchesOfRecords(expression, line, this.#readText, { from: 0, to: Infinity })) {
      // The end of a line belongs to its last record.
      this.#offsets.push(offset + mark + Math.min(at, Math.max(0, line.length - 1)))
      // A line has one record, or if it is damaged several: the first match is in one of them.
      if (this.#framing === 'lines') break
    }
  }

  /** The start of the next line; null if the line continues at the limit. */
  #longLineAt(bytes: Bytes, line: number, limit: number): number | null {
    const context = Math.floor(this.#longLine * contextPart)
    const mark = line === 0 ? markLength(this.#scanner.window) : 0
    for (let at = line + mark, from = 0; ;) {
      const length = this.#read(bytes, at, Math.min(this.#longLine, limit - at))
      const { window } = this.#scanner
      const found = this.#scanner.next(lineEnd, 0, length)
      const isEnd = found >= 0 || length < this.#longLine
      const end = isEnd ? textEnd(window, 0, found < 0 ? length : found) : length
      const to = isEnd ? Infinity : betweenCharacters(window, length - context)
      const start = at + from
      const isDone = this.#expression.run(end, (expression) => {
        this.#dropFrom(start)
        for (const place of matchesOfRecords(expression, window.subarray(0, end), this.#readText, { from, to })) {
          this.#offsets.push(at + Math.min(place, Math.max(0, end - 1)))
          if (this.#framing === 'lines') break
        }
      })
      this.#onWay(isDone ? at + Math.min(to, length) : start, [this.#offsets])
      if (!isDone) throw new EndlessMatch(line)
      if (isEnd) return found < 0 ? null : at + found + 1
      at += to - context
      from = context
    }
  }

  /** The first line start at or after `from`; at most `to`. */
  #lineFrom(bytes: Bytes, from: number, to: number): number {
    for (let at = from - 1; at < to - 1;) {
      const length = this.#read(bytes, at, Math.min(this.#windowBytes, to - 1 - at))
      if (length === 0) break
      const found = this.#scanner.next(lineEnd, 0, length)
      if (found >= 0) return at + found + 1
      at += length
      this.#onWay(at, [this.#offsets])
    }
    return to
  }

  #read(bytes: Bytes, offset: number, wanted: number): number {
    if (this.#scanner.window.length < wanted) this.#scanner.grow(wanted)
    const length = bytes.read(this.#scanner.window.subarray(0, wanted), offset)
    if (!this.#tuned) this.#scanner.tune(this.#scanner.window.subarray(0, length))
    this.#tuned = true
    return length
  }
}

/** The length of the byte order mark, which belongs to no line. */
function markLength(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, i) => bytes[i] === byte) ? byteOrderMark.length : 0
}

/** A carriage return before the line feed belongs to the line end. */
function textEnd(window: Uint8Array, begin: number, end: number): number {
  return end > begin && window[end - 1] === carriageReturn ? end - 1 : end
}
