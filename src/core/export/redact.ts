import { parseJson } from '../formats/json-text.ts'
import { findSecrets } from './secrets/find-secrets.ts'
import type { SecretSpan } from './secrets/secret-span.ts'
import { privateKeyKind } from './secrets/private-keys.ts'
import { secretsAcross } from './secrets/secrets-across.ts'
import { type JsonSecret, secretsInJson } from './secrets/secrets-in-json.ts'

export interface SecretPlace {
  /** The name of another file of the run; null: the log itself. */
  readonly file: string | null
  /** 1-based. */
  readonly line: number
}

/** A secret that was found. */
export interface FoundSecret {
  /** As in its mark, e.g. `GitHub token`. */
  readonly kind: string
  readonly text: string
  /** Null: unknown. */
  readonly place: SecretPlace | null
}

/**
 * Replaces each secret by a mark with its kind, e.g. `[redacted: GitHub token]`, and counts it. Deterministic and
 * linear. Finds only known secrets: published forms of keys and tokens, private keys, passwords in URLs, headers and
 * cookies, and values named as secrets (`password`, `API_KEY=`, `--token`).
 */
export class Redactor {
  /** The place of the next text. */
  place: SecretPlace | null = null
  private readonly found = new Map<string, number>()
  private readonly keeps: (secret: FoundSecret) => boolean
  /** Whether the current private key on several lines is kept. */
  private keepsKey = false

  /** `keeps`: called for each secret; true keeps it and does not count it. */
  constructor(keeps: (secret: FoundSecret) => boolean = () => false) {
    this.keeps = keeps
  }

  /** Count by kind, e.g. `GitHub token`, descending; ties by name. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.found].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)))
  }

  get total(): number {
    return [...this.found.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Redacts plain text. */
  text(text: string): string {
    return this.replaced(text, findSecrets(text), false)
  }

  /**
   * Redacts a line of a log. JSON keeps its shape: only parts of strings and names change. A line that is not JSON is
   * also redacted as text.
   */
  line(line: string): string {
    const redacted = this.replaced(line, withNumbers(line, secretsInJson(line)), true)
    // Outside of strings a mark would break JSON.
    return parseJson(line).ok ? redacted : this.text(redacted)
  }

  /** As `line`, for bytes. Returns the same array if nothing was found; keeps bytes that are not UTF-8. */
  bytes(bytes: Uint8Array): Uint8Array {
    const line = asUtf8(bytes)
    if (line !== null) {
      const redacted = this.line(line)
      return redacted === line ? bytes : new TextEncoder().encode(redacted)
    }
    // One character a byte suffices: all patterns are ASCII.
    const characters = oneForEachByte(bytes)
    const redacted = this.line(characters)
    return redacted === characters ? bytes : Uint8Array.from(redacted, (character) => character.charCodeAt(0))
  }

  /** Redacts a line of a private key on several lines. `continues`: not the first line. */
  keyLine(line: string, continues: boolean): string {
    if (!continues) this.keepsKey = !this.mustRemove(privateKeyKind, line, this.place)
    return this.keepsKey ? line : mark(privateKeyKind, undefined)
  }

  /** Redacts the pieces of one text: a secret is replaced where it begins and removed from later pieces. */
  pieces(pieces: readonly string[]): string[] {
    const text = pieces.join('')
    const secrets = this.removed(text, findSecrets(text), false)
    let from = 0
    return pieces.map((piece) => {
      const to = from + piece.length
      const own = secrets.filter(({ start, end }) => start < to && end > from)
      const redacted = this.replacedPiece(piece, from, own)
      from = to
      return redacted
    })
  }

  /** Redacts consecutive texts: a secret is replaced where it begins and removed from later ones. */
  across(texts: readonly string[], places: readonly (SecretPlace | null)[] = []): string[] {
    const secrets = this.removedAcross(texts, secretsAcross(texts), places)
    return texts.map((text, i) => {
      let result = ''
      let from = 0
      for (const { kind, start, end, continues } of secrets[i] ?? []) {
        result += text.slice(from, start) + (continues === undefined ? mark(kind, undefined) : '')
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

  /** Whether to remove a secret. Call once for each: it counts the removed ones. */
  private mustRemove(kind: string, text: string, place: SecretPlace | null): boolean {
    if (this.keeps({ kind, text, place })) return false
    this.found.set(kind, (this.found.get(kind) ?? 0) + 1)
    return true
  }

  /** The secrets to remove, with all their parts. `isWritten`: the text is as in the file, with its lines. */
  private removed<S extends SecretSpan>(text: string, secrets: readonly S[], isWritten: boolean): readonly S[] {
    if (secrets.length === 0) return secrets
    let remove = false
    const { place } = this
    let line = place?.line ?? 0
    let counted = 0
    return secrets.filter(({ kind, start, end, continues }, i) => {
      if (continues !== undefined) return remove
      if (isWritten)
        for (let at = text.indexOf('\n', counted); at >= 0 && at < start; at = text.indexOf('\n', at + 1)) line++
      counted = start
      let whole = text.slice(start, end)
      for (let next = i + 1; secrets[next]?.continues !== undefined; next++)
        whole += text.slice(secrets[next]?.start, secrets[next]?.end)
      remove = this.mustRemove(kind, whole, place && { file: place.file, line })
      return remove
    })
  }

  /** As `removed`, for parts of secrets in several texts. */
  private removedAcross(
    texts: readonly string[],
    secrets: readonly (readonly SecretSpan[])[],
    places: readonly (SecretPlace | null)[]
  ): (readonly SecretSpan[])[] {
    const parts = secrets.flatMap((own, i) =>
      own.map((span) => ({ ...span, i, text: (texts[i] ?? '').slice(span.start, span.end) }))
    )
    let remove = false
    const taken = parts.filter(({ kind, continues, i, text }, first) => {
      if (continues !== undefined) return remove
      let whole = text
      for (let next = first + 1; parts[next]?.continues !== undefined; next++) whole += parts[next]?.text
      remove = this.mustRemove(kind, whole, places[i] ?? null)
      return remove
    })
    return texts.map((_, i) => taken.filter((part) => part.i === i))
  }

  private replaced(text: string, found: readonly Replaced[], isWritten: boolean): string {
    const secrets = this.removed(text, found, isWritten)
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
  /** Numbers redacted member names from the second on, to keep them distinct. */
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
  // Limits the number of arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}
