import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const renderer = new URL('../', import.meta.url)
const textOf = (ending: RegExp) =>
  readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => readFileSync(new URL(path, renderer), 'utf8'))
    .join('\n')

test('every custom property that is read without a fallback is set somewhere', () => {
  const css = textOf(/\.css$/)
  const code = textOf(/\.tsx?$/)
  const set = new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
  const read = new Set([...css.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
  expect(read.size).toBeGreaterThan(50)
  // Sizes that a person has set have names made of their panels'.
  const isSize = (name: string) => name.startsWith('--set-')
  expect([...read].filter((name = '') => !set.has(name) && !isSize(name) && !code.includes(`'${name}'`))).toEqual([])
})
