import { parseJson } from '../../formats/json-text.ts'
import { findSecrets } from './find-secrets.ts'
import { type JsonString, jsonStrings, placesInside, unescaped } from './json-strings.ts'
import { endsInPrivateKey, isKeyLine, privateKeyKind } from './private-keys.ts'
import { cookieValues } from './secret-contexts.ts'
import { isSecretValue, isUserAndPassword, secretName } from './secret-names.ts'
import { secretsAcross } from './secrets-across.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'

/** `inName`: whether it is in a member's name. */
export interface JsonSecret extends SecretSpan {
  readonly inName: boolean
}

/** Levels of JSON in strings of JSON. */
const maxNesting = 4

/**
 * The secrets of a JSON text, each within one string. Searches the unescaped strings and returns places in the escaped
 * text. A value is also checked by its member's name, or by the option before it in a list. Text that is not JSON is
 * treated alike, between quotes.
 */
export function secretsInJson(text: string, nesting = 0): JsonSecret[] {
  const secrets: JsonSecret[] = []
  const texts = new Map<string, FollowingText[]>()
  let before = none
  /** The value of the previous member `name`: its `value` follows, as in lists of variables. */
  let name: string | null = null
  const isWebKey = text.includes('kty')
  for (const string of jsonStrings(text)) {
    const inside = text.slice(string.start, string.end)
    const value = string.escaped ? unescaped(inside) : inside
    const inName = isName(text, string)
    const link = linkBetween(text, before.end, string.start)
    const keyLine = before.inKey && link === ',' ? isKeyLine(value) : null
    const found =
      keyLine === null
        ? mergedSpans(secretsOf(value, nesting), inName ? [] : announcedBy(before, link, value, name, isWebKey))
        : [wholeKeyLine(value, before.isCounted)]
    for (const span of written(found, string, inside)) secrets.push({ ...span, inName })
    if (before.inName && link === ':' && followingTexts.has(before.text)) {
      const others = texts.get(before.text)
      if (others === undefined) texts.set(before.text, [{ string, value }])
      else others.push({ string, value })
    }
    const inKey = keyLine === null ? endsInPrivateKey(value) : !keyLine.isLast
    const isCounted = inKey && (keyLine !== null || found.some(({ kind }) => kind === privateKeyKind))
    if (!inName) name = before.inName && before.text.toLowerCase() === 'name' ? value : null
    before = { end: string.end, text: value, inName, inKey, isCounted }
  }
  const across = [...texts.values()].flatMap((several) => acrossTexts(text, several))
  return across.length === 0 ? secrets : mergedSpans(across, secrets)
}

/** Members whose values are consecutive blocks of one text, or messages of one chat. */
const followingTexts: ReadonlySet<string> = new Set(['text', 'content', 'thinking', 'output'])

interface FollowingText {
  readonly string: JsonString
  readonly value: string
}

/** The secrets across several strings of a JSON text. */
function acrossTexts(text: string, texts: readonly FollowingText[]): JsonSecret[] {
  if (texts.length < 2) return []
  const parts = secretsAcross(texts.map(({ value }) => value))
  return texts.flatMap(({ string }, i) =>
    written(parts[i] ?? [], string, text.slice(string.start, string.end)).map((span) => ({ ...span, inName: false }))
  )
}

/** The previous string. */
interface Before {
  /** Its closing quote. */
  readonly end: number
  readonly text: string
  readonly inName: boolean
  /** It ends inside a private key. */
  readonly inKey: boolean
  /** A part of that key is among the secrets. */
  readonly isCounted: boolean
}

const none: Before = { end: -1, text: '', inName: false, inKey: false, isCounted: false }

function wholeKeyLine(value: string, continues: boolean): SecretSpan {
  const span = { kind: privateKeyKind, start: 0, end: value.length }
  return continues ? { ...span, continues } : span
}

const blank = /[ \t\r\n]{0,64}/y

function isName(text: string, { end }: JsonString): boolean {
  blank.lastIndex = end + 1
  return blank.test(text) && text.charAt(blank.lastIndex) === ':'
}

/** The trimmed text between two strings: `:` before a member's value, `,` in a list. */
function linkBetween(text: string, end: number, start: number): string {
  // Longer text is another value.
  return end < 0 || start - end > 100 ? '' : text.slice(end + 1, start - 1).trim()
}

/** Maximum length of a value that a name announces. */
const maxLength = 8192
/** Minimum length of a secret with a known form. */
const minLength = 12

function secretsOf(value: string, nesting: number): SecretSpan[] {
  if (value.length < minLength) return []
  if (nesting < maxNesting && /^\s*[[{]/.test(value.slice(0, 20)) && parseJson(value).ok) {
    return secretsInJson(value, nesting + 1)
  }
  return findSecrets(value)
}

/** The secret members of a JSON web key. */
const webKeyMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])

/** A value that is a secret because of the text before it. */
function announcedBy(
  before: Before,
  link: string,
  value: string,
  name: string | null,
  isWebKey: boolean
): SecretSpan[] {
  if (before.inName && link === ':') {
    if (isWebKey && webKeyMembers.has(before.text) && /^[\w-]{16,2000}$/.test(value))
      return [{ kind: privateKeyKind, start: 0, end: value.length }]
    return ofName(name !== null && before.text.toLowerCase() === 'value' ? name : before.text, value)
  }
  const option = link === ',' && !before.inName && before.text.length <= 80 && before.text.startsWith('-')
  if (!option) return []
  const said = secretName(before.text)
  const isSecret =
    said !== null && value.length <= maxLength && isSecretValue(value, said, { quoted: true, shell: true })
  return isSecret ? [{ kind: said.kind, start: 0, end: value.length }] : []
}

function ofName(name: string, value: string): SecretSpan[] {
  if (/^(?:proxy-)?authorization$/i.test(name)) return inHeader(name, value)
  const cookie = /^(set-)?cookies?$/i.exec(name)
  if (cookie !== null) {
    const values = value.length > 16_384 ? null : cookieValues(value, cookie[1] !== undefined)
    return values === null ? [] : [{ kind: 'cookie', ...values }]
  }
  if (name === 'auth' && isUserAndPassword(value)) return [{ kind: 'password', start: 0, end: value.length }]
  const said = secretName(name)
  if (said === null || value.length > maxLength || !isSecretValue(value, said, { quoted: true, shell: false }))
    return []
  return [{ kind: said.kind, start: 0, end: value.length }]
}

function inHeader(name: string, value: string): SecretSpan[] {
  const before = `${name}: `
  return findSecrets(before + value.slice(0, 16_384)).map(({ kind, start, end }) => ({
    kind,
    start: Math.max(0, start - before.length),
    end: end - before.length
  }))
}

/** Maps spans of an unescaped string to the JSON text. */
function written(spans: readonly SecretSpan[], { start, escaped }: JsonString, inside: string): SecretSpan[] {
  if (spans.length === 0) return []
  const places = spans.flatMap((span) => [span.start, span.end])
  const found = escaped ? placesInside(inside, places) : places
  return spans.map((span, index) => ({
    ...span,
    start: start + (found[2 * index] ?? 0),
    end: start + (found[2 * index + 1] ?? 0)
  }))
}
