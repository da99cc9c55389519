import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requiredText } from './required-text.ts'

describe('the text that a regular expression requires', () => {
  test.each([
    ['file-1\\d+\\.ts', 'file-1'],
    ['"name":"(?:Bash|Read)"', '"name":"'],
    ['ab+c', null],
    ['abc+defg', 'defg'],
    ['abc*def{0}ghi', 'ghi'],
    ['src/ma\\.in', 'src/ma.in'],
    ['\\bword\\b', 'word'],
    ['\\u0061bcd', 'bcd'],
    ['[abc]{3}xyz', 'xyz'],
    ['(abc)?(?<!def)', null],
    ['größer', 'größer'],
    ['abc|def', null],
    ['(?<name>abc)\\k<name>', null]
  ])('%s', (expression, text) => {
    expect(requiredText(expression, true)).toBe(text)
  })

  test('without case is one whose letters are always one byte', () => {
    expect(requiredText('größerer Task', false)).toBe('erer Ta')
  })

  test('stands in everything that the expression matches', () => {
    const character = fc.constantFrom('a', 'b', 'B', 'k', 'K', '\u212a', 'é')
    const atom: fc.Arbitrary<string> = fc.letrec<{ atom: string; sequence: string }>((tie) => ({
      atom: fc.oneof(
        { depthSize: 'small' },
        character,
        fc.constantFrom('\\.', '[ab]', '[^a]', '.', '\\b', '\\w', '\\x61', '^', '(?=a)'),
        tie('sequence').map((inner) => `(${inner})`),
        fc.tuple(tie('sequence'), tie('sequence')).map(([one, other]) => `(?:${one}|${other})`)
      ),
      sequence: fc
        .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '+?')), {
          minLength: 1,
          maxLength: 5
        })
        .map((parts) =>
          parts
            .map(([one, count]) => (one === '^' || one.startsWith('(?=') || one === '\\b' ? one : one + count))
            .join('')
        )
    })).sequence
    const text = fc.string({ unit: fc.oneof(character, fc.constant('.')), maxLength: 14 })
    fc.assert(
      fc.property(atom, text, fc.boolean(), (expression, written, caseSensitive) => {
        const flags = caseSensitive ? 'u' : 'iu'
        const required = requiredText(expression, caseSensitive)
        if (required === null || !new RegExp(expression, flags).test(written)) return
        const fold = (one: string): string =>
          caseSensitive ? one : one.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
        expect(fold(written)).toContain(fold(required))
      }),
      { numRuns: 3000 }
    )
  })
})
