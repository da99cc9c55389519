import { describe, expect, it, test } from 'vitest'
import { isInFolder, isSameFile, lastName, pathFromHome, relativePath } from './path-names.ts'

it.each([
  ['/work/shop/src/a.ts', '/work/shop', 'src/a.ts'],
  ['/work/shop/src/a.ts', '/work/shop/', 'src/a.ts'],
  ['/work/shop', '/work/shop', '.'],
  ['/work/shopping/a.ts', '/work/shop', '/work/shopping/a.ts'],
  ['/etc/hosts', '/work/shop', '/etc/hosts'],
  ['src/a.ts', '/work/shop', 'src/a.ts'],
  ['/a.ts', '/', 'a.ts'],
  ['/work/shop/', '/work/shop', '.'],
  [String.raw`C:\shop\src\a.ts`, String.raw`C:\shop`, 'src/a.ts'],
  ['/work/shop/a.ts', null, '/work/shop/a.ts']
])('%s, relative to %s, is %s', (path, folder, expected) => {
  expect(relativePath(path, folder)).toBe(expected)
})

describe('one file', () => {
  test.each([
    ['/w/src/a.ts', '/w/src/a.ts', true],
    ['/w/src/a.ts', 'src/a.ts', true],
    ['a.ts', '/w/src/a.ts', true],
    ['./src//a.ts', 'src/a.ts', true],
    ['C:\\w\\a.ts', 'w/a.ts', true],
    ['file:///w/a.ts', '/w/a.ts', true],
    ['/w/src/a.ts', '/v/src/a.ts', false],
    ['/w/xa.ts', 'a.ts', false],
    ['lib/src/a.ts', 'src/a.ts', false],
    ['a.ts', '', false]
  ])('%s and %s: %s', (a, b, same) => {
    expect(isSameFile(a, b)).toBe(same)
    expect(isSameFile(b, a)).toBe(same)
  })

  test('is called by the last part of its path', () => {
    expect([lastName('/w/src/a.ts'), lastName('C:\\w\\b.ts'), lastName('c')]).toEqual(['a.ts', 'b.ts', 'c'])
  })
})

test.each([
  ['/work/app', '/work/app', true],
  ['/work/app/src', '/work/app', true],
  ['/work/app/src', '/work/app//', true],
  ['/work/apple', '/work/app', false],
  ['/work', '/work/app', false],
  ['/work', '/', true],
  ['/', '/', true],
  ['/work\\app', '/work', false],
  ['/Work/app', '/work', false],
  ['work/app', '/work', false],
  ['C:\\code\\app', 'C:\\code', true],
  ['c:/Code/app', 'C:\\code\\', true],
  ['C:\\codes', 'C:\\code', false],
  ['C:\\code', 'C:\\', true]
])('%s within %s: %s', (path, folder, expected) => {
  expect(isInFolder(path, folder)).toBe(expected)
})

it('shortens the home folder, on any platform', () => {
  expect(['/home/me/x', '/Users/me', String.raw`C:\Users\me\x`, '/home/me', '/homework/x'].map(pathFromHome)).toEqual([
    '~/x',
    '~',
    String.raw`~\x`,
    '~',
    '/homework/x'
  ])
})
