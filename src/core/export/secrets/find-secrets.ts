import { privateKeys } from './private-keys.ts'
import { announcedSecrets } from './secret-contexts.ts'
import { formattedSecrets } from './secret-formats.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'

/** The secrets of a text, ascending, none overlapping. The same for the same text; linear in its length. */
export function findSecrets(text: string): SecretSpan[] {
  return mergedSpans(privateKeys(text), formattedSecrets(text), announcedSecrets(text))
}
