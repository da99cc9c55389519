/** A word that needs no quotes. */
const plainWord = /^[^\s'"\\]+$/

/** Splits arguments like a shell, but expands nothing. A sentence if a quote is not closed. */
export function argumentWords(text: string): string[] | string {
  const words: string[] = []
  /** Null: between words. */
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const next = text.charAt(at + 1)
    // A backslash before any other character is kept.
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

/** A text that `argumentWords` splits into these words. */
export function textOfWords(words: readonly string[]): string {
  return words.map(textOfWord).join(' ')
}

function textOfWord(word: string): string {
  if (plainWord.test(word)) return word
  return word.includes("'") ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : `'${word}'`
}
