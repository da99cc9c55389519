import type { DecodedLine } from '../formats/decode-line.ts'
import { decodeParts } from '../formats/decode-parts.ts'
import type { Framing, LogFormat } from '../formats/log-format.ts'
import { isJsonObject } from '../json.ts'
import { type HeldText, HeldTexts } from './held-texts.ts'
import type { Redactor } from './redact.ts'
import { jsonStrings, unescaped } from './secrets/json-strings.ts'
import { endsInPrivateKey, isKeyHeader, isKeyLine } from './secrets/private-keys.ts'

const openBrace = 0x7b
const maxKeyLine = 1000
/** Texts of longer lines are redacted alone. */
const maxLine = 1 << 16
/** Redacts a log file by line, including secrets across pieces of a text or consecutive texts. */
export class RedactedLog {
  private readonly format: LogFormat
  private readonly framing: Framing
  private readonly redactor: Redactor
  private readonly held: HeldTexts<Uint8Array>
  /** Redacted lines to return. */
  private ready: Uint8Array[] = []
  /** The previous line is of an unfinished private key, printed by a program among the records. */
  private inKey: 'begins' | 'continues' | null = null
  private readonly file: string | null
  private lines = 0
  /** The number of the text that is written in pieces. */
  private pieced = 0

  /** `file`: name of another file of the run; null: the log itself. */
  constructor(format: LogFormat, framing: Framing, redactor: Redactor, file: string | null = null) {
    this.format = format
    this.framing = framing
    this.file = file
    this.redactor = redactor
    this.held = new HeldTexts(redactor, (line, clean) => {
      this.ready.push(this.redacted(clean === null ? line : this.withTexts(line, clean)))
    })
  }

  /** Adds the next line, without its end. Returns the finished lines, in order. */
  add(line: Uint8Array): Uint8Array[] {
    const texts = this.textsOf(line, true)
    // Copied, as the caller may reuse the buffer.
    this.held.add(texts.length === 0 && this.held.isEmpty ? line : Uint8Array.from(line), line.length, texts, {
      file: this.file,
      line: ++this.lines
    })
    return this.taken()
  }

  /** The end of the file: returns the remaining lines. */
  end(): Uint8Array[] {
    this.held.end()
    return this.taken()
  }

  private taken(): Uint8Array[] {
    const ready = this.ready
    this.ready = []
    return ready
  }

  private withTexts(line: Uint8Array, clean: readonly string[]): Uint8Array {
    let json = new TextDecoder('utf-8', { ignoreBOM: true }).decode(line)
    for (const [i, { text }] of this.textsOf(line).entries()) {
      const now = clean[i] ?? text
      if (now !== text) json = withText(json, text, now)
    }
    return new TextEncoder().encode(json)
  }

  /** Call once per line, in order. */
  private redacted(bytes: Uint8Array): Uint8Array {
    // A key line is short and does not begin like a record.
    const isRecord = bytes.length > maxKeyLine || bytes[0] === openBrace
    const text = isRecord ? null : new TextDecoder().decode(bytes)
    const keyLine = this.inKey === null || text === null ? null : isKeyLine(text)
    if (this.inKey !== null && keyLine !== null) {
      const mark = this.redactor.keyLine(text ?? '', this.inKey === 'continues')
      this.inKey = keyLine.isLast ? null : 'continues'
      return new TextEncoder().encode(mark)
    }
    if (text !== null && endsInPrivateKey(text)) this.inKey = 'begins'
    else if (text === null || !isKeyHeader(text)) this.inKey = null
    return this.redactor.bytes(bytes)
  }

  /** The texts of a line that may contain a part of a secret. `isNew`: it is read for the first time. */
  private textsOf(bytes: Uint8Array, isNew = false): HeldText[] {
    if (bytes.length > maxLine) return []
    const at = { line: 1, offset: 0, length: bytes.length, terminated: true }
    const texts: HeldText[] = []
    decodeParts(this.format, { ...at, bytes }, this.framing, (_part, record) => {
      // Another record ends the text that is written in pieces.
      if (isNew && record.decoded?.joins !== true && (record.decoded?.drafts.length ?? 0) > 0) this.pieced++
      texts.push(...this.textsOfRecord(record))
    })
    return texts
  }

  private textsOfRecord({ decoded, value }: DecodedLine): HeldText[] {
    const drafts = decoded?.drafts ?? []
    const [draft] = drafts
    if (decoded?.joins === true && draft?.type === 'text') {
      return [{ stream: `piece ${draft.category ?? ''}`, text: draft.text, pieceOf: this.pieced }]
    }
    // Program output among the records is redacted by line.
    if (!isJsonObject(value)) return []
    const piece = this.format.streamedPiece?.(value) ?? null
    if (piece !== null) return [{ stream: `part ${piece.stream}`, text: piece.text, pieceOf: this.pieced }]
    return drafts.flatMap((draft) =>
      draft.type === 'text' ? [{ stream: [draft.role, draft.category].join(' '), text: draft.text, pieceOf: null }] : []
    )
  }
}

/** Replaces a string in a JSON line; the rest is unchanged. */
export function withText(json: string, text: string, now: string): string {
  let result = ''
  let from = 0
  for (const { start, end, escaped } of jsonStrings(json)) {
    const inside = json.slice(start, end)
    if ((escaped ? unescaped(inside) : inside) !== text) continue
    result += json.slice(from, start) + JSON.stringify(now).slice(1, -1)
    from = end
  }
  return result + json.slice(from)
}
