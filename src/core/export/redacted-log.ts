import { decodeLine } from '../formats/decode-line.ts'
import type { Framing, LogFormat } from '../formats/log-format.ts'
import { isJsonObject } from '../json.ts'
import { type HeldText, HeldTexts } from './held-texts.ts'
import type { Redactor } from './redact.ts'
import { jsonStrings, unescaped } from './secrets/json-strings.ts'
import { endsInPrivateKey, isKeyHeader, isKeyLine } from './secrets/private-keys.ts'

const openBrace = 0x7b
const longestKeyLine = 1000
/** The texts of a longer line are not looked at together with others. */
const longestLine = 1 << 16
/** Redacts a file of a log line by line, also secrets that are spread over lines: over pieces of a text that was written as it
 * came, and over texts that follow each other. */
export class RedactedLog {
  private readonly format: LogFormat
  private readonly framing: Framing
  private readonly redactor: Redactor
  private readonly held: HeldTexts<Uint8Array>
  /** Lines that can go out. */
  private ready: Uint8Array[] = []
  /** The line before is one of a private key, which goes on: no JSON, but what a program printed among the records. */
  private inKey: 'begins' | 'goes on' | null = null
  private readonly file: string | null
  private lines = 0

  /** `file`: the name of another file of the run; null: the log itself. */
  constructor(format: LogFormat, framing: Framing, redactor: Redactor, file: string | null = null) {
    this.format = format
    this.framing = framing
    this.file = file
    this.redactor = redactor
    this.held = new HeldTexts(redactor, (line, clean) => {
      this.ready.push(this.redacted(clean === null ? line : this.withTexts(line, clean)))
    })
  }

  /** Takes the next line, without its end. Gives those lines that can go out, none twice and in their order. */
  add(line: Uint8Array): Uint8Array[] {
    const texts = this.textsOf(line)
    // Whoever gave it may use its memory again.
    this.held.add(texts.length === 0 && this.held.isEmpty ? line : Uint8Array.from(line), line.length, texts, {
      file: this.file,
      line: ++this.lines
    })
    return this.taken()
  }

  /** The lines that are still held: the file has ended. */
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

  /** Call once for each line, in their order. */
  private redacted(bytes: Uint8Array): Uint8Array {
    // A line of a key is short, and does not begin as a record does.
    const isRecord = bytes.length > longestKeyLine || bytes[0] === openBrace
    const text = isRecord ? null : new TextDecoder().decode(bytes)
    const keyLine = this.inKey === null || text === null ? null : isKeyLine(text)
    if (this.inKey !== null && keyLine !== null) {
      const mark = this.redactor.keyLine(text ?? '', this.inKey === 'goes on')
      this.inKey = keyLine.isLast ? null : 'goes on'
      return new TextEncoder().encode(mark)
    }
    if (text !== null && endsInPrivateKey(text)) this.inKey = 'begins'
    else if (text === null || !isKeyHeader(text)) this.inKey = null
    return this.redactor.bytes(bytes)
  }

  /** The texts of a line that a secret may stand in with others. */
  private textsOf(bytes: Uint8Array): HeldText[] {
    if (bytes.length > longestLine) return []
    const at = { line: 1, offset: 0, length: bytes.length, terminated: true }
    const { decoded, value } = decodeLine(this.format, { ...at, bytes }, this.framing)
    const drafts = decoded?.drafts ?? []
    const [draft] = drafts
    if (decoded?.joins === true && draft?.type === 'text') {
      return [{ stream: `piece ${draft.category ?? ''}`, text: draft.text, isPiece: true }]
    }
    // What a program printed among the records is looked at by its lines.
    if (!isJsonObject(value)) return []
    const piece = this.format.streamedPiece?.(value) ?? null
    if (piece !== null) return [{ stream: `part ${piece.stream}`, text: piece.text, isPiece: true }]
    return drafts.flatMap((draft) =>
      draft.type === 'text'
        ? [{ stream: [draft.role, draft.category].join(' '), text: draft.text, isPiece: false }]
        : []
    )
  }
}

/** A line of JSON in which a text that is a string of it is another one, and the rest is written as it was. */
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
