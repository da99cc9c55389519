import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { printQuery } from './print-query.ts'
import type { Query } from './query.ts'
import { choicesOf, fileTerm, termOf, toggleChoice, withTerm } from './query-choices.ts'

const of = (text: string) => parseQuery(text, 'rows').query
const toggled = (text: string, ...change: [key: string, name: string, how?: 'asked' | 'without']) =>
  printQuery(toggleChoice(of(text), ...change))

test('names at the top level are choices', () => {
  const query = of('tool:(Bash OR Read) -tool:Edit (tool:Write OR kind:prompt) tool:/^a b$/ tool:/x/')
  expect(choicesOf(query, 'tool')).toEqual({ asked: new Set(['Bash', 'Read', 'a b']), without: new Set(['Edit']) })
  expect(choicesOf(null, 'tool')).toEqual({ asked: new Set(), without: new Set() })
})

test('a choice joins the term of its key, and leaves it', () => {
  expect(toggled('', 'kind', 'tool')).toBe('kind:tool')
  expect(toggled('kind:tool "x"', 'kind', 'prompt')).toBe('kind:(tool OR prompt) "x"')
  expect(toggled('kind:(tool OR prompt) "x"', 'kind', 'tool')).toBe('kind:prompt "x"')
  expect(toggled('kind:tool', 'kind', 'tool')).toBe('')
  expect(toggled('status:error OR gap:>5m', 'tool', 'Bash')).toBe('(status:error OR gap:>5m) tool:Bash')
})

test('what is asked for is not left out, and the other way round', () => {
  expect(toggled('tool:Bash', 'tool', 'Bash', 'without')).toBe('-tool:Bash')
  expect(toggled('-tool:(Bash OR Read)', 'tool', 'Bash')).toBe('-tool:Read tool:Bash')
  expect(toggled('-tool:Bash', 'tool', 'Read', 'without')).toBe('-tool:(Bash OR Read)')
  expect(toggled('-tool:Bash', 'tool', 'Bash', 'without')).toBe('')
})

test('any name is a choice that comes back, and its term reads back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.boolean(), (name, isNot) => {
      const how = isNot ? 'without' : 'asked'
      const query = toggleChoice(of('seq:>3'), 'tool', name, how)
      expect([...choicesOf(query, 'tool')[how]]).toEqual([name])
      expect(parseQuery(printQuery(query), 'rows')).toMatchObject({ query, error: null })
      expect(printQuery(toggleChoice(query, 'tool', name, how))).toBe('seq:>3')
      expect(parseQuery(printQuery(termOf('tool', [name])), 'rows').query).toEqual(termOf('tool', [name]))
    }),
    { examples: [['/ ', false]] }
  )
})

test('a term is asked for beside the others, once, and in place of its opposite', () => {
  const term = parseQuery('tool:Bash', 'rows').query as Query
  const shown = (text: string, how: 'asked' | 'without') =>
    printQuery(withTerm(parseQuery(text, 'rows').query, term, how))
  expect(shown('', 'asked')).toBe('tool:Bash')
  expect(shown('status:error', 'asked')).toBe('status:error tool:Bash')
  expect(shown('tool:Bash status:error', 'asked')).toBe('status:error tool:Bash')
  expect(shown('tool:Bash status:error', 'without')).toBe('status:error -tool:Bash')
  expect(shown('a OR b', 'without')).toBe('(a OR b) -tool:Bash')
})

test('the term of a file is read back as it is written', () => {
  for (const path of ['src/a.ts', 'a file.ts', 'C:\\src\\a.ts', 'a "b".ts', '(a).ts', '/a/b/']) {
    expect(parseQuery(fileTerm(path), 'rows').error, path).toBeNull()
  }
  expect(fileTerm('src\\a.ts')).toBe('file:src\\a.ts')
  expect(fileTerm('C:\\w\\a.ts')).toBe('file:C:/w/a.ts')
  expect(fileTerm('a file.ts')).toBe('file:"a file.ts"')
})
