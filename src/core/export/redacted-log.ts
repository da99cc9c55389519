import { decodeLine } from '../formats/decode-line.ts'
import type { Framing, LogFormat, StreamedPiece } from '../formats/log-format.ts'
import { isJsonObject } from '../json.ts'
import type { Redactor } from './redact.ts'
import { jsonStrings, unescaped } from './secrets/json-strings.ts'
import { endsInPrivateKey, isKeyHeader, isKeyLine } from './secrets/private-keys.ts'

const openBrace = 0x7b
const longestKeyLine = 1000
/** A longer line is no piece of a text. */
const longestPiece = 1 << 16
/** Lines are held until so many hold no piece, or so many are held; then all but the last ones go out. */
const quietLines = 200
const maxLines = 5000
const maxBytes = 8 << 20

interface HeldLine {
  bytes: Uint8Array
  readonly piece: StreamedPiece | null
}

/** Redacts a file of a log line by line, also secrets that are spread over lines: pieces of a text that was written as it came. */
export class RedactedLog {
  private readonly format: LogFormat
  private readonly framing: Framing
  private readonly redactor: Redactor
  private held: HeldLine[] = []
  private heldBytes = 0
  private quiet = 0
  /** The line before is one of a private key, which goes on: no JSON, but what a program printed among the records. */
  private inKey: 'begins' | 'goes on' | null = null

  constructor(format: LogFormat, framing: Framing, redactor: Redactor) {
    this.format = format
    this.framing = framing
    this.redactor = redactor
  }

  /** Takes the next line, without its end. Gives those lines that can go out, none twice and in their order. */
  add(line: Uint8Array): Uint8Array[] {
    const piece = this.pieceOf(line)
    if (piece === null && this.held.length === 0) return [this.redacted(line)]
    // Whoever gave it may use its memory again.
    this.held.push({ bytes: Uint8Array.from(line), piece })
    this.heldBytes += line.length
    this.quiet = piece === null ? this.quiet + 1 : 0
    if (this.quiet >= quietLines) return this.release(0)
    return this.held.length >= maxLines || this.heldBytes >= maxBytes ? this.release(quietLines) : []
  }

  /** The lines that are still held: the file has ended. */
  end(): Uint8Array[] {
    return this.release(0)
  }

  /** All lines but the last `kept`. */
  private release(kept: number): Uint8Array[] {
    for (const pieces of this.streams().values()) this.redactPieces(pieces)
    const released = this.held.splice(0, Math.max(this.held.length - kept, 1))
    this.heldBytes = this.held.reduce((sum, { bytes }) => sum + bytes.length, 0)
    this.quiet = 0
    return released.map(({ bytes }) => this.redacted(bytes))
  }

  /** Call once for each line, in their order. */
  private redacted(bytes: Uint8Array): Uint8Array {
    // A line of a key is short, and does not begin as a record does.
    const isRecord = bytes.length > longestKeyLine || bytes[0] === openBrace
    const text = isRecord ? null : new TextDecoder().decode(bytes)
    const keyLine = this.inKey === null || text === null ? null : isKeyLine(text)
    if (this.inKey !== null && keyLine !== null) {
      const mark = this.redactor.keyLine(this.inKey === 'goes on')
      this.inKey = keyLine.isLast ? null : 'goes on'
      return new TextEncoder().encode(mark)
    }
    if (text !== null && endsInPrivateKey(text)) this.inKey = 'begins'
    else if (text === null || !isKeyHeader(text)) this.inKey = null
    return this.redactor.bytes(bytes)
  }

  private streams(): Map<string, HeldLine[]> {
    const streams = new Map<string, HeldLine[]>()
    for (const line of this.held) {
      if (line.piece === null) continue
      const pieces = streams.get(line.piece.stream)
      if (pieces) pieces.push(line)
      else streams.set(line.piece.stream, [line])
    }
    return streams
  }

  private redactPieces(lines: readonly HeldLine[]): void {
    const texts = lines.map(({ piece }) => piece?.text ?? '')
    const redacted = this.redactor.pieces(texts)
    for (const [i, line] of lines.entries()) {
      const [text = '', now = ''] = [texts[i], redacted[i]]
      if (text !== now) line.bytes = withText(line.bytes, text, now)
    }
  }

  private pieceOf(bytes: Uint8Array): StreamedPiece | null {
    if (bytes.length > longestPiece) return null
    const at = { line: 1, offset: 0, length: bytes.length, terminated: true }
    const { decoded, value } = decodeLine(this.format, { ...at, bytes }, this.framing)
    const [draft] = decoded?.drafts ?? []
    if (decoded?.joins === true && draft?.type === 'text') return { stream: draft.category ?? '', text: draft.text }
    return isJsonObject(value) ? (this.format.streamedPiece?.(value) ?? null) : null
  }
}

/** A line of JSON in which a text that is a string of it is another one, and the rest is written as it was. */
function withText(line: Uint8Array, text: string, now: string): Uint8Array {
  const json = new TextDecoder('utf-8', { ignoreBOM: true }).decode(line)
  let result = ''
  let from = 0
  for (const { start, end, escaped } of jsonStrings(json)) {
    const inside = json.slice(start, end)
    if ((escaped ? unescaped(inside) : inside) !== text) continue
    result += json.slice(from, start) + JSON.stringify(now).slice(1, -1)
    from = end
  }
  return new TextEncoder().encode(result + json.slice(from))
}
