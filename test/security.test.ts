import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

/** The rows of "What is promised" in SECURITY.md: what is promised, and `file` "name of a test", … */
const [, section = ''] = read('SECURITY.md').split(/^## What is promised$/m)
const rows = (section.split(/^## /m)[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| *| *\|$/g, '').trim()))

test('each promise is made once, in sentences', () => {
  expect(rows.length).toBeGreaterThan(40)
  const promises = rows.map(([promise = '']) => promise)
  expect(promises.filter((promise, i) => !promise.endsWith('.') || promises.indexOf(promise) !== i)).toEqual([])
})

test.each(rows)('a test holds it: %s', (_promise, held = '') => {
  const tests = [...held.matchAll(/`([^`]+)` "([^"]+)"/g)].map(([all, file = '', name = '']) => ({ all, file, name }))
  expect(tests.map(({ all }) => all).join(', '), 'nothing else stands there').toBe(held)
  expect(tests.length).toBeGreaterThan(0)
  for (const { file, name } of tests) {
    expect(file).toMatch(/\.(?:test|spec)\.tsx?$/)
    expect(existsSync(join(root, file)), file).toBe(true)
    // Names of test and it, and of their forms for tables, stand in quotes; those of switched-off tests do not count.
    const source = read(file).replaceAll(/\\(['"`])/g, '$1')
    const quoted = ["'", '"', '`'].map((quote) => source.indexOf(`${quote}${name}${quote}`)).filter((at) => at >= 0)
    expect(quoted, `${file} has no test "${name}"`).toHaveLength(1)
    const before =
      source
        .slice(0, quoted[0])
        .split(/\b(?=(?:test|it)[.(])/)
        .at(-1) ?? ''
    expect(before, name).toMatch(/^(?:test|it)(?!\.(?:skip|todo|fails|only)\()/)
  }
})
