import { expect, test } from 'vitest'
import { Redactor } from '#core/export/redact.ts'
import { corpusBytes, corpusFiles, corpusIsHere } from './corpus.ts'

/**
 * All that is taken for a secret in 90 MB of real logs, each looked at: passwords that test scripts set, tokens that tests make up, and
 * one that a command gets as a variable. Hashes, ids, signatures, encrypted reasoning and images in base64 are left alone.
 */
const reviewed = { 'access token': 9, password: 11 }

test.skipIf(!corpusIsHere)('of real logs, what was reviewed is redacted and nothing else', () => {
  const redactor = new Redactor()
  for (const path of corpusFiles().filter((file) => !file.endsWith('.md'))) {
    for (const line of new TextDecoder().decode(corpusBytes(path)).split('\n')) redactor.line(line)
  }
  expect(Object.fromEntries(redactor.counts)).toEqual(reviewed)
})
