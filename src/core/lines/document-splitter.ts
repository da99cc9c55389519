import { HeldBytes } from './held-bytes.ts'
import { type Line, type LineSplitterOptions, maxLineBytes } from './line-splitter.ts'

const tab = 0x09
const lineFeed = 0x0a
const space = 0x20
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Bytes with a meaning outside strings; the inner loop skips all others. */
const structural = new Uint8Array(256)
for (const byte of [lineFeed, quote, comma, colon, openBracket, closeBracket, openBrace, closeBrace])
  structural[byte] = 1

/** Longer strings are searched for their end with `indexOf`. */
const shortString = 32

type State =
  /** At the first record of a resumed document. */
  | 'resumed'
  /** Between top-level values. */
  | 'outside'
  /** Between records of a list. */
  | 'list'
  /** In a record of a list. */
  | 'record'
  /** Between top-level values, in a line that is not JSON. */
  | 'bare'
  /** In the top-level object, between its members. */
  | 'members'
  /** In a member: its name, the colon, its value. */
  | 'member'
  /** After the `[` of a member's value: is it a list of records? */
  | 'probe'

/**
 * Cuts one JSON document into records, in any chunking, and emits them as lines. A top-level array gives its elements.
 * A top-level object gives each object of a member that is a list of objects (`messages`), and each run of other
 * members, without the braces (`decodeLine` adds them). Between records are white space, `,`, brackets, and the name of
 * the list. A byte order mark at offset 0 is skipped. Text that is not JSON is a record up to the next `,` or closing
 * bracket: nothing is lost.
 */
export class DocumentSplitter {
  readonly #onLine: (line: Line) => void
  readonly #maxBytes: number
  #state: State = 'outside'
  /** Whether the list is in the top-level object or is the top-level value; null while unknown. */
  #inObject: boolean | null = false
  #inString = false
  #escaped = false
  #depth = 0
  #afterColon = false
  #line = 1
  /** Offset of the current chunk's first byte. */
  #base = 0
  /** First byte and line of the current record or run; -1 if there is none. */
  #start = -1
  #startLine = 1
  /** End of the current record without trailing white space; of a run, the end of its last whole member. */
  #end = 0
  /** Bytes from `#start` to `#base`. */
  readonly #held: HeldBytes

  /** `resumed`: the first byte is that of a record, an object, inside a document. */
  constructor(
    onLine: (line: Line) => void,
    {
      maxBytes = maxLineBytes,
      resumed = false
    }: Pick<LineSplitterOptions, 'maxBytes'> & { readonly resumed?: boolean } = {}
  ) {
    this.#onLine = onLine
    this.#maxBytes = maxBytes
    this.#held = new HeldBytes(maxBytes)
    if (resumed) this.#state = 'resumed'
  }

  /** Physical lines begun so far; a line feed at the end begins none. */
  get lines(): number {
    return this.#base === 0 ? 0 : this.#line - (this.#endsInLineFeed ? 1 : 0)
  }
  #endsInLineFeed = false
  /** Offset in the current chunk. */
  #nextLineFeed = -1

  /** Calls back for every record that ends in `chunk`, which may be reused afterwards. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length)
    this.#nextLineFeed = -1
    for (let at = 0; at < bytes.length;) at = this.#inString ? this.#string(chunk, at) : this.#next(bytes, at)
    if (this.#start >= 0) this.#held.append(bytes, Math.max(0, this.#start - this.#base), bytes.length)
    this.#base += bytes.length
    this.#endsInLineFeed = bytes.at(-1) === lineFeed
  }

  /** The end of the source: emits an unfinished record as it is. */
  end(): void {
    if (this.#start < 0) return
    // A cut member is shown with the whole ones before it.
    const whole = this.#state === 'members'
    this.#end = whole ? this.#end : this.#base
    this.#emit(new Uint8Array(0), whole)
  }

  /** Reads to the end of the string or chunk. */
  #string(chunk: Uint8Array, from: number): number {
    let at = from
    if (this.#escaped) {
      this.#escaped = false
      if (chunk[at] === lineFeed) this.#line++
      at++
    }
    // Most strings are short: a loop is cheaper than a search.
    const near = Math.min(at + shortString, chunk.length)
    for (; at < near; at++) {
      const byte = chunk[at] ?? 0
      if (byte === quote) return this.#closeString(at + 1)
      if (byte === backslash || byte === lineFeed) break
    }
    return this.#longString(chunk, at)
  }

  /** Uses the chunk's own `indexOf`: that of Node's Buffer is many times faster. */
  #longString(chunk: Uint8Array, from: number): number {
    let at = from
    let end = -1
    while (end < 0 && at < chunk.length) {
      const found = chunk.indexOf(quote, at)
      const stop = found < 0 ? chunk.length : found
      const escaped = backslashesBefore(chunk, at, stop) % 2 === 1
      if (found >= 0 && !escaped) end = found + 1
      else this.#escaped = escaped && found < 0
      at = stop + 1
    }
    this.#countLines(chunk, from, end < 0 ? chunk.length : end)
    if (end >= 0) return this.#closeString(end)
    if (this.#state === 'record') this.#end = this.#base + chunk.length
    return chunk.length
  }

  #closeString(end: number): number {
    this.#inString = false
    if (this.#state === 'record') this.#end = this.#base + end
    return end
  }

  /** A line feed in a string is invalid JSON, but still ends a line. */
  #countLines(chunk: Uint8Array, from: number, to: number): void {
    if (this.#nextLineFeed < from) this.#nextLineFeed = lineFeedFrom(chunk, from)
    while (this.#nextLineFeed < to) {
      this.#line++
      this.#nextLineFeed = lineFeedFrom(chunk, this.#nextLineFeed + 1)
    }
  }

  #next(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'record':
        return this.#inRecord(bytes, at)
      case 'member':
        return this.#inMember(bytes, at)
      case 'bare':
        return this.#inBare(bytes, at)
      default:
        return this.#between(bytes, at)
    }
  }

  #between(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0
    if (byte === lineFeed) this.#line++
    if (isBlank(byte)) return at + 1
    switch (this.#state) {
      case 'resumed':
        // Runs of members have no braces.
        this.#inObject = byte === quote ? true : null
        this.#state = byte === quote ? 'members' : 'list'
        return at
      case 'outside':
        return this.#begin(byte, at)
      case 'list':
        if (byte === comma) return at + 1
        if (byte === closeBracket) {
          this.#state = this.#inObject === false ? 'outside' : 'members'
          return at + 1
        }
        return this.#open('record', at)
      case 'members':
        if (byte === comma) return at + 1
        if (byte === closeBrace) {
          if (this.#start >= 0) this.#emit(bytes, true)
          this.#state = 'outside'
          return at + 1
        }
        // Not a member: the list before was the top-level value.
        if (this.#inObject === null && (byte === openBrace || byte === openBracket)) return this.#begin(byte, at)
        if (this.#start < 0) return this.#open('member', at)
        this.#state = 'member'
        return at
      default:
        return this.#probe(bytes, byte, at)
    }
  }

  #begin(byte: number, at: number): number {
    if (byte === openBracket || byte === openBrace) {
      this.#inObject = byte === openBrace
      this.#state = this.#inObject ? 'members' : 'list'
      return at + 1
    }
    // Skips a byte order mark.
    if (this.#base + at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf)) return at + 1
    this.#inObject = false
    return this.#open('bare', at)
  }

  #open(state: State, at: number): number {
    this.#state = state
    this.#start = this.#base + at
    this.#startLine = this.#line
    this.#end = this.#start
    this.#depth = 0
    this.#afterColon = false
    return at
  }

  #inRecord(bytes: Uint8Array, from: number): number {
    let end = this.#end
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (structural[byte] === 0) {
        if (byte > space) end = this.#base + at + 1
        continue
      }
      if (byte === lineFeed) {
        this.#line++
        continue
      }
      if (this.#depth === 0 && (byte === comma || byte === closeBracket)) {
        this.#end = end
        this.#emit(bytes, true)
        this.#state = 'list'
        return at
      }
      end = this.#base + at + 1
      if (byte === quote) {
        this.#inString = true
        this.#end = end
        return at + 1
      }
      if (byte === openBrace || byte === openBracket) this.#depth++
      else if ((byte === closeBrace || byte === closeBracket) && this.#depth > 0) this.#depth--
    }
    this.#end = end
    return bytes.length
  }

  #inBare(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (byte > space) this.#end = this.#base + at + 1
      if (byte !== lineFeed) continue
      this.#emit(bytes, true)
      this.#state = 'outside'
      // The line feed is read again, between values.
      return at
    }
    return bytes.length
  }

  #inMember(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (structural[byte] === 0) {
        if (byte > space) this.#afterColon = false
        continue
      }
      if (byte === lineFeed) {
        this.#line++
        continue
      }
      if (this.#depth === 0 && (byte === comma || byte === closeBrace)) {
        this.#end = this.#lastOf(bytes, at)
        this.#state = 'members'
        return at
      }
      const begins = this.#afterColon
      this.#afterColon = byte === colon && this.#depth === 0
      if (byte === quote) {
        this.#inString = true
        return at + 1
      }
      if (byte === openBracket && begins) {
        this.#state = 'probe'
        return at + 1
      }
      if (byte === openBrace || byte === openBracket) this.#depth++
      else if ((byte === closeBrace || byte === closeBracket) && this.#depth > 0) this.#depth--
    }
    return bytes.length
  }

  /** A member's value begins with `[`: it is the list of records only if an object follows. */
  #probe(bytes: Uint8Array, byte: number, at: number): number {
    if (byte !== openBrace) {
      this.#state = 'member'
      this.#depth = 1
      this.#afterColon = false
      return at
    }
    // The members before it are a record; its name is dropped with the brackets.
    if (this.#end > this.#start) this.#emit(bytes, true)
    this.#forget()
    return this.#open('record', at)
  }

  /** The end before `at` without white space; the member's value may be in earlier chunks. */
  #lastOf(bytes: Uint8Array, at: number): number {
    let end = at
    while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end--
    if (end > 0 || this.#start >= this.#base) return this.#base + end
    return this.#base - this.#held.trailing(isBlank)
  }

  #emit(bytes: Uint8Array, terminated: boolean): void {
    const length = this.#end - this.#start
    const line = { line: this.#startLine, offset: this.#start, length, terminated }
    if (length > this.#maxBytes) {
      this.#forget()
      this.#onLine({ ...line, bytes: null })
      return
    }
    const from = this.#start - this.#base
    const own =
      from >= 0
        ? bytes.subarray(from, from + length)
        : this.#held.with(bytes, Math.max(0, this.#end - this.#base)).subarray(0, length)
    this.#onLine({ ...line, bytes: own })
    this.#forget()
  }

  #forget(): void {
    this.#start = -1
    this.#held.clear()
  }
}

function backslashesBefore(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  while (to - count > from && bytes[to - count - 1] === backslash) count++
  return count
}

function lineFeedFrom(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(lineFeed, from)
  return found < 0 ? Infinity : found
}

function isBlank(byte: number): boolean {
  return byte === space || byte === lineFeed || byte === 0x0d || byte === tab
}
