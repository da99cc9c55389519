/** A fenced code block: offsets into its text. */
export interface FencedCode {
  /** What follows the opening fence: "ts", "sh title=x"; trimmed. */
  readonly info: string
  /** The code, without the line end before its closing fence. */
  readonly from: number
  readonly to: number
  /** Where the text goes on: after the closing fence; behind it on its line, if words follow there. */
  readonly end: number
}

const opening = /( {0,3})(`{3,}(?![^\n]*`)|~{3,})([^\n]*)/y

/**
 * The code block whose opening fence is at `at`, the start of a line; null for none. As in CommonMark, but for a line
 * that looks like a closing fence and goes on: "``` please fix it". There it would open a block, or be part of one, up
 * to the end of the text. So a fence with several words behind it opens code only if the next fence closes it. If not,
 * it is text, or ends the block that it is in. The last fence ends its block in any case. Linear in the length.
 */
export function fencedCodeAt(text: string, at: number): FencedCode | null {
  opening.lastIndex = at
  const [line, , fence = '', rest = ''] = opening.exec(text) ?? []
  if (line === undefined) return null
  const info = rest.trim()
  const from = Math.min(text.length, at + line.length + 1)
  const next = fenceLines(text, from, fence.charAt(0))
  let found = next()
  if (isSeveralWords(info) && (found === null || found.rest !== '')) return null
  while (found !== null) {
    const after = next()
    const closes = found.rest === '' || after === null || (isSeveralWords(found.rest) && after.rest !== '')
    if (closes && found.length >= fence.length) {
      return { info, from, to: Math.max(from, found.at - 1), end: found.rest === '' ? found.lineEnd : found.restAt }
    }
    found = after
  }
  return { info, from, to: text.length, end: text.length }
}

function isSeveralWords(text: string): boolean {
  return /\s/.test(text)
}

interface FenceLine {
  readonly at: number
  /** Of the fence, in signs. */
  readonly length: number
  /** Behind the fence, trimmed. */
  readonly rest: string
  readonly restAt: number
  /** The start of the next line. */
  readonly lineEnd: number
}

/** The lines from `from` on that begin with a fence of this sign, one at each call. */
function fenceLines(text: string, from: number, sign: string): () => FenceLine | null {
  const line = new RegExp(`^( {0,3}(${sign}{3,})[ \\t]*)([^\\n]*)`, 'gm')
  line.lastIndex = from
  return () => {
    const found = line.exec(text)
    if (found === null) {
      line.lastIndex = text.length
      return null
    }
    const [whole, start = '', fence = '', rest = ''] = found
    return {
      at: found.index,
      length: fence.length,
      rest: rest.trim(),
      restAt: found.index + start.length,
      lineEnd: Math.min(text.length, found.index + whole.length + 1)
    }
  }
}
