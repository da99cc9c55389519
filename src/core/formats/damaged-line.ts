import { isJsonObject, type JsonValue } from '../json.ts'
import { issueCodes } from './issue.ts'
import { JsonScanner, type ScannedObject, type TextRange } from './json-text.ts'
import type { Framing, LinePosition, LogFormat } from './log-format.ts'

/** Whether an object is a record of a format. `certain`: its form is that program's own. `likely`: it reads as a record. */
export type Recognition = 'none' | 'likely' | 'certain'

/** A part of a damaged line: a whole record, or what is left between records. */
export interface LinePart extends TextRange {
  readonly isRecord: boolean
}

/** How records are told in a damaged line. */
export interface RecordRules {
  readonly framing: Framing
  /** As in `LogFormat`. `all`: the format is not known, so nothing inside text or another object counts. */
  readonly nested: readonly string[] | 'all'
  /** Of an object in the line. */
  recognized(object: TextRange): Recognition
}

/** Further records of a line stay text. */
const maxRecords = 100_000
const maxName = 64
const longestMember = 128

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Whether a format recognizes a value as one of its records. */
export function recognize(format: LogFormat, value: JsonValue, at: LinePosition): Recognition {
  if (format.id === null || !isJsonObject(value) || Object.keys(value).length === 0) return 'none'
  const found = format.detectors.filter((detector) => detector.holds(value))
  if (found.length > 0) return found.some(({ strength }) => strength !== 'shared') ? 'certain' : 'likely'
  const { issues, drafts } = format.decode(value, at)
  if (issues.some(({ code }) => code === 'UnknownType')) return 'none'
  return drafts.length > 0 || issues.every(({ code }) => issueCodes[code].severity === 'notice') ? 'likely' : 'none'
}

/**
 * The parts of a line that is not JSON, in order; none if it holds no whole record. `text`: one code unit for each byte,
 * so that ranges are bytes. Each byte is looked at a few times at most.
 *
 * docs/formats/README.md#a-damaged-line-keeps-its-whole-records
 */
export function* partsOfLine(text: string, rules: RecordRules): Generator<LinePart> {
  const { framing } = rules
  let end = 0
  for (const record of new RecordSearch(text, rules).records()) {
    // White space before a first record belongs to it.
    const start = end === 0 && framing === 'lines' ? 0 : skipForward(text, end, framing)
    const isAtOnce = skipForward(text, start, framing) === record.start
    if (!isAtOnce) yield { start, end: skipBack(text, record.start), isRecord: false }
    yield { start: isAtOnce ? start : record.start, end: record.end, isRecord: true }
    end = record.end
  }
  const rest = skipForward(text, end, framing)
  if (end > 0 && rest < text.length) yield { start: rest, end: skipBack(text, text.length), isRecord: false }
}

/** Looks for whole records in a line that is not JSON. */
class RecordSearch {
  readonly #text: string
  readonly #rules: RecordRules
  readonly #scanner: JsonScanner
  /** Where a record follows the record before it, or begins the line. */
  #due: number

  constructor(text: string, rules: RecordRules) {
    this.#text = text
    this.#rules = rules
    this.#scanner = new JsonScanner(text)
    this.#due = skipForward(text, 0, rules.framing)
  }

  *records(): Generator<TextRange> {
    const text = this.#text
    let count = 0
    // `isBroken`: a record was cut off here, so the object is not inside it.
    let isBroken = false
    for (let at = text.indexOf('{'); at >= 0 && count < maxRecords;) {
      const scanned: ScannedObject = this.#scanner.scanObject(at)
      const found: TextRange | null = scanned.isWhole ? this.#onItsOwn(scanned, isBroken) : this.#atTheEnd(scanned)
      if (found !== null) {
        count++
        this.#due = skipForward(text, found.end, this.#rules.framing)
        yield found
      }
      const from = found?.end ?? scanned.end
      const broken: number = found === null && !scanned.isWhole ? brokenOffAt(text, scanned) : -1
      isBroken = broken >= 0
      at = isBroken ? broken : text.indexOf('{', from)
    }
  }

  /** A whole object outside any other. What only looks so is inside a record whose start is lost. */
  #onItsOwn(object: ScannedObject, isBroken: boolean): TextRange | null {
    const { start, end } = object
    const after = this.#text.charCodeAt(skipForward(this.#text, end, 'lines'))
    const isInList = this.#rules.framing === 'lines' && (after === comma || after === closeBracket)
    const isHeld = isInList || after === closeBrace
    if (start !== this.#due) {
      const before = skipBack(this.#text, start) - 1
      const isInText = this.#rules.nested === 'all' && isPrinted(this.#text.charCodeAt(before))
      const isIn = isInText || isValueDue(this.#text, before)
      if (isHeld || (isIn && !isBroken)) return null
    }
    const recognition = this.#rules.recognized(object)
    return recognition === 'certain' || (recognition === 'likely' && !isHeld) ? object : null
  }

  /** The last object inside a record that is cut off. If the record was cut where a value is due, it is the next record. */
  #atTheEnd({ start, last }: ScannedObject): TextRange | null {
    const { nested } = this.#rules
    if (last === null || nested === 'all') return null
    const recognition = this.#rules.recognized(last)
    if (recognition === 'none') return null
    // Records mostly begin with the same name, unlike what they hold.
    const isAlike = firstName(this.#text, last.start) === firstName(this.#text, start)
    const mayBeHeld = last.member === '' || nested.includes(last.member)
    const signs = Number(recognition === 'certain') + Number(isAlike) + Number(!mayBeHeld)
    return signs >= 2 ? last : null
  }
}

/** Where the next record begins that a cut record runs into; -1 if it is not clear. */
function brokenOffAt(text: string, { start, end }: TextRange): number {
  if (text.charCodeAt(end) === openBrace) return end
  // A cut text goes on to the first quote of the next record: `"text": "cut off{"type": …`.
  const name = skipBack(text, end) - 1
  if (text.charCodeAt(name) !== quote) return -1
  const brace = skipBack(text, name) - 1
  return brace > start && text.charCodeAt(brace) === openBrace ? brace : -1
}

/** Whether a value follows in a record: `"name":`, `[` of a value, or a comma. Text has colons too: `Warning: {`. */
function isValueDue(text: string, at: number): boolean {
  const char = text.charCodeAt(at)
  if (char === comma) return !isMember(text, at)
  if (char !== colon && char !== openBracket) return false
  const before = text.charCodeAt(skipBack(text, at) - 1)
  if (char === colon) return before === quote
  return before === colon || before === comma || before === openBracket || Number.isNaN(before)
}

/** Whether a member of an object ends here. Behind its comma comes a name, so an object there is the next record. */
function isMember(text: string, at: number): boolean {
  return /"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)\s*$/.test(text.slice(Math.max(0, at - longestMember), at))
}

/** Of a text, not the end of a record or damage. */
function isPrinted(char: number): boolean {
  return char >= 0x20 && char < 0x7f && char !== closeBrace
}

/** The first name of an object, as written. */
function firstName(text: string, object: number): string {
  const start = skipForward(text, object + 1, 'lines')
  return /^"[^"]*"?/.exec(text.slice(start, start + maxName))?.[0] ?? ''
}

/** Skips white space, and the commas and closing brackets between the records of a document. */
function skipForward(text: string, from: number, framing: Framing): number {
  let at = from
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at)
    const isBetween = isSpace(char) || (framing === 'document' && (char === comma || char === closeBracket))
    if (!isBetween) break
  }
  return at
}

function skipBack(text: string, from: number): number {
  let at = from
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--
  return at
}

function isSpace(char: number): boolean {
  return char === 0x20 || char === 0x09 || char === 0x0a || char === 0x0d
}
