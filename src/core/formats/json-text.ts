import type { JsonValue } from '../json.ts'

/** A parsed JSON text, or its first fault. */
export type ParsedJson = { ok: true; value: JsonValue } | ({ ok: false } & JsonFault)

export interface JsonFault {
  /** 1-based, in UTF-16 code units; length + 1 if the text ends too early. */
  column: number
  /** The fault in our words, as the engine's message quotes the text. */
  what: string
}

/** Limit of nesting. `JSON.parse` needs about 80 bytes a level; exhausting the heap ends the process. */
export const maxJsonDepth = 1_000_000

/** Limit of objects, arrays and names, 60 to 300 bytes each: 100 MB of `{},{},…` exceed the heap. */
export const maxJsonParts = 8_000_000

/** Parses strictly (RFC 8259). Never throws; time is linear. */
export function parseJson(text: string): ParsedJson {
  if (mayBeTooMuch(text)) {
    const fault = findJsonFault(text)
    if (fault !== null) return { ok: false, ...fault }
  }
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue }
  } catch {
    // A text without a fault failed for lack of memory.
    const fault = findJsonFault(text) ?? { column: 1, what: 'not enough memory for this value' }
    return { ok: false, ...fault }
  }
}

/** The first fault; null if the text is JSON. Iterative, so any depth is safe. */
export function findJsonFault(text: string): JsonFault | null {
  return new JsonScanner(text).scan()
}

/** Of `HeldObject.member`, with its quotes and its colon. */
const maxNameLength = 64 + 3

/** A cheap upper bound, which also counts characters inside strings. */
function mayBeTooMuch(text: string): boolean {
  if (text.length <= maxJsonDepth) return false
  let open = 0
  let names = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === openBracket || char === openBrace) open++
    else if (char === colon) names++
  }
  return open > maxJsonDepth || open + names > maxJsonParts
}

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const literals = ['true', 'false', 'null']

const faults = {
  early: 'the line ends where a value is expected',
  inString: 'the line ends inside a string',
  inObject: 'the line ends inside an object',
  inArray: 'the line ends inside an array',
  inValue: 'the line ends inside a value',
  name: 'expected a property name in double quotes',
  colon: 'expected a colon after the property name',
  objectEnd: 'expected a comma or the end of the object',
  arrayEnd: 'expected a comma or the end of the array',
  escape: 'a bad escape in a string',
  control: 'a control character in a string',
  number: 'a bad number',
  value: 'not a JSON value',
  after: 'text after the value',
  deep: `nested deeper than ${maxJsonDepth} levels`,
  many: `more than ${maxJsonParts} objects, arrays and names`
} as const

/** A range of a text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** An object inside a text, up to its end or its first fault. */
export interface ScannedObject extends TextRange {
  readonly isWhole: boolean
  /** The object inside it that ended last, if only white space follows up to `end`. */
  readonly last: HeldObject | null
}

/** An object inside another. */
export interface HeldObject extends TextRange {
  /** The nearest member with a name that holds it, directly or in lists; empty if that is longer than 64 characters. */
  readonly member: string
}

/** Scans a JSON text without building values. Steps return whether to continue; otherwise `#fault` is set. */
export class JsonScanner {
  readonly #text: string
  #at = 0
  #fault: JsonFault | null = null
  /** Where the open objects and arrays begin, outermost first. */
  readonly #open: number[] = []
  /** The object that ended last; -1 before the first. Numbers, as there may be millions. */
  #closedStart = -1
  #closedEnd = -1
  /** Objects, arrays and names so far. */
  #parts = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): JsonFault | null {
    // Each step reads one value; opening a container counts as one.
    while (this.#value()) {
      if (this.#open.length === 0) {
        this.#skipSpace()
        if (this.#at < this.#text.length) this.#fail(faults.after)
        return this.#fault
      }
    }
    return this.#fault
  }

  /** Scans the object that begins at `start`. Other text may follow it. */
  scanObject(start: number): ScannedObject {
    this.#at = start
    this.#fault = null
    this.#open.length = 0
    this.#closedStart = -1
    this.#parts = 0
    while (this.#value()) {
      if (this.#open.length === 0) return { start, end: this.#at, isWhole: true, last: null }
    }
    return { start, end: this.#at, isWhole: false, last: this.#lastClosed() }
  }

  #lastClosed(): HeldObject | null {
    const text = this.#text
    const [start, end] = [this.#closedStart, this.#closedEnd]
    if (start < 0) return null
    for (let at = end; at < this.#at; at++) if (!isSpace(text.charCodeAt(at))) return null
    const inObject = this.#open.findLastIndex((at) => text.charCodeAt(at) === openBrace)
    const value = this.#open[inObject + 1] ?? start
    const before = text.slice(Math.max(0, value - maxNameLength), value)
    return { start, end, member: /"([^"]*)"\s*:\s*$/.exec(before)?.[1] ?? '' }
  }

  /** Reads a scalar or opens a container, up to the next value or the end. */
  #value(): boolean {
    this.#skipSpace()
    const char = this.#peek()
    if (char === openBrace || char === openBracket) {
      if (this.#open.length === maxJsonDepth) return this.#fail(faults.deep)
      if (!this.#part()) return false
      this.#open.push(this.#at)
      this.#at++
      this.#skipSpace()
      if (this.#peek() === closerOf(char)) return this.#close()
      return char === openBracket ? this.#more(faults.inArray) : this.#name()
    }
    return this.#scalar(char) && this.#afterValue()
  }

  /** Closes containers and reads up to the next value. */
  #afterValue(): boolean {
    while (this.#open.length > 0) {
      this.#skipSpace()
      const inArray = this.#text.charCodeAt(this.#open.at(-1) ?? 0) === openBracket
      const char = this.#peek()
      if (char === comma) {
        this.#at++
        if (!inArray) return this.#name()
        this.#skipSpace()
        return this.#more(faults.inArray)
      }
      if (char !== (inArray ? closeBracket : closeBrace)) {
        if (!this.#more(inArray ? faults.inArray : faults.inObject)) return false
        return this.#fail(inArray ? faults.arrayEnd : faults.objectEnd)
      }
      this.#pop()
    }
    return true
  }

  #pop(): void {
    const start = this.#open.pop() ?? 0
    this.#at++
    if (this.#text.charCodeAt(start) !== openBrace) return
    this.#closedStart = start
    this.#closedEnd = this.#at
  }

  #part(): boolean {
    this.#parts++
    return this.#parts <= maxJsonParts || this.#fail(faults.many)
  }

  #close(): boolean {
    this.#pop()
    return this.#afterValue()
  }

  #name(): boolean {
    this.#skipSpace()
    if (!this.#more(faults.inObject)) return false
    if (this.#peek() !== quote) return this.#fail(faults.name)
    if (!this.#part()) return false
    if (!this.#string()) return false
    this.#skipSpace()
    if (!this.#more(faults.inObject)) return false
    if (this.#peek() !== colon) return this.#fail(faults.colon)
    this.#at++
    this.#skipSpace()
    return this.#more(faults.inObject)
  }

  #scalar(char: number): boolean {
    if (char === quote) return this.#string()
    if (char === minus || isDigit(char)) return this.#number()
    if (!this.#more(faults.early)) return false
    return this.#literal()
  }

  #literal(): boolean {
    for (const literal of literals) {
      if (this.#text.startsWith(literal, this.#at)) {
        this.#at += literal.length
        return true
      }
      // `tru` at the end of the text is a cut value.
      const rest = this.#text.length - this.#at
      if (rest < literal.length && literal.startsWith(this.#text.slice(this.#at))) {
        this.#at += rest
        return this.#fail(faults.inValue)
      }
    }
    return this.#fail(faults.value)
  }

  #number(): boolean {
    if (this.#peek() === minus) this.#at++
    if (this.#peek() === zero) this.#at++
    else if (!this.#digits()) return false
    if (this.#peek() === point) {
      this.#at++
      if (!this.#digits()) return false
    }
    if (isExponent(this.#peek())) {
      this.#at++
      if (isSign(this.#peek())) this.#at++
      if (!this.#digits()) return false
    }
    return true
  }

  #digits(): boolean {
    if (!this.#more(faults.inValue)) return false
    if (!isDigit(this.#peek())) return this.#fail(faults.number)
    while (isDigit(this.#peek())) this.#at++
    return true
  }

  #string(): boolean {
    this.#at++
    for (;;) {
      const char = this.#peek()
      if (char === quote) {
        this.#at++
        return true
      }
      if (!this.#more(faults.inString)) return false
      if (char < 0x20) return this.#fail(faults.control)
      if (char === backslash && !this.#escape()) return false
      if (char !== backslash) this.#at++
    }
  }

  #escape(): boolean {
    const start = this.#at
    const escaped = this.#text.charAt(start + 1)
    const length = escaped === 'u' ? 6 : 2
    for (let at = start + 2; at < start + length; at++) {
      if (at < this.#text.length && !isHexDigit(this.#text.charCodeAt(at))) return this.#fail(faults.escape)
    }
    if (escaped !== '' && !'"\\/bfnrtu'.includes(escaped)) return this.#fail(faults.escape)
    this.#at = Math.min(start + length, this.#text.length)
    return true
  }

  #skipSpace(): void {
    while (isSpace(this.#peek())) this.#at++
  }

  /** The current character; NaN at the end. */
  #peek(): number {
    return this.#text.charCodeAt(this.#at)
  }

  /** Whether text is left; else fails with `what`. */
  #more(what: string): boolean {
    return this.#at < this.#text.length || this.#fail(what)
  }

  #fail(what: string): false {
    this.#fault = { column: this.#at + 1, what }
    return false
  }
}

function closerOf(open: number): number {
  return open === openBrace ? closeBrace : closeBracket
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x09 || char === 0x0a || char === 0x0d
}

function isDigit(char: number): boolean {
  return char >= zero && char <= nine
}

function isHexDigit(char: number): boolean {
  return isDigit(char) || (char >= 0x41 && char <= 0x46) || (char >= 0x61 && char <= 0x66)
}

function isExponent(char: number): boolean {
  return char === 0x45 || char === 0x65
}

function isSign(char: number): boolean {
  return char === 0x2b || char === minus
}
