import { pictureOf } from './display-text.ts'

/** A run of a line: its text, bytes that are not UTF-8 (as `\xNN`), or characters that have no shape (as pictures). */
export interface RawRun {
  readonly kind: 'text' | 'invalid' | 'control'
  text: string
}

export interface RawText {
  readonly runs: readonly Readonly<RawRun>[]
  /** Bytes that are shown. Fewer than given only if the last ones begin a character and `more` are to come. */
  readonly consumed: number
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const hidden = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu

/**
 * Shows bytes as they are: valid UTF-8 as text, every other byte as `\xNN`, and what would be invisible as a mark.
 * `more`: bytes follow these, so a character cut at the end is left for them.
 */
export function readRawBytes(bytes: Uint8Array, more: boolean): RawText {
  const runs: RawRun[] = []
  let valid = 0
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (length === 0 && more) break
    addText(runs, bytes.subarray(valid, at))
    addRun(runs, 'invalid', `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`)
    at++
    valid = at
  }
  addText(runs, bytes.subarray(valid, at))
  return { runs, consumed: at }
}

/**
 * Length of the UTF-8 sequence at `at`; -1 where the byte begins none; 0 where it may begin one that the bytes end inside of.
 * Bounds of the second byte as in the Unicode Standard, table 3-7.
 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return -1
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i]
    if (next === undefined) return 0
    const low = i > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
    const high = i > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
    if (next < low || next > high) return -1
  }
  return length
}

/** Below this many bytes the decoder costs more than the text: a line of binary has hundreds of thousands of such runs. */
const shortText = 32

function decode(bytes: Uint8Array): string {
  const plain = bytes.length < shortText && bytes.every((byte) => byte < 0x80)
  return plain ? String.fromCharCode(...bytes) : utf8.decode(bytes)
}

function addText(runs: RawRun[], bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const text = decode(bytes)
  let shown = 0
  for (const match of text.matchAll(hidden)) {
    addRun(runs, 'text', text.slice(shown, match.index))
    addRun(runs, 'control', pictureOf(match[0].codePointAt(0) ?? 0))
    shown = match.index + match[0].length
  }
  addRun(runs, 'text', text.slice(shown))
}

function addRun(runs: RawRun[], kind: RawRun['kind'], text: string): void {
  if (text === '') return
  const last = runs.at(-1)
  if (last?.kind === kind) last.text += text
  else runs.push({ kind, text })
}

const quote = 0x22
const backslash = 0x5c
const lineFeed = 0x0a
const space = 0x20
const deepest = 64

/**
 * JSON with each member on its own line. Works on bytes and adds only white space: numbers, escapes, repeated keys and bytes
 * that are not UTF-8 stay as written, and text that is not JSON passes too. Indents no deeper than 64 levels.
 */
export function indentJson(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Grown(bytes.length * 2)
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (inString) {
      out.push(byte)
      if (byte === backslash && i + 1 < bytes.length) out.push(bytes[++i] ?? 0)
      else if (byte === quote) inString = false
      continue
    }
    const character = String.fromCharCode(byte)
    if (character === ' ' || character === '\t' || character === '\n' || character === '\r') continue
    if (character === '}' || character === ']') {
      depth = Math.max(0, depth - 1)
      out.line(depth)
    }
    out.push(byte)
    if (byte === quote) inString = true
    else if (character === ':') out.push(space)
    else if (character === ',') out.line(depth)
    else if (character === '{' || character === '[') {
      const close = nextSolid(bytes, i + 1)
      if (close < bytes.length && bytes[close] === byte + 2) {
        out.push(byte + 2)
        i = close
      } else out.line(++depth)
    }
  }
  return out.bytes()
}

function nextSolid(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === space || bytes[at] === 0x09 || bytes[at] === lineFeed || bytes[at] === 0x0d) at++
  return at
}

/** Bytes that grow by doubling. */
class Grown {
  private buffer: Uint8Array<ArrayBuffer>
  private length = 0

  constructor(size: number) {
    this.buffer = new Uint8Array(Math.max(64, size))
  }

  push(byte: number): void {
    if (this.length === this.buffer.length) this.grow(1)
    this.buffer[this.length++] = byte
  }

  line(depth: number): void {
    this.push(lineFeed)
    const indent = Math.min(depth, deepest) * 2
    if (this.length + indent > this.buffer.length) this.grow(indent)
    this.buffer.fill(space, this.length, this.length + indent)
    this.length += indent
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.length)
  }

  private grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.buffer.length * 2, this.length + by))
    larger.set(this.buffer)
    this.buffer = larger
  }
}
