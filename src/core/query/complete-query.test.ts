import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedAt } from './complete-query.ts'

/** The caret stands at `|`. */
function at(marked: string): readonly [key: string | null, typed: string, inList?: true] {
  const { key, typed, inList } = typedAt(marked.replace('|', ''), marked.indexOf('|'), 'rows')
  return inList ? [key?.name ?? null, typed, true] : [key?.name ?? null, typed]
}

test('a key, a text or nothing', () => {
  expect(at('|')).toEqual([null, ''])
  expect(at('st|')).toEqual([null, 'st'])
  expect(at('tool:Bash st|')).toEqual([null, 'st'])
  expect(at('tool:Bash -st|')).toEqual([null, 'st'])
  expect(at('tool:Bash |')).toEqual([null, ''])
  expect(at('tool:Bash OR |')).toEqual([null, ''])
  expect(at('(tool:Bash |')).toEqual([null, ''])
  expect(at('tool:(Bash) |')).toEqual([null, ''])
  expect(at('tool:Bash /(/|')).toEqual([null, '/(/'])
  expect(at('tool:Bash /x/|')).toEqual([null, '/x/'])
  expect(at('tool:/x/|')).toEqual(['tool', '/x/'])
})

test('a value of a key', () => {
  expect(at('status:|')).toEqual(['status', ''])
  expect(at('-status:er|')).toEqual(['status', 'er'])
  expect(at('tool:Ba| status:error')).toEqual(['tool', 'Ba'])
  expect(at('dur:>|')).toEqual(['dur', ''])
  expect(at('dur:>10|')).toEqual(['dur', '10'])
  expect(at('tool:(|')).toEqual(['tool', '', true])
  expect(at('tool:(Bash OR |')).toEqual(['tool', '', true])
  expect(at('x (tool:(Bash OR Re|')).toEqual(['tool', 'Re', true])
})

test('the part ends at the caret, for any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(20), (text, caret) => {
      const place = Math.min(caret, text.length)
      const { from, to, typed } = typedAt(text, place, 'rows')
      expect([to, text.slice(from, to)]).toEqual([place, typed])
    })
  )
})
