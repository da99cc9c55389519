import { pictureOf } from './display-text.ts'

/** A part of a line: text, invalid UTF-8 (as `\xNN`), or invisible characters (as pictures). */
export interface RawSpan {
  readonly kind: 'text' | 'invalid' | 'control'
  text: string
}

export interface RawText {
  readonly spans: readonly Readonly<RawSpan>[]
  /** Shown bytes. Fewer than given only if the last ones begin a character and `more` bytes follow. */
  readonly consumed: number
}

/** Offsets of the first `most` bytes that are not UTF-8. `more`: whether bytes follow. */
export function invalidBytes(bytes: Uint8Array, more: boolean, most: number): number[] {
  const found: number[] = []
  if (isUtf8(bytes, more)) return found
  for (let at = 0; at < bytes.length && found.length < most;) {
    const length = sequenceLength(bytes, at)
    if (length === 0 && more) break
    if (length <= 0) found.push(at)
    at += Math.max(1, length)
  }
  return found
}

/** The platform's check is much faster than a loop. `more`: a character may be cut at the end. */
function isUtf8(bytes: Uint8Array, more: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: more })
    return true
  } catch {
    return false
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const hidden = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Bytes as text, invalid ones as `\xNN`. With `more` to follow, a character cut at the end is left for later. */
export function readRawBytes(bytes: Uint8Array, more: boolean): RawText {
  const spans: RawSpan[] = []
  let valid = 0
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (length === 0 && more) break
    addText(spans, bytes.subarray(valid, at))
    addSpan(spans, 'invalid', `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`)
    at++
    valid = at
  }
  addText(spans, bytes.subarray(valid, at))
  return { spans, consumed: at }
}

/** Length of the UTF-8 sequence at `at`; -1 for none, 0 if cut. Second byte: Unicode Standard, table 3-7. */
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

/** For fewer bytes the decoder is slower: a binary line has hundreds of thousands of such spans. */
const shortText = 32

function decode(bytes: Uint8Array): string {
  const plain = bytes.length < shortText && bytes.every((byte) => byte < 0x80)
  return plain ? String.fromCharCode(...bytes) : utf8.decode(bytes)
}

function addText(spans: RawSpan[], bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const text = decode(bytes)
  let shown = 0
  for (const match of text.matchAll(hidden)) {
    addSpan(spans, 'text', text.slice(shown, match.index))
    addSpan(spans, 'control', pictureOf(match[0].codePointAt(0) ?? 0))
    shown = match.index + match[0].length
  }
  addSpan(spans, 'text', text.slice(shown))
}

function addSpan(spans: RawSpan[], kind: RawSpan['kind'], text: string): void {
  if (text === '') return
  const last = spans.at(-1)
  if (last?.kind === kind) last.text += text
  else spans.push({ kind, text })
}
