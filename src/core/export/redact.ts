import { parseJson } from '../formats/json-text.ts'
import { findSecrets } from './secrets/find-secrets.ts'
import type { SecretSpan } from './secrets/secret-span.ts'
import { privateKeyKind } from './secrets/private-keys.ts'
import { secretsAcross } from './secrets/secrets-across.ts'
import { type JsonSecret, secretsInJson } from './secrets/secrets-in-json.ts'

/** Where a secret stands: a line of a file of the run. */
export interface SecretPlace {
  /** The name of another file of the run; null: the log itself. */
  readonly file: string | null
  /** 1-based. */
  readonly line: number
}

/** A secret that was found. */
export interface FoundSecret {
  /** As in the mark that takes its place, e.g. `GitHub token`. */
  readonly kind: string
  readonly text: string
  /** Null: nobody said where. */
  readonly place: SecretPlace | null
}

/**
 * Takes secrets out of what is shared: each is replaced by a mark that says what it was, e.g. `[redacted: GitHub token]`, and counted.
 * The same input gives the same output; the time it takes is linear. Only what it knows is found: published forms of keys and tokens,
 * private keys, passwords in URLs, headers and cookies, and values that a name announces (`password`, `API_KEY=`, `--token`).
 */
export class Redactor {
  /** Where the text stands that is looked at next. */
  place: SecretPlace | null = null
  private readonly found = new Map<string, number>()
  private readonly keeps: (secret: FoundSecret) => boolean
  /** Whether the private key that is written on several lines stays. */
  private keepsKey = false

  /** `keeps`: is told of each secret where it is found; true: it stays, and is not counted. */
  constructor(keeps: (secret: FoundSecret) => boolean = () => false) {
    this.keeps = keeps
  }

  /** How often each kind was found, e.g. `GitHub token`; the most frequent first, of equals in the order of their names. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.found].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)))
  }

  get total(): number {
    return [...this.found.values()].reduce((sum, count) => sum + count, 0)
  }

  /** A text, as people read it. */
  text(text: string): string {
    return this.replaced(text, findSecrets(text), false)
  }

  /**
   * A line of a log. JSON stays JSON of the same shape: only parts of strings change, names among them, and the rest stays as it is
   * written, character for character. A line that is no JSON is redacted as a text too.
   */
  line(line: string): string {
    const redacted = this.replaced(line, withNumbers(line, secretsInJson(line)), true)
    // What stands in no string of a JSON text is no secret, and marks in it would break it.
    return parseJson(line).ok ? redacted : this.text(redacted)
  }

  /** As `line`, of the bytes of a line. The same bytes where nothing was found; bytes that are no UTF-8 stay as they are. */
  bytes(bytes: Uint8Array): Uint8Array {
    const line = asUtf8(bytes)
    if (line !== null) {
      const redacted = this.line(line)
      return redacted === line ? bytes : new TextEncoder().encode(redacted)
    }
    // A character a byte: all that is searched for is ASCII.
    const characters = oneForEachByte(bytes)
    const redacted = this.line(characters)
    return redacted === characters ? bytes : Uint8Array.from(redacted, (character) => character.charCodeAt(0))
  }

  /** What takes the place of a line of a private key that is written on several; `goesOn`: not the first. */
  keyLine(line: string, goesOn: boolean): string {
    if (!goesOn) this.keepsKey = !this.takes(privateKeyKind, line, this.place)
    return this.keepsKey ? line : mark(privateKeyKind, undefined)
  }

  /** The pieces of one text: what is found in all of it is replaced in the piece it begins in, and gone from those it goes on in. */
  pieces(pieces: readonly string[]): string[] {
    const text = pieces.join('')
    const secrets = this.taken(text, findSecrets(text), false)
    let from = 0
    return pieces.map((piece) => {
      const to = from + piece.length
      const own = secrets.filter(({ start, end }) => start < to && end > from)
      const redacted = this.replacedPiece(piece, from, own)
      from = to
      return redacted
    })
  }

  /**
   * Texts that follow each other: what begins in one and ends in a later one is replaced where it begins, and gone from the others. `places`:
   * where each stands.
   */
  across(texts: readonly string[], places: readonly (SecretPlace | null)[] = []): string[] {
    const secrets = this.takenAcross(texts, secretsAcross(texts), places)
    return texts.map((text, i) => {
      let result = ''
      let from = 0
      for (const { kind, start, end, goesOn } of secrets[i] ?? []) {
        result += text.slice(from, start) + (goesOn === undefined ? mark(kind, undefined) : '')
        from = end
      }
      return result + text.slice(from)
    })
  }

  private replacedPiece(piece: string, from: number, secrets: readonly SecretSpan[]): string {
    let result = ''
    let at = 0
    for (const { kind, start, end } of secrets) {
      if (start >= from) {
        result += piece.slice(at, start - from) + mark(kind, undefined)
      }
      at = Math.min(end - from, piece.length)
    }
    return result + piece.slice(at)
  }

  /** Whether a secret goes. Called once for each, it counts those. */
  private takes(kind: string, text: string, place: SecretPlace | null): boolean {
    if (this.keeps({ kind, text, place })) return false
    this.found.set(kind, (this.found.get(kind) ?? 0) + 1)
    return true
  }

  /** Those that go; further parts of a secret go with its first. `isWritten`: the text is as it stands in the file, with its lines. */
  private taken<S extends SecretSpan>(text: string, secrets: readonly S[], isWritten: boolean): readonly S[] {
    if (secrets.length === 0) return secrets
    let goes = false
    const { place } = this
    let line = place?.line ?? 0
    let counted = 0
    return secrets.filter(({ kind, start, end, goesOn }, i) => {
      if (goesOn !== undefined) return goes
      if (isWritten)
        for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++
      counted = start
      let whole = text.slice(start, end)
      for (let next = i + 1; secrets[next]?.goesOn !== undefined; next++)
        whole += text.slice(secrets[next]?.start, secrets[next]?.end)
      goes = this.takes(kind, whole, place && { file: place.file, line })
      return goes
    })
  }

  /** As `taken`, of the parts of secrets in several texts. */
  private takenAcross(
    texts: readonly string[],
    secrets: readonly (readonly SecretSpan[])[],
    places: readonly (SecretPlace | null)[]
  ): (readonly SecretSpan[])[] {
    const parts = secrets.flatMap((own, i) =>
      own.map((span) => ({ ...span, i, text: (texts[i] ?? '').slice(span.start, span.end) }))
    )
    let goes = false
    const taken = parts.filter(({ kind, goesOn, i, text }, first) => {
      if (goesOn !== undefined) return goes
      let whole = text
      for (let next = first + 1; parts[next]?.goesOn !== undefined; next++) whole += parts[next]?.text
      goes = this.takes(kind, whole, places[i] ?? null)
      return goes
    })
    return texts.map((_, i) => taken.filter((part) => part.i === i))
  }

  private replaced(text: string, found: readonly Replaced[], isWritten: boolean): string {
    const secrets = this.taken(text, found, isWritten)
    if (secrets.length === 0) return text
    let result = ''
    let from = 0
    for (const { kind, start, end, number } of secrets) {
      result += `${text.slice(from, start)}${mark(kind, number)}`
      from = end
    }
    return result + text.slice(from)
  }
}

interface Replaced extends SecretSpan {
  /** Of a name of a member, from the second on: two members must not get the same. */
  readonly number?: number | undefined
}

function mark(kind: string, number: number | undefined): string {
  return `[redacted: ${kind}${number === undefined ? '' : ` ${number}`}]`
}

function withNumbers(line: string, secrets: readonly JsonSecret[]): Replaced[] {
  const numbers = new Map<string, number>()
  return secrets.map(({ inName, ...span }) => {
    if (!inName) return span
    const secret = line.slice(span.start, span.end)
    const number = numbers.get(secret) ?? numbers.size + 1
    numbers.set(secret, number)
    return number === 1 ? span : { ...span, number }
  })
}

function asUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function oneForEachByte(bytes: Uint8Array): string {
  let text = ''
  // As many at once as arguments may be.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}
