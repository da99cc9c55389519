import { isRandom } from './secret-names.ts'

/**
 * Tokens broken into lines by a terminal, a mail or a person. The token reaches the line end, and the next line begins
 * with a continuation.
 */

/** A line end within a token, possibly a shell continuation, with indentation. */
const lineBreak = /\\?\r?\n[ \t]{0,16}/y
const run = /[\w.~+/=-]{1,512}/y

/** Minimum length of inner lines of a token; shorter ones are words of a list. */
const minInnerLine = 16
const maxBreaks = 12

/** A token without the line ends in it. */
interface Unwrapped {
  readonly text: string
  /** The place of a character in the original text. */
  placeOf(character: number): number
}

/** The token at a place with a prefix of `known` characters, if it continues on the next line. */
export function unwrapped(text: string, at: number, known: number): Unwrapped | null {
  const parts: { readonly at: number; readonly from: number }[] = []
  let token = ''
  let place = at
  for (let breaks = 0; breaks <= maxBreaks; breaks++) {
    run.lastIndex = place
    const [part] = run.exec(text) ?? []
    if (part === undefined) break
    parts.push({ at: place, from: token.length })
    token += part
    lineBreak.lastIndex = place + part.length
    const ends = !lineBreak.test(text)
    // Only a prefix at a line end is not a token.
    if (breaks === 0 && (ends || part.length < known + 4)) return null
    if (ends || (breaks > 0 && part.length < minInnerLine)) break
    place = lineBreak.lastIndex
  }
  if (parts.length < 2) return null
  return {
    text: token,
    placeOf(character) {
      const part = parts.findLast(({ from }) => from <= character)
      return part === undefined ? at : part.at + character - part.from
    }
  }
}

/** The end of a token. */
const lineEnd = /(?=["'`\\]?\s|["'`,;)]|$)/y
/** Hashes and UUIDs are not parts of tokens. */
const otherId =
  /^(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** The end of a token found up to `end`, including further lines. `full`: the fixed length from `start` on. */
export function wrappedEnd(text: string, start: number, end: number, full = Infinity): number {
  let found = end
  for (let length = end - start; length < full;) {
    lineBreak.lastIndex = found
    if (!lineBreak.test(text)) return found
    const next = lineBreak.lastIndex
    run.lastIndex = next
    const [part] = run.exec(text) ?? []
    if (part === undefined) return found
    lineEnd.lastIndex = next + part.length
    const fits = full === Infinity ? part.length >= 6 && isRandom(part) : length + part.length <= full
    if (!fits || !lineEnd.test(text) || otherId.test(part)) return found
    length += part.length
    found = next + part.length
  }
  return found
}

/**
 * As `wrappedEnd`, for a value known only by its name: its line must be as wide as a terminal, and the next line must
 * contain only the rest.
 */
export function wrappedValueEnd(text: string, start: number, end: number): number {
  const line = text.slice(Math.max(0, start - maxWidth), start)
  const from = start - line.length + line.lastIndexOf('\n') + 1
  if (end - from < minWidth) return end
  const found = wrappedEnd(text, start, end)
  if (found === end) return end
  const lastLine = text.lastIndexOf('\n', found - 1) + 1
  return found - lastLine <= end - from && /^\s*$/.test(text.slice(found, lineEndAfter(text, found))) ? found : end
}

const minWidth = 40
const maxWidth = 400

function lineEndAfter(text: string, at: number): number {
  const end = text.slice(at, at + maxWidth).indexOf('\n')
  return end < 0 ? Math.min(text.length, at + maxWidth) : at + end
}
