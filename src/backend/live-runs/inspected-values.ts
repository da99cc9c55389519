/**
 * A text without the objects that a JavaScript program printed as it shows them to its developers, `{ code: 7, data: undefined }`. Of one with
 * a `message`, that is left. JSON stays, as its keys have quotes.
 */
export function withoutInspected(text: string): string {
  let plain = ''
  let from = 0
  for (const begin of text.matchAll(/(?:^|(?<=[\s[(]))\{(?=\s+(?:[A-Za-z_$][\w$]*|'[^'\n]*'|\[[\w$().]+\]): )/gm)) {
    if (begin.index < from) continue
    const end = endOfObject(text, begin.index)
    if (end === null) break
    plain = joined(plain + text.slice(from, begin.index), messageIn(text.slice(begin.index, end)))
    from = end
  }
  return plain + text.slice(from)
}

/** A line that is left of an object whose beginning is not there. */
export function isOfInspected(line: string): boolean {
  return /^[\s{}[\](),]*$|^(?:'[^']*'|\[?[\w$]+\]?):\s*(?:undefined|null|\[Object\]|\[Array\]|\[Function.*\]|[{[])?[\s{}[\],]*$/.test(
    line
  )
}

function joined(before: string, message: string): string {
  if (message === '') return before.trimEnd()
  return /[\w)\]]\s*$/.test(before) ? `${before.trimEnd()}: ${message}` : `${before}${message}`
}

/** Null: it has no end. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at)
    if (quote !== '') {
      if (sign === '\\') at++
      else if (sign === quote) quote = ''
    } else if (sign === "'" || sign === '"' || sign === '`') quote = sign
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return at + 1
  }
  return null
}

function messageIn(object: string): string {
  const [, , message = ''] = /[\s{]message: (['"`])((?:\\.|(?!\1)[^\\])*)\1/.exec(object) ?? []
  return message.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? ' ' : escaped))
}
