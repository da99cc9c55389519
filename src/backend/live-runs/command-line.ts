import { Redactor } from '#core/export/redact.ts'

/** Redacts secrets in the words of a command line, one word for each. A word may mark the next one as a secret. */
export function withoutSecrets(words: readonly string[]): string[] {
  const pieces = words.flatMap((word) => [word, ' '])
  return new Redactor().pieces(pieces).filter((_, i) => i % 2 === 0)
}

/** Whether a secret was redacted from the word, so that it cannot be used again. */
export function lacksSecret(word: string): boolean {
  return word.includes('[redacted: ')
}
