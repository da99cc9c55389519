import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesName, type NamePattern, pathGlob } from './path-glob.ts'

function patternOf(text: string): NamePattern {
  const [segment] = pathGlob(text, false)?.segments ?? []
  if (segment?.kind !== 'names') throw new Error(`${text} is no pattern of names`)
  return segment
}

const matches = (pattern: string, name: string) => matchesName(patternOf(pattern), name)

describe('a pattern of names', () => {
  test.each<[string, string, boolean]>([
    ['*.jsonl', 'a.jsonl', true],
    ['*.jsonl', 'a.json', false],
    ['*', '.hidden', false],
    ['.*', '.hidden', true],
    ['?.x', 'é.x', true],
    ['?.x', '😀.x', true],
    ['?.x', 'ab.x', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[a-]x', '-x', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-b-b', false],
    ['a\\*?', 'a*b', true],
    ['a\\*?', 'axb', false],
    ['**x', 'yx', true]
  ])('%s and %s: %s', (pattern, name, expected) => expect(matches(pattern, name)).toBe(expected))

  test('has the names that a regular expression has', () => {
    const letter = fc.constantFrom('a', 'b', '*', '?')
    fc.assert(
      fc.property(fc.array(letter), fc.string({ unit: fc.constantFrom('a', 'b', 'c') }), (letters, name) => {
        const text = `${letters.join('')}*`
        if (text === '**') return
        const expression = new RegExp(`^${text.replaceAll('*', '.*').replaceAll('?', '.')}$`)
        expect(matches(text, name)).toBe(expression.test(name))
      })
    )
  })

  test('takes no longer for being mean', () => {
    expect(matches(`${'*a'.repeat(100)}?`, 'a'.repeat(255))).toBe(true)
    expect(matches(`${'*a'.repeat(100)}b`, 'a'.repeat(255))).toBe(false)
  })

  test('upper and lower case are the same where they are on the system', () => {
    expect(matchesName(patternOf('A*.JSONL'), 'ab.jsonl', true)).toBe(true)
    expect(matchesName(patternOf('[a-c]*'), 'Bx', true)).toBe(true)
    expect(matchesName(patternOf('A*'), 'ab')).toBe(false)
  })
})

describe('a pattern of paths', () => {
  test.each(['', 'a', '/a/b.jsonl', 'a[b', 'a\\*b', 'a]'])('%j is none', (text) =>
    expect(pathGlob(text, false)).toBeNull()
  )

  test('begins with the folders before its first wildcard', () => {
    expect(pathGlob('/logs/a b/*.jsonl', false)).toMatchObject({ folder: '/logs/a b/', segments: [{ kind: 'names' }] })
    expect(pathGlob('*/x', false)).toMatchObject({
      folder: '',
      segments: [{ kind: 'names' }, { kind: 'name', name: 'x' }]
    })
    expect(pathGlob('/**//x', false)).toEqual({
      folder: '/',
      segments: [{ kind: 'folders' }, { kind: 'name', name: 'x' }]
    })
  })

  test('on Windows a backslash separates, and \\\\?\\ is no wildcard', () => {
    expect(pathGlob('C:\\logs\\*.jsonl', true)).toMatchObject({ folder: 'C:\\logs\\' })
    expect(pathGlob('C:/logs/*.jsonl', true)).toMatchObject({ folder: 'C:\\logs\\' })
    expect(pathGlob('\\\\?\\C:\\logs\\a.jsonl', true)).toBeNull()
    expect(pathGlob('\\\\?\\C:\\logs\\?.jsonl', true)).toMatchObject({ folder: '\\\\?\\C:\\logs\\' })
  })
})
