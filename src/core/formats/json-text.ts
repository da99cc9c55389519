import type { JsonValue } from '../json.ts'

/** The value of a JSON text, or where it stops being JSON. */
export type ParsedJson = { ok: true; value: JsonValue } | ({ ok: false } & JsonFault)

export interface JsonFault {
  /** 1-based, in UTF-16 code units; one past the last where the text ends too early. */
  column: number
  /** What is wrong, in words of our own: the engine's own message quotes the text, which messages must not. */
  what: string
}

/**
 * Deeper nesting is refused. `JSON.parse` needs some 80 bytes a level: a line of 100 million brackets would
 * exhaust the heap, which ends the process and cannot be caught.
 */
export const maxJsonDepth = 1_000_000

/**
 * More objects, arrays and names than this are refused. Each costs some 60 to 300 bytes once parsed: a line of 100 MB of
 * `{},{},…` takes more than the heap has. A real line of this size is mostly long strings.
 */
export const maxJsonParts = 8_000_000

/** Parses `text` strictly (RFC 8259). Never throws; time is linear in the text's length. */
export function parseJson(text: string): ParsedJson {
  if (mayBeTooMuch(text)) {
    const fault = findJsonFault(text)
    if (fault !== null) return { ok: false, ...fault }
  }
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue }
  } catch {
    // Where the text has no fault the engine failed for want of memory.
    const fault = findJsonFault(text) ?? { column: 1, what: 'not enough memory for this value' }
    return { ok: false, ...fault }
  }
}

/** The first fault of `text`, or null when it is JSON. Iterative: any depth up to `maxJsonDepth` fits. */
export function findJsonFault(text: string): JsonFault | null {
  return new JsonScanner(text).scan()
}

/** Cheap: texts of ordinary length cannot be too much, and strings are not told apart. */
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

/** Walks a JSON text without building it. Every step returns whether to go on; `#fault` says why not. */
class JsonScanner {
  readonly #text: string
  #at = 0
  #fault: JsonFault | null = null
  /** What is open, outermost first: the character that opened it. */
  readonly #open: number[] = []
  /** Objects, arrays and names so far. */
  #parts = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): JsonFault | null {
    // Each turn takes one value; the opening of an object or array counts as one and is followed by its first.
    while (this.#value()) {
      if (this.#open.length === 0) {
        this.#skipSpace()
        if (this.#at < this.#text.length) this.#fail(faults.after)
        return this.#fault
      }
    }
    return this.#fault
  }

  /** Takes a scalar or opens a container, then everything up to the next value or the end of the outermost one. */
  #value(): boolean {
    this.#skipSpace()
    const char = this.#peek()
    if (char === openBrace || char === openBracket) {
      if (this.#open.length === maxJsonDepth) return this.#fail(faults.deep)
      if (!this.#part()) return false
      this.#open.push(char)
      this.#at++
      this.#skipSpace()
      if (this.#peek() === closerOf(char)) return this.#close()
      return char === openBracket ? this.#more(faults.inArray) : this.#name()
    }
    return this.#scalar(char) && this.#afterValue()
  }

  /** After a value: closes what ends here, then takes what stands before the next value. */
  #afterValue(): boolean {
    while (this.#open.length > 0) {
      this.#skipSpace()
      const inArray = this.#open.at(-1) === openBracket
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
      this.#at++
      this.#open.pop()
    }
    return true
  }

  #part(): boolean {
    this.#parts++
    return this.#parts <= maxJsonParts || this.#fail(faults.many)
  }

  #close(): boolean {
    this.#at++
    this.#open.pop()
    return this.#afterValue()
  }

  /** A property name and its colon. */
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
      // `tru` at the end of the text was cut; everything else never was a value.
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

  /** One digit or more. */
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

  /** The character here; NaN past the end, which equals nothing. */
  #peek(): number {
    return this.#text.charCodeAt(this.#at)
  }

  /** Whether there is more text; its end here is the fault `what`. */
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
