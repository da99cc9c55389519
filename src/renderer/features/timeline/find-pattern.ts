/** A search; an empty text finds nothing. */
export interface FindText {
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
}

/** With more quantifiers, one row could take longer than a frame. The search itself has its own thread. */
const maxQuantifiers = 2

/** The global pattern of the matches in a row; null for none, or if the expression could be too slow here. */
export function patternOf({ text, regex, caseSensitive }: FindText): RegExp | null {
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
