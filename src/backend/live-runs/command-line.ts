import { Redactor } from '#core/export/redact.ts'

/** Words of a command line without the secrets in them, as many words as before. A word may announce that the next one is a secret. */
export function withoutSecrets(words: readonly string[]): string[] {
  const pieces = words.flatMap((word) => [word, ' '])
  return new Redactor().pieces(pieces).filter((_, i) => i % 2 === 0)
}

/** Whether a word was kept without the secret that stood in it: it cannot be used again. */
export function lacksSecret(word: string): boolean {
  return word.includes('[redacted: ')
}
