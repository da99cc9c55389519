/** Bytes around a match that may appear in the excerpt. */
const contextBytes = 1200
const maxCharacters = 300
/** The match begins within this many characters. */
const maxBefore = 40
const keptBefore = 20
const quote = 0x22
const backslash = 0x5c
const short: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** One line of text with the range of a match. */
export interface Excerpt {
  readonly text: string
  readonly match: readonly [number, number] | null
}

/** The text around a match at bytes `from` … `to`: unescaped if the match lies in one JSON string, else as written. */
export function excerptAround(line: Buffer, from: number, to: number): Excerpt {
  const value = stringAround(line, from, to)
  const begin = value === null ? 0 : value.from
  const end = value === null ? line.length : value.to
  const start =
    value === null
      ? characterAt(line, Math.max(0, from - contextBytes))
      : escapeAt(line, Math.max(begin, from - contextBytes), begin)
  const stop = characterAt(line, Math.min(end, to + contextBytes))
  const written = (a: number, b: number): string => line.toString('utf8', a, b)
  const read = value === null ? (text: string): string => text : unescaped
  const before = read(written(start, from))
  const matched = read(written(from, Math.min(to, stop)))
  const after = read(written(Math.min(to, stop), stop))
  return cut(before, matched, after, start > begin)
}

/** The beginning of a line without a match. */
export function excerptOf(line: Buffer): Excerpt {
  const { text } = cut('', line.toString('utf8', 0, characterAt(line, Math.min(line.length, contextBytes))), '', false)
  return { text, match: null }
}

function cut(before: string, matched: string, after: string, hasMore: boolean): Excerpt {
  const isLong = hasMore || before.length + Math.min(matched.length, keptBefore) > maxBefore
  const kept = isLong ? `…${before.slice(pairAt(before, before.length - keptBefore + 1))}` : before
  const whole = kept + matched + after
  const isCut = whole.length > maxCharacters
  const text = isCut ? `${whole.slice(0, pairAt(whole, maxCharacters - 1))}…` : whole
  const to = Math.min(kept.length + matched.length, text.length - (isCut ? 1 : 0))
  return { text: text.replaceAll(controls, ' '), match: [kept.length, to] }
}

/** An index that does not split a surrogate pair. */
function pairAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && code >= 0xdc00 && code < 0xe000 ? at - 1 : Math.max(0, at)
}

/** The range of the JSON string around a match, without quotes; null: none, or a member's name. */
function stringAround(line: Buffer, from: number, to: number): { from: number; to: number } | null {
  for (let at = line.indexOf(quote); at >= 0 && at < from;) {
    const end = stringEnd(line, at + 1)
    if (end < 0 || end >= to) return end < 0 || isName(line, end + 1) ? null : { from: at + 1, to: end }
    if (end >= from) return null
    at = line.indexOf(quote, end + 1)
  }
  return null
}

function stringEnd(line: Buffer, from: number): number {
  for (let end = line.indexOf(quote, from); end >= 0; end = line.indexOf(quote, end + 1)) {
    let slashes = 0
    while (end - slashes > from && line[end - slashes - 1] === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return -1
}

function isName(line: Buffer, after: number): boolean {
  return /^\s*:/.test(line.toString('latin1', after, after + 8))
}

/** The offset at or before `at` where a UTF-8 character begins. */
function characterAt(line: Buffer, at: number): number {
  let begin = at
  while (begin > 0 && at - begin < 4 && ((line[begin] ?? 0) & 0xc0) === 0x80) begin--
  return begin
}

/** The offset at or before `at` where a character or JSON escape begins; `from`: the start of the string. */
function escapeAt(line: Buffer, at: number, from: number): number {
  const near = line.toString('latin1', Math.max(from, at - 5), at)
  const found = /\\(?:u[\da-fA-F]{0,3})?$/.exec(near)
  const begin = at - (found?.[0].length ?? 0)
  let slashes = 0
  while (begin - slashes > from && line[begin - slashes - 1] === backslash) slashes++
  return found !== null && slashes % 2 === 0 ? begin : characterAt(line, at)
}

/** Unescapes a piece of a JSON string. An incomplete escape stays as it is: an expression may match one. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|([^u]))/g, (_, hex: string | undefined, one: string | undefined) =>
    hex === undefined ? (short[one ?? ''] ?? one ?? '') : String.fromCharCode(Number.parseInt(hex, 16))
  )
}
