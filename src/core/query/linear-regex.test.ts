import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linearExpression } from './linear-regex.ts'

const letters = [
  'a',
  'b',
  'k',
  's',
  'S',
  'K',
  'ſ',
  '\u212a',
  'é',
  '😀',
  '0',
  '7',
  '_',
  '-',
  ' ',
  '\t',
  '\u00a0',
  '\u2028',
  '\r',
  '.',
  '\u0000'
]
const textOf = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((parts) => parts.join(''))
const atom = fc.oneof(
  fc.constantFrom('a', 'b', 's', 'K', 'é', '😀', '_', '-', ' '),
  fc.constantFrom(
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\t',
    '\\0',
    '\\.',
    '\\/',
    '\\x61',
    '\\u0062',
    '\\u{1f600}'
  ),
  fc.constantFrom('\\ud83d\\ude00', '\\p{L}', '\\P{L}', '\\p{Lu}', '\\cI', '^', '$', '\\b', '\\B', '[]', '[^]'),
  fc
    .tuple(
      fc.boolean(),
      fc.array(
        fc.constantFrom(
          'a-f',
          'k',
          'S',
          '\\s',
          '\\W',
          '\\S',
          '\\d',
          '\\-',
          '\\]',
          '\\b',
          '😀',
          '\\x30-\\x39',
          '^',
          '.',
          '\\p{N}'
        ),
        {
          minLength: 1,
          maxLength: 3
        }
      )
    )
    .map(([isOther, parts]) => `[${isOther ? '^' : ''}${parts.join('')}]`)
)
const source = fc.letrec<{ all: string; some: string }>((tie) => ({
  some: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc
      .tuple(tie('all'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{0,2}', '{1,}'))
      .map(([part, many]) => `(?:${part})${many}`),
    fc.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('all')).map(([open, part]) => `${open}${part})`),
    fc.tuple(tie('all'), tie('all')).map(([a, b]) => `(?:${a}|${b})`)
  ),
  all: fc.array(tie('some'), { maxLength: 3 }).map((parts) => parts.join(''))
})).all

test('an expression matches in linear time where it does in JavaScript', () => {
  let linear = 0
  fc.assert(
    fc.property(source, fc.boolean(), textOf, fc.nat(4), (expression, ignoreCase, text, from) => {
      let plain: RegExp
      try {
        plain = new RegExp(expression, ignoreCase ? 'giu' : 'gu')
      } catch {
        // Two groups of one name.
        return
      }
      const other = linearExpression(expression, ignoreCase)
      if (other === null) return
      linear++
      const start = [...text].slice(0, from).join('').length
      plain.lastIndex = start
      other.lastIndex = start
      const expected = plain.exec(text)?.index
      // V8 finds `\B` inside a character, which the language does not.
      if (/^[\udc00-\udfff]/.test(text.slice(expected ?? text.length))) return
      expect(other.exec(text)?.index).toBe(expected)
    }),
    { numRuns: 3000, examples: [['a\\B', false, 'aa😀', 0]] }
  )
  expect(linear).toBeGreaterThan(1000)
})

test.each(['(?=a)', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '\\p{Script=Greek}', '\\ud83d', 'a{2000}'])(
  '%s has no linear match',
  (given) => {
    expect(linearExpression(given, false)).toBeNull()
  }
)
