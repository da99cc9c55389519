import { isRandom } from './secret-names.ts'

/**
 * Tokens that a terminal, a mail or a person broke into lines. A line end within one is known by what stands around it: the token runs up
 * to it, and what the next line begins with goes on as a token does.
 */

/** A line end within a token: also as shells continue a line, with blanks before the next one. */
const lineBreak = /\\?\r?\n[ \t]{0,16}/y
const run = /[\w.~+/=-]{1,512}/y

/** Lines of a broken token but the first and the last one are at least so long: shorter ones are words of a list. */
const shortestMiddle = 16
const maxBreaks = 12

/** A token without the line ends in it. */
interface Unwrapped {
  readonly text: string
  /** Where a character of it stands in the text it was taken from. */
  placeOf(character: number): number
}

/** The token that begins at a place with a start of `known` characters, if it goes on in the next line. */
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
    // A word that ends a line is no token yet.
    if (breaks === 0 && (ends || part.length < known + 4)) return null
    if (ends || (breaks > 0 && part.length < shortestMiddle)) break
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

/** What ends a line of text after a token. */
const lineEnd = /(?=["'`\\]?\s|["'`,;)]|$)/y
/** Hashes and UUIDs are ids of something else. */
const otherId =
  /^(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Where a token that was found up to `end` ends, if a line end stands there and it goes on behind it. `full`: as many characters as all of its
 * kind have from `start` on.
 */
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

/** As `wrappedEnd`, of a value that only its name tells: where its line is as long as a terminal is wide, and the next one has nothing else. */
export function wrappedValueEnd(text: string, start: number, end: number): number {
  const line = text.slice(Math.max(0, start - widest), start)
  const from = start - line.length + line.lastIndexOf('\n') + 1
  if (end - from < narrowest) return end
  const found = wrappedEnd(text, start, end)
  if (found === end) return end
  const lastLine = text.lastIndexOf('\n', found - 1) + 1
  return found - lastLine <= end - from && /^\s*$/.test(text.slice(found, lineEndAfter(text, found))) ? found : end
}

const narrowest = 40
const widest = 400

function lineEndAfter(text: string, at: number): number {
  const end = text.slice(at, at + widest).indexOf('\n')
  return end < 0 ? Math.min(text.length, at + widest) : at + end
}
