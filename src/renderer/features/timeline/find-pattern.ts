/** What is searched for; an empty text is nothing. */
export interface FindMark {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/** More of these could take longer than a frame for the text of one row; the search itself runs in a thread of its own. */
const mostQuantifiers = 2

/**
 * The pattern that finds `mark` in a text that a row shows, with the flag `g`. Null: nothing is to be marked, or the expression could take
 * too long here: groups that repeat, or many parts that do.
 */
export function patternOf({ text, regex, caseSensitive }: FindMark): RegExp | null {
  if (text === '' || (regex && !isQuick(text))) return null
  try {
    return new RegExp(
      regex ? text : text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`),
      caseSensitive ? 'gu' : 'giu'
    )
  } catch {
    return null
  }
}

function isQuick(source: string): boolean {
  // What stands for one character, and what makes a quantifier lazy, do not count.
  const bare = source
    .replaceAll(/\\[^1-9k]/g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/([*+?}])\?/g, '$1')
  if (/\\|\)[*+?{]/.test(bare)) return false
  return (bare.replaceAll('(?', '(').match(/[*+?{]/g) ?? []).length <= mostQuantifiers
}
