import { describe, expect, test } from 'vitest'
import { Redactor } from '../redact.ts'

const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'
const secrets: Readonly<Record<string, string>> = {
  'of a fixed length': `ghp_${letters}`,
  'of any length': `sk-ant-api03-${letters}${letters}`,
  'that ends a word': 'AKIAJ7XQ2MZ5LK3PT6WD',
  'with its sign inside': `${letters.slice(0, 14)}.atlasv1.${letters}${letters.slice(0, 28)}`
}
const before = ['All done', 'Done.', 'See', 'part 1', 'a-b', 'src/', 'It is (', '"', 'snake_', 'Ende …']
const after = ['Next I do it.', 'and then', '42 files', 'It', '', '. Yes']

/** What is left of texts that follow each other. */
function left(texts: readonly string[]): string[] {
  return new Redactor().across(texts).map((text) => new Redactor().text(text))
}
const isMark = (text: string): boolean => /^\[redacted: [^\]]+\]$/.test(text)

describe.each(Object.entries(secrets))('a secret %s, split over texts', (_, secret) => {
  test.each(before)('after %j: is gone at every cut, and no other text with it', (text) => {
    for (const next of after) {
      for (let cut = 1; cut < secret.length; cut++) {
        const [first, one = '', two = '', last] = left([text, secret.slice(0, cut), secret.slice(cut), next])
        expect([first, last]).toEqual([text, next])
        // Of what may have any length, an end that might be a word stays.
        expect(isMark(one) && (two === '' || (two.length < 6 && secret.endsWith(two)))).toBe(true)
      }
    }
  })

  test('is gone from three texts between others', () => {
    for (let cut = 4; cut < secret.length - 8; cut += 3) {
      const texts = ['All done', secret.slice(0, cut), secret.slice(cut, cut + 4), secret.slice(cut + 4), 'Next']
      const [first, one = '', two, three = '', last] = left(texts)
      expect([first, isMark(one), two, last]).toEqual(['All done', true, '', 'Next'])
      expect(three.length).toBeLessThan(6)
    }
  })
})

test('a name and its value in two texts are found after a word', () => {
  expect(left(['All done', 'API_KEY=aB3dE6gH9j', 'K2mN5pQ8sT1v is set.'])).toEqual([
    'All done',
    'API_KEY=[redacted: API key]',
    ' is set.'
  ])
})

test('blocks of one line of a log are as the texts of several', () => {
  const secret = secrets['of a fixed length'] ?? ''
  for (let cut = 1; cut < secret.length; cut++) {
    const texts = ['All done', secret.slice(0, cut), secret.slice(cut), 'Next I do it.']
    const line = JSON.stringify({ content: texts.map((text) => ({ type: 'text', text })) })
    const { content } = JSON.parse(new Redactor().line(line)) as { content: { text: string }[] }
    // Each part has a mark.
    const mark = '[redacted: GitHub token]'
    expect(content.map(({ text }) => text)).toEqual(['All done', mark, mark, 'Next I do it.'])
  }
})

test('words that only together look like the start of a secret stay', () => {
  const texts = ['a ta', 'sk-list-of-things-to-do-2026 ', 'is done', 'ghp_', 'Next', 'key', 'word', 'A', 'KIA']
  expect(left(texts)).toEqual(texts)
})

test('many short texts take a time that grows with their number only', () => {
  for (const unit of ['a', 'gh', 'p_', 'key', 'ghp_aB3dE6gH9j', 'token=', 'eyJ']) {
    const texts = Array.from({ length: 20_000 }, () => unit)
    new Redactor().across(texts)
  }
})
