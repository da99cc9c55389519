import { describe, expect, it } from 'vitest'
import { patternOf } from './find-pattern.ts'
import { splitAtHits } from './marked-text.tsx'

function split(text: string, find: string, { regex = false, caseSensitive = false } = {}): string[] | null {
  const pattern = patternOf({ text: find, regex, caseSensitive })
  return pattern === null ? null : splitAtHits(text, pattern)
}

describe('splitAtHits', () => {
  it.each([
    ['countWords in src', 'words', false, ['count', 'Words', ' in src']],
    ['countWords in src', 'words', true, ['countWords in src']],
    ['aaa', 'a', true, ['', 'a', '', 'a', '', 'a', '']],
    ['none', 'x', false, ['none']],
    ['a.b (c) [d] {2} ^$|\\', '.b (c) [d] {2} ^$|\\', true, ['a', '.b (c) [d] {2} ^$|\\', '']],
    ['İstanbul', 'bul', false, ['İstan', 'bul', '']]
  ])('%j at %j', (text, find, caseSensitive, parts) => {
    expect(split(text, find, { caseSensitive })).toEqual(parts)
    expect(parts.join('')).toBe(text)
  })
})

describe('a regular expression', () => {
  it.each([
    ['exit code 12, exit code 3', String.raw`code \d+`, ['exit ', 'code 12', ', exit ', 'code 3', '']],
    ['see https://a.b/c now', String.raw`https?://\S+`, ['see ', 'https://a.b/c', ' now']],
    ['a+b', '[+*]', ['a', '+', 'b']],
    ['abc', 'x*', ['abc']]
  ])('%j at %j', (text, find, parts) => {
    expect(split(text, find, { regex: true })).toEqual(parts)
  })

  it.each(['(a+)+$', '(a|a)*b', 'a?a?a?a', 'a*a*a*b', String.raw`(a)\1`, '('])('%j is not tried on rows', (find) => {
    expect(split('aaaa', find, { regex: true })).toBeNull()
  })
})
