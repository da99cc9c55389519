import { describe, expect, it } from 'vitest'
import { splitAtHits } from './marked-text.tsx'

describe('splitAtHits', () => {
  it.each([
    ['countWords in src', 'words', false, ['count', 'Words', ' in src']],
    ['countWords in src', 'words', true, ['countWords in src']],
    ['aaa', 'a', true, ['', 'a', '', 'a', '', 'a', '']],
    ['none', 'x', false, ['none']],
    ['İstanbul', 'bul', false, ['İstanbul']]
  ])('%j at %j', (text, find, caseSensitive, parts) => {
    expect(splitAtHits(text, find, caseSensitive)).toEqual(parts)
    expect(splitAtHits(text, find, caseSensitive).join('')).toBe(text)
  })
})
