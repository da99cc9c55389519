import { expect, it } from 'vitest'
import { relativePath } from './tool-summary.ts'

it.each([
  ['/work/shop/src/a.ts', '/work/shop', 'src/a.ts'],
  ['/work/shop/src/a.ts', '/work/shop/', 'src/a.ts'],
  ['/work/shop', '/work/shop', '.'],
  ['/work/shopping/a.ts', '/work/shop', '/work/shopping/a.ts'],
  ['/etc/hosts', '/work/shop', '/etc/hosts'],
  ['src/a.ts', '/work/shop', 'src/a.ts'],
  ['/a.ts', '/', '/a.ts'],
  ['/work/shop/', '/work/shop', '/work/shop/'],
  [String.raw`C:\shop\src\a.ts`, String.raw`C:\shop`, String.raw`src\a.ts`],
  ['/work/shop/a.ts', null, '/work/shop/a.ts']
])('%s, relative to %s, is %s', (path, folder, expected) => {
  expect(relativePath(path, folder)).toBe(expected)
})
