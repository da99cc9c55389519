import { parseJson } from '../../formats/json-text.ts'
import { findSecrets } from './find-secrets.ts'
import { type JsonString, jsonStrings, placesInside, unescaped } from './json-strings.ts'
import { endsInPrivateKey, isKeyLine, privateKeyKind } from './private-keys.ts'
import { cookieValues } from './secret-contexts.ts'
import { isSecretValue, isUserAndPassword, secretName } from './secret-names.ts'
import { secretsAcross } from './secrets-across.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'

/** A secret in a JSON text, and whether it stands in the name of a member. */
export interface JsonSecret extends SecretSpan {
  readonly inName: boolean
}

/** JSON that stands in strings of JSON is read as such down to here. */
const maxNesting = 4

/**
 * The secrets of a JSON text, each within one string of it: what its escapes stand for is searched, and the places are those of what
 * is written. A value is also judged by the name of its member, or by the option before it in a list. Of what is no JSON, the same
 * is done with what stands between quotes.
 */
export function secretsInJson(text: string, nesting = 0): JsonSecret[] {
  const secrets: JsonSecret[] = []
  const texts = new Map<string, FollowingText[]>()
  let before = none
  /** The value of a member `name` just before: its `value` follows, as in lists of variables. */
  let name: string | null = null
  for (const string of jsonStrings(text)) {
    const inside = text.slice(string.start, string.end)
    const value = string.escaped ? unescaped(inside) : inside
    const inName = isName(text, string)
    const link = linkBetween(text, before.end, string.start)
    const keyLine = before.inKey && link === ',' ? isKeyLine(value) : null
    const found =
      keyLine === null
        ? mergedSpans(secretsOf(value, nesting), inName ? [] : announcedBy(before, link, value, name))
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

/** Members whose values follow each other as blocks of one text, and messages of one chat. */
const followingTexts: ReadonlySet<string> = new Set(['text', 'content', 'thinking', 'output'])

interface FollowingText {
  readonly string: JsonString
  readonly value: string
}

/** The secrets that stand in several of the strings of a JSON text. */
function acrossTexts(text: string, texts: readonly FollowingText[]): JsonSecret[] {
  if (texts.length < 2) return []
  const parts = secretsAcross(texts.map(({ value }) => value))
  return texts.flatMap(({ string }, i) =>
    written(parts[i] ?? [], string, text.slice(string.start, string.end)).map((span) => ({ ...span, inName: false }))
  )
}

/** The string before the one that is looked at. */
interface Before {
  /** Where its last quote stands. */
  readonly end: number
  readonly text: string
  readonly inName: boolean
  /** A private key begins in it, or goes on, and does not end. */
  readonly inKey: boolean
  /** And a part of it is among the secrets. */
  readonly isCounted: boolean
}

const none: Before = { end: -1, text: '', inName: false, inKey: false, isCounted: false }

function wholeKeyLine(value: string, goesOn: boolean): SecretSpan {
  const span = { kind: privateKeyKind, start: 0, end: value.length }
  return goesOn ? { ...span, goesOn } : span
}

const blank = /[ \t\r\n]{0,64}/y

function isName(text: string, { end }: JsonString): boolean {
  blank.lastIndex = end + 1
  return blank.test(text) && text.charAt(blank.lastIndex) === ':'
}

/** What stands between two strings, without blanks: `:` before the value of a member, `,` between two of a list. */
function linkBetween(text: string, end: number, start: number): string {
  // More than a sign and some blanks is another value.
  return end < 0 || start - end > 100 ? '' : text.slice(end + 1, start - 1).trim()
}

/** What a name announces is no longer. */
const longest = 8192
/** Nothing that is told by its form is shorter. */
const shortest = 12

function secretsOf(value: string, nesting: number): SecretSpan[] {
  if (value.length < shortest) return []
  if (nesting < maxNesting && /^\s*[[{]/.test(value.slice(0, 20)) && parseJson(value).ok) {
    return secretsInJson(value, nesting + 1)
  }
  return findSecrets(value)
}

/** A value that is a secret by what stands before it. */
function announcedBy(before: Before, link: string, value: string, name: string | null): SecretSpan[] {
  if (before.inName && link === ':') {
    return ofName(name !== null && before.text.toLowerCase() === 'value' ? name : before.text, value)
  }
  const option = link === ',' && !before.inName && before.text.length <= 80 && before.text.startsWith('-')
  if (!option) return []
  const said = secretName(before.text)
  const isSecret = said !== null && value.length <= longest && isSecretValue(value, said, { quoted: true, shell: true })
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
  if (said === null || value.length > longest || !isSecretValue(value, said, { quoted: true, shell: false })) return []
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

/** Spans of what a string stands for, as spans of the text it is written in. */
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
