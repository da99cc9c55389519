import { expect, test } from 'vitest'
import { firstWords } from './first-words.ts'

test.each([
  ['npm test -- --run', ['npm', 'test']],
  ['git status', ['git', 'status']],
  ['ls', ['ls']],
  ['  cd /a/b && CI=1 npm run build | tail', ['npm', 'run']],
  ['cd "my folder" ; make', ['make']],
  ['NAME="a b" node x.js', ['node', 'x.js']],
  ['cd /tmp', ['cd', '/tmp']],
  ['cat a.txt > b.txt', ['cat', 'a.txt']],
  ['', null],
  ['   \n', null]
])('%s', (command, words) => {
  expect(firstWords(command, 2)).toEqual(words)
})

test('a long command line is cut', () => {
  expect(firstWords('A=1 '.repeat(100_000), 2)).toBeNull()
  expect(firstWords('x'.repeat(100_000), 1)?.[0]).toHaveLength(4000)
})
