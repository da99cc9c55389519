import type { SecretSpan } from './secret-span.ts'

export const privateKeyKind = 'private key'
/** The start and the end of each key. */
export const privateKeySigns = ['-----BEGIN ', '-----END ', '---- BEGIN SSH2 ']

/** Characters of a key; the largest in use have some 13,000. */
const maxKey = 32_768

const begin =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/g
const end = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y
const anyEnd = new RegExp(end.source, 'g')
const endSign = '-----END '

/**
 * Private keys of PEM and OpenPGP, from first to last line: with line ends or `\n` of a JSON text, with line numbers,
 * quotes or diff marks before the lines. A key without an end continues while its lines look like one; one without a
 * begin, as printed by `tail`, begins with the first line that looks like one.
 */
export function privateKeys(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  /** The next end found; each is searched once. */
  let nextEnd = -1
  begin.lastIndex = 0
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const body = begin.lastIndex
    while (nextEnd < body) {
      const at = text.indexOf(endSign, Math.max(body, nextEnd + 1))
      nextEnd = at < 0 ? Infinity : at
    }
    const stop = keyEnd(text, body, nextEnd)
    if (stop <= body) continue
    spans.push({ kind: privateKeyKind, start: found.index, end: stop })
    begin.lastIndex = stop
  }
  return [...spans, ...withoutBegin(text, spans)].sort((a, b) => a.start - b.start)
}

/** What stands before the end of a key: base64, line ends, possibly escaped, and prefixes of listings. */
const beforeEnd = /[A-Za-z0-9+/=\s\\"',|>:→-]/
/** The first line of a key that may be cut. */
const firstLine = /(?<![A-Za-z0-9+/])(?!\/)[A-Za-z0-9+/]{40,}={0,2}/

function withoutBegin(text: string, keys: readonly SecretSpan[]): SecretSpan[] {
  const spans: SecretSpan[] = []
  let last = 0
  for (const { 0: line, index } of text.matchAll(anyEnd)) {
    const isKnown = keys.some(({ start, end: to }) => start < index && index < to)
    let from = index
    while (!isKnown && from > last && index - from < maxKey && beforeEnd.test(text.charAt(from - 1))) from--
    last = index + line.length
    const found = isKnown ? null : firstLine.exec(text.slice(from, index))
    if (found !== null) spans.push({ kind: privateKeyKind, start: from + found.index, end: last })
  }
  return spans
}

function keyEnd(text: string, body: number, nextEnd: number): number {
  if (nextEnd - body <= maxKey && isKeyText(text.slice(body, nextEnd))) {
    end.lastIndex = nextEnd
    if (end.test(text)) return end.lastIndex
  }
  return body + keyLines(text.slice(body, body + maxKey))
}

/** Whether the text between begin and end is a key, not source code that searches for one. */
function isKeyText(text: string): boolean {
  return /[A-Za-z0-9+/=]{16}/.test(text) || /^(?:\s|\\+[nrt]|[A-Za-z0-9+/=.…*-])+$/.test(text)
}

/** A line end, possibly escaped, and prefixes of listings and diffs. */
const lineEnds = /(?:\s|\\+[nrt]|["',|>])*(?:\d{1,7}(?:\t|→|:|\\t)|[+-])?[ ]{0,16}/y
const keyLine = /(?:[A-Za-z0-9+/]{16,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment): [^\r\n\\"]{0,100})/y

/** The length of the key lines at the start of a text inside a key, including a cut last line. */
export function keyLines(text: string): number {
  let length = 0
  for (;;) {
    lineEnds.lastIndex = length
    lineEnds.test(text)
    keyLine.lastIndex = lineEnds.lastIndex
    if (!keyLine.test(text)) return length
    length = keyLine.lastIndex
  }
}

/** Whether a text ends inside a private key. */
export function endsInPrivateKey(text: string): boolean {
  if (text.length < 27) return false
  const from = Math.max(0, text.length - maxKey)
  const tail = text.slice(from)
  const at = Math.max(tail.lastIndexOf('PRIVATE KEY-----'), tail.lastIndexOf('PRIVATE KEY BLOCK-----'))
  if (at < 0) return false
  const dashes = tail.lastIndexOf('-----', at)
  return tail.startsWith('-----BEGIN ', dashes)
}

/** A header line of a key: `Proc-Type: 4,ENCRYPTED`, or empty. */
export function isKeyHeader(text: string): boolean {
  return /^\s*(?:(?:Proc-Type|DEK-Info|Version|Comment): .{0,200})?$/.test(text)
}

/** Whether a text is a line of a private key; `isLast`: its end. */
export function isKeyLine(text: string): { isLast: boolean } | null {
  if (/^[ +-]?-----END [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/.test(text)) return { isLast: true }
  return /^[ +-]?[A-Za-z0-9+/=\s]{4,200}$/.test(text) ? { isLast: false } : null
}
