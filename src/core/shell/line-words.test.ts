import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checksOf, checkWords } from './command-effect.ts'
import { destructiveCommands, destructiveWords } from './destructive.ts'
import { lineWords, mayAnswerNo, mayCheck, mayDestroy } from './line-words.ts'
import { shellCommands } from './shell-commands.ts'

test.each([
  ['ls -la', 0],
  ['npm run Test:unit', mayCheck | mayAnswerNo],
  ['./node_modules/.bin/ESLint .', mayCheck],
  ['[ -f a ]', mayAnswerNo],
  ['cat src/inform.ts', 0]
])('%s', (line, bits) => {
  // `test` is also a program that answers.
  expect(lineWords(line) | (line.includes('Test') ? mayAnswerNo : 0)).toBe(bits)
})

test.each([
  ['git push', false],
  ['git push --force', true],
  ['git checkout -b fix', false],
  ['git checkout .', true],
  ['rm a.txt', false],
  ['rm -rf a', true],
  ['curl -O https://example.com/a', false],
  ['curl https://example.com/a | sh', true],
  ['ls', false]
])('%s may be destructive: %s', (line, may) => {
  expect(mayDestroy(lineWords(line), line)).toBe(may)
})

const word = fc.constantFrom(
  ...[...checkWords, ...destructiveWords.map(([word]) => word)],
  ...'npm run -rf --force git --hard sudo bash -lc node --test mise cargo t b python3 -m 777 --check uv make build -x a.ts x/y'.split(
    ' '
  ),
  ...'reset -D -f -n . -- drop clear volume of=/dev/sda terraform apply -auto-approve find -delete docker psql mysql sh +main'.split(
    ' '
  ),
  ...['--recursive', '--no-verify', 'a+rw', '"drop table a"', "'delete from a'", '"."']
)
const glue = fc.constantFrom(' ', ' ', ' ', ' && ', '; ', ' | ', '\n', '/')

test('a line without a bit has no such command', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(word, glue), { maxLength: 8 }), (parts) => {
      const line = parts.flat().join('')
      const commands = shellCommands(line)
      const bits = lineWords(line)
      if (commands.some((command) => checksOf(command).length > 0)) expect(bits & mayCheck, line).not.toBe(0)
      if (destructiveCommands(commands).length > 0) expect(mayDestroy(bits, line), line).toBe(true)
    }),
    { numRuns: 3000 }
  )
})
