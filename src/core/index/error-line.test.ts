import { expect, test } from 'vitest'
import { errorLine, lastLine } from './error-line.ts'

test.each([
  [
    'collected 62 items\n\ntests/test_a.py::test_b PASSED\ntests/test_a.py::test_c FAILED [ 3%]\n',
    'tests/test_a.py::test_c FAILED [ 3%]'
  ],
  ['Traceback (most recent call last):\n  File "a.py"\nTypeError: no', 'Traceback (most recent call last):'],
  ['ok 1 - a\nnot ok 2 - b\nok 3', 'not ok 2 - b'],
  ["src/a.ts(3,4): error TS2322: Type 'a'", "src/a.ts(3,4): error TS2322: Type 'a'"],
  ['   Compiling a\nerror[E0308]: mismatched types', 'error[E0308]: mismatched types'],
  ['npm ERR! code 1', 'npm ERR! code 1'],
  ['bash: foo: command not found', 'bash: foo: command not found'],
  ['one\nfatal: not a git repository', 'fatal: not a git repository'],
  ["thread 'main' panicked at src/main.rs:2", "thread 'main' panicked at src/main.rs:2"],
  ['java.lang.IllegalStateException: x', 'java.lang.IllegalStateException: x'],
  [' ✗ does it (3 ms)', '✗ does it (3 ms)'],
  ['This command requires approval', 'This command requires approval']
])('the first line of %j that says what went wrong', (text, line) => {
  const found = errorLine(text)
  expect(found?.text).toBe(line)
  expect(text.slice(found?.at).trimStart().startsWith(line)).toBe(true)
})

test.each([
  'all is well',
  'src/errors/index.ts:1: export',
  'src/error-page.tsx\nlib/error.ts',
  'Tests: 0 failed, 12 passed',
  'Found 0 warnings and 0 errors.',
  'no errors',
  'failures: 0',
  ''
])('no line of %j does', (text) => {
  expect(errorLine(text)).toBeNull()
})

test('a hostile text is looked at in time that grows with its length', () => {
  const word = 'Error.'.repeat(100_000)
  const began = performance.now()
  expect(errorLine(`${word}\n`.repeat(5))).toBeNull()
  errorLine('a_'.repeat(1_000_000))
  errorLine(' a'.repeat(1_000_000))
  errorLine('\n'.repeat(1_000_000))
  // Generous: what grows with the square of it takes hours.
  expect(performance.now() - began).toBeLessThan(20_000)
})

test('the last line that is not blank', () => {
  expect(lastLine('a\nb  \n\n \n')).toEqual({ at: 2, text: 'b' })
  expect(lastLine('a')).toEqual({ at: 0, text: 'a' })
  expect([lastLine(''), lastLine(' \n\n')]).toEqual([null, null])
})
