/** A word that is read back as it is without quotes around it. */
const plainWord = /^[^\s'"\\]+$/

/**
 * What a person typed as arguments, split where a shell would split it: at white space, but not inside quotes. Nothing else of a shell is in it:
 * variables, patterns and `~` stay as they are, and so does a backslash that is not before a quote, a space or a backslash. A sentence where a
 * quote is not closed.
 */
export function argumentWords(text: string): string[] | string {
  const words: string[] = []
  /** null: between words. */
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    if (character === '\\' && quote !== "'" && (quote === null ? /[\s'"\\]/ : /["\\]/).test(next)) {
      word = (word ?? '') + next
      at++
    } else if (quote !== null) {
      if (character === quote) quote = null
      else word += character
    } else if (character === "'" || character === '"') {
      quote = character
      word ??= ''
    } else if (!/\s/.test(character)) word = (word ?? '') + character
    else if (word !== null) {
      words.push(word)
      word = null
    }
  }
  if (quote !== null) return `Unclosed quote: ${quote}`
  return word === null ? words : [...words, word]
}

/** Text that `argumentWords` splits into these words. */
export function textOfWords(words: readonly string[]): string {
  return words.map(textOfWord).join(' ')
}

function textOfWord(word: string): string {
  if (plainWord.test(word)) return word
  return word.includes("'") ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : `'${word}'`
}
