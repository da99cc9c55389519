import { Column } from '#core/column.ts'
import { firstWhere } from '#core/first-where.ts'
import { memberPath } from '#core/json-path.ts'

/** A line of pretty JSON. */
export interface JsonLine {
  /** Byte range without surrounding white space: `"key": value,`. */
  readonly from: number
  readonly to: number
  /** End of the member's name; `from` if it has none. */
  readonly keyTo: number
  /** Start of the value. */
  readonly value: number
  readonly depth: number
  /** For a line that opens an object or list: its closing line, or -1 if the bytes end first. Else null. */
  readonly close: number | null
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const openBrace = 0x7b
const openBracket = 0x5b
const closeBrace = 0x7d
const closeBracket = 0x5d
const deepest = 64
const none = 0xffffffff

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Splits JSON into a line per member, by bytes: numbers, escapes, repeated names and invalid UTF-8 stay. */
export class JsonLines {
  readonly bytes: Uint8Array
  /** The line from the first byte that is not JSON; -1 for none. */
  readonly rest: number = -1
  private readonly froms = new Column('uint32', 10)
  private readonly tos = new Column('uint32', 10)
  private readonly keyTos = new Column('uint32', 10)
  private readonly values = new Column('uint32', 10)
  private readonly depths = new Column('uint32', 10)
  /** For an opening line, its closing line; for others, the line itself. */
  private readonly closes = new Column('uint32', 10)

  /** `fault`: the first byte that is not JSON. The text from there on is one line, as written. */
  constructor(bytes: Uint8Array, fault = bytes.length) {
    this.bytes = bytes
    this.read(fault)
    if (fault >= bytes.length) return
    const from = this.count === 0 ? 0 : Math.max(fault, this.tos.at(this.count - 1))
    if (from < bytes.length) {
      this.rest = this.count
      this.endLine(from, from, from, bytes.length, 0)
    }
  }

  get count(): number {
    return this.froms.length
  }

  at(line: number): JsonLine {
    const close = this.closes.at(line)
    return {
      from: this.froms.at(line),
      to: this.tos.at(line),
      keyTo: this.keyTos.at(line),
      value: this.values.at(line),
      depth: this.depths.at(line),
      close: close === line ? null : close === none ? -1 : close
    }
  }

  /** Number of members of the container that opens at `line`, as far as the bytes go. */
  membersOf(line: number): number {
    const { depth, close } = this.at(line)
    if (close === null) return 0
    let members = 0
    for (let at = line + 1; at < (close < 0 ? this.count : close);) {
      members++
      const inner = this.closes.at(at)
      if (inner === none) break
      at = inner + 1
      if (this.depths.at(Math.min(at, this.count - 1)) <= depth) break
    }
    return members
  }

  /** The line of the value at a JSON path, or of its innermost existing ancestor. */
  lineAt(path: string): { readonly line: number; readonly exact: boolean } {
    let line = 0
    let at = '$'
    while (this.count > 0 && at.length < path.length) {
      const next = this.memberOn(line, at, path)
      if (next === null) return { line, exact: false }
      line = next.line
      at = next.path
    }
    return { line, exact: at === path }
  }

  /** The line and byte of the character at `column` (UTF-16 code units, from 1). */
  lineOfColumn(column: number): { readonly line: number; readonly byte: number } {
    const byte = byteOfColumn(this.bytes, column)
    return { line: Math.max(0, firstWhere(this.count, (line) => this.froms.at(line) > byte) - 1), byte }
  }

  /** The member of the container at `line` (path `parent`) that leads to `path`; the last one of a repeated name. */
  private memberOn(line: number, parent: string, path: string): { line: number; path: string } | null {
    const { close, value } = this.at(line)
    if (close === null) return null
    const isList = this.bytes[value] === openBracket
    let found: { line: number; path: string } | null = null
    let index = 0
    const end = close < 0 ? this.count : close
    for (let at = line + 1; at < end; index++) {
      const own = memberPath(parent, isList ? index : this.nameOf(at))
      if (path === own || (path.startsWith(own) && /[.[]/.test(path.charAt(own.length))))
        found = { line: at, path: own }
      const inner = this.closes.at(at)
      if (inner === none) break
      at = inner + 1
    }
    return found
  }

  private nameOf(line: number): string {
    const { from, keyTo } = this.at(line)
    const written = decoder.decode(this.bytes.subarray(from, Math.min(keyTo, from + 2000)))
    try {
      return String(JSON.parse(written))
    } catch {
      return written
    }
  }

  private read(fault: number): void {
    const { bytes } = this
    const open: number[] = []
    let at = 0
    const skip = () => {
      while (at < bytes.length && isSpace(bytes[at] ?? 0)) at++
    }
    for (skip(); at < fault; skip()) {
      const from = at
      const byte = bytes[at] ?? 0
      if (byte === closeBrace || byte === closeBracket) {
        at++
        this.endLine(from, from, from, this.takeComma(at), Math.max(0, open.length - 1))
        at = this.tos.at(this.count - 1)
        const opened = open.pop()
        if (opened !== undefined) this.closes.set(opened, this.count - 1)
        continue
      }
      const keyTo = byte === quote ? this.keyEnd(from) : from
      let value = keyTo
      if (keyTo > from) {
        value = this.afterSpace(this.afterSpace(keyTo) + 1)
      }
      at = this.valueEnd(value)
      const opens = bytes[value] === openBrace || bytes[value] === openBracket
      if (opens && at === value + 1) {
        this.endLine(from, keyTo, value, at, open.length)
        this.closes.set(this.count - 1, none)
        open.push(this.count - 1)
        continue
      }
      at = this.takeComma(at)
      this.endLine(from, keyTo, value, at, open.length)
    }
  }

  private endLine(from: number, keyTo: number, value: number, to: number, depth: number): void {
    this.froms.push(from)
    this.tos.push(to)
    this.keyTos.push(keyTo)
    this.values.push(Math.min(value, to))
    this.depths.push(Math.min(depth, deepest))
    this.closes.push(this.count - 1)
  }

  /** End of the name at `from`, after its colon; `from` if there is no name. */
  private keyEnd(from: number): number {
    const end = this.stringEnd(from)
    return this.bytes[this.afterSpace(end)] === colon ? end : from
  }

  /** End of the value at `from`; after the bracket for a non-empty container. At least `from` + 1. */
  private valueEnd(from: number): number {
    const { bytes } = this
    const byte = bytes[from]
    if (byte === undefined) return bytes.length
    if (byte === quote) return this.stringEnd(from)
    if (byte === openBrace || byte === openBracket) {
      const inner = this.afterSpace(from + 1)
      return bytes[inner] === byte + 2 ? inner + 1 : from + 1
    }
    let at = from
    while (at < bytes.length && !isEnd(bytes[at] ?? 0)) at++
    return Math.max(at, from + 1)
  }

  private stringEnd(from: number): number {
    const { bytes } = this
    let at = from + 1
    while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
    return Math.min(bytes.length, at + 1)
  }

  private afterSpace(from: number): number {
    let at = from
    while (at < this.bytes.length && isSpace(this.bytes[at] ?? 0)) at++
    return at
  }

  /** After a following comma, if there is one. */
  private takeComma(from: number): number {
    const at = this.afterSpace(from)
    return this.bytes[at] === comma ? at + 1 : from
  }
}

const decoder = new TextDecoder()

function isEnd(byte: number): boolean {
  return isSpace(byte) || byte === comma || byte === closeBrace || byte === closeBracket || byte === quote
}

/** The byte of the character at `column` (UTF-16 code units, from 1). Each invalid UTF-8 byte counts as one. */
export function byteOfColumn(bytes: Uint8Array, column: number): number {
  let units = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    if (units >= column) return at
    units += byte >= 0xf0 ? 2 : 1
  }
  return bytes.length
}
