import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PageFiles, securityHeaders } from './page-files.ts'

let folder = ''
let root = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead page ünï-'))
  root = join(folder, 'renderer')
  mkdirSync(join(root, 'assets'), { recursive: true })
  mkdirSync(join(folder, 'renderer-other'))
  writeFileSync(join(root, 'index.html'), '<!doctype html>')
  writeFileSync(join(root, 'assets', 'index-Ab_1.js'), 'export {}')
  writeFileSync(join(root, 'assets', 'inter latin.woff2'), 'font')
  writeFileSync(join(root, '.hidden.js'), 'secret')
  writeFileSync(join(root, 'notes.txt'), 'secret')
  writeFileSync(join(folder, 'secret.js'), 'secret')
  writeFileSync(join(folder, 'renderer-other', 'secret.js'), 'secret')
  symlinkSync(join(folder, 'secret.js'), join(root, 'linked.js'))
  symlinkSync(folder, join(root, 'up'))
  symlinkSync(join(root, 'assets', 'index-Ab_1.js'), join(root, 'inside.js'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['/', '<!doctype html>', 'text/html; charset=utf-8'],
  ['/index.html', '<!doctype html>', 'text/html; charset=utf-8'],
  ['/assets/index-Ab_1.js', 'export {}', 'text/javascript; charset=utf-8'],
  ['/assets/inter%20latin.woff2', 'font', 'font/woff2'],
  ['/inside.js', 'export {}', 'text/javascript; charset=utf-8']
])('%s is a file of the page', async (path, text, mimeType) => {
  const file = await new PageFiles(root).read(path)
  expect(file?.mimeType).toBe(mimeType)
  expect(new TextDecoder().decode(file?.bytes)).toBe(text)
})

test.each([
  '/../secret.js',
  '/assets/../../secret.js',
  '/%2e%2e/secret.js',
  '/..%2fsecret.js',
  '/%2e%2e%5csecret.js',
  '/..\\secret.js',
  '/../renderer-other/secret.js',
  '/linked.js',
  '/up/secret.js',
  '/.hidden.js',
  '/notes.txt',
  '/assets',
  '/assets/',
  '//index.html',
  '/missing.js',
  '/index.html%00.js',
  '/C:/secret.js',
  '/%zz.js',
  'index.html',
  ''
])('%s is not a file of the page', async (path) => {
  expect(await new PageFiles(root).read(path)).toBeNull()
})

test('a page that was not built has no files', async () => {
  expect(await new PageFiles(join(folder, 'nowhere')).read('/')).toBeNull()
})

test('the policy allows no inline code, no eval and no other origin', () => {
  expect(securityHeaders['content-security-policy']).toMatch(/^default-src 'none';/)
  expect(securityHeaders['content-security-policy']).not.toMatch(/unsafe|\*|http/)
})
