import { expect, test } from 'vitest'
import { isWithin } from './is-within.ts'

test.each([
  ['/work/app', '/work/app', true],
  ['/work/app/src', '/work/app', true],
  ['/work/app/src', '/work/app//', true],
  ['/work/apple', '/work/app', false],
  ['/work', '/work/app', false],
  ['/work', '/', true],
  ['/', '/', true],
  ['/work\\app', '/work', false],
  ['C:\\code\\app', 'C:\\code', true],
  ['C:\\code\\app', 'C:\\code\\', true],
  ['C:/code/app', 'C:/code', true],
  ['C:\\codes', 'C:\\code', false],
  ['C:\\code', 'C:\\', true]
])('%s within %s: %s', (path, folder, expected) => {
  expect(isWithin(path, folder)).toBe(expected)
})

test('letters are the same, large or small, only where they are asked to be', () => {
  expect(isWithin('c:\\Code\\App', 'C:\\code')).toBe(false)
  expect(isWithin('c:\\Code\\App', 'C:\\code', true)).toBe(true)
})
