/** A search; an empty text finds nothing. */
export interface FindMark {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/**
 * An expression with more quantifiers could take longer than a frame on the text of one row. The search itself runs in
 * another thread.
 */
const maxQuantifiers = 2

/**
 * The pattern that marks the matches of `mark` in the text of a row, with the flag `g`. Null if there is nothing to
 * mark, or if the expression could be too slow here: repeated groups, or many quantifiers.
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
  // Remove escapes, classes and lazy quantifiers, which do not count.
  const bare = source
    .replaceAll(/\\[^1-9k]/g, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/([*+?}])\?/g, '$1')
  if (/\\|\)[*+?{]/.test(bare)) return false
  return (bare.replaceAll('(?', '(').match(/[*+?{]/g) ?? []).length <= maxQuantifiers
}
