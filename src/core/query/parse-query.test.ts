import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { isBareWord, isWord, printQuery } from './print-query.ts'
import { maxQueryDepth, maxQueryLength, type Query, type QueryTest, type QueryValue } from './query.ts'
import { queryKeys } from './query-keys.ts'

const tree = (text: string): Query | null => {
  const { query, error } = parseQuery(text, 'rows')
  expect(error).toBeNull()
  return query
}
const word = (text: string): QueryValue => ({ type: 'word', text })
const text = (value: string): Query => ({ op: 'text', value: word(value) })
const term = (key: string, ...values: readonly string[]): Query => ({
  op: 'term',
  key,
  test: { type: 'any', values: values.map(word) }
})

describe('a query', () => {
  test.each([
    ['state:failed', 'state:error'],
    ['is:failed', 'is:error'],
    ['agent:(Claude OR codex)', 'agent:(claude-code OR openai-codex)'],
    ['agent:claude*', 'agent:claude*'],
    ['agent:"claude"', 'agent:"claude"'],
    ['agent:somebody', 'agent:somebody']
  ])('holds the word that everything has for a value: %s as %s', (text, printed) => {
    const { query } = parseQuery(text, 'sessions')
    expect(query && printQuery(query)).toBe(printed)
  })

  test('joins terms by and, which binds more tightly than OR', () => {
    expect(tree('tool:Bash status:error OR kind:error')).toEqual({
      op: 'or',
      of: [{ op: 'and', of: [term('tool', 'Bash'), term('status', 'error')] }, term('kind', 'error')]
    })
    expect(tree('a AND (b OR c)')).toEqual({ op: 'and', of: [text('a'), { op: 'or', of: [text('b'), text('c')] }] })
  })

  test('negates a term, a quote and a bracket with a minus; all else is text', () => {
    expect(tree('-file:test/*')).toEqual({ op: 'not', of: term('file', 'test/*') })
    expect(tree('-(a b)')).toEqual({ op: 'not', of: { op: 'and', of: [text('a'), text('b')] } })
    expect(tree('-"a b"')).toEqual({ op: 'not', of: { op: 'text', value: { type: 'quoted', text: 'a b' } } })
    expect(tree('-rf --no-verify')).toEqual({ op: 'and', of: [text('-rf'), text('--no-verify')] })
    expect(tree('NOT NOT a')).toEqual({ op: 'not', of: { op: 'not', of: text('a') } })
  })

  test.each(['src/a.ts:12', 'C:\\x', 'http://example.org', 'foo:bar', 'ORDER', 'NOTE', '/usr/bin/env', '//', 'a"b'])(
    '%j is one word',
    (value) => {
      expect(tree(value)).toEqual(text(value))
    }
  )

  test('has values of several forms', () => {
    expect(tree('tool:(Bash OR shell)')).toEqual(term('tool', 'Bash', 'shell'))
    expect(tree('dur:>10s')).toEqual({ op: 'term', key: 'dur', test: { type: 'compare', by: '>', to: '10s' } })
    expect(tree('at:14:05..14:10')).toEqual({
      op: 'term',
      key: 'at',
      test: { type: 'range', from: '14:05', to: '14:10' }
    })
    expect(tree('file:../src/a.ts')).toEqual(term('file', '../src/a.ts'))
    expect(tree('/a b\\/c/i')).toEqual({ op: 'text', value: { type: 'regex', source: 'a b/c', ignoreCase: true } })
    expect(tree('todo:"write tests"=done')).toEqual({
      op: 'term',
      key: 'todo',
      test: { type: 'todo', text: { type: 'quoted', text: 'write tests' }, status: 'done' }
    })
    expect(tree('todo:=in_progress')).toEqual({
      op: 'term',
      key: 'todo',
      test: { type: 'todo', text: null, status: 'in_progress' }
    })
    expect(tree('input.file_path:*.ts')).toEqual(term('input.file_path', '*.ts'))
  })

  test('an empty text asks for all rows', () => {
    expect(parseQuery(' \n', 'rows')).toEqual({ query: null, error: null, tokens: [] })
  })

  test.each([
    ['tool:', 'tool: needs a value, as in tool:Bash', 0, 5],
    ['a OR', 'OR needs a term behind it.', 2, 4],
    ['OR a', 'OR needs a term before it.', 0, 2],
    ['a )', 'This bracket closes nothing.', 2, 3],
    ['(a', 'This bracket is not closed.', 0, 1],
    ['()', 'There is nothing in these brackets.', 0, 1],
    ['a "b', 'This quote is not closed.', 2, 4],
    ['dur:>soon', 'dur: "soon" is no number. Write it as 10s.', 5, 9],
    ['at:25:00', 'at: "25:00" is no time. Write it as 14:05, 2026-11-22 or 2026-11-22T14:05.', 3, 8],
    ['at:2026-02-30', 'at: "2026-02-30" is no time. Write it as 14:05, 2026-11-22 or 2026-11-22T14:05.', 3, 13],
    ['status:bad', 'status: is one of ok, error, running, unknown.', 7, 10],
    ['todo:"x"=soon', 'todo: a status is one of done, pending, in_progress, completed, cancelled, dropped.', 8, 13],
    ['/(/', 'Invalid regular expression: Unterminated group.', 0, 3]
  ])('%j has its error at its place', (source, message, from, to) => {
    expect(parseQuery(source, 'rows')).toMatchObject({ query: null, error: { message, from, to } })
  })

  test.each([
    ['tool:x', 'tool: is a key for events. Open a session to use it. Put it in quotes to find it as a text.', 0, 5],
    [
      'a -input.x:y',
      'input.x: is a key for events. Open a session to use it. Put it in quotes to find it as a text.',
      3,
      11
    ],
    ['since:soon', 'since: "soon" is no time. Write it as 7d, today, 2026-11-22 or 2026-11-22T14:05.', 6, 10],
    [
      'project:x OR "a"',
      'A search of all sessions takes no text beside OR. Write an expression, as in /one|other/i.',
      13,
      16
    ],
    ['x (a OR b)', 'A search of all sessions takes no text beside OR. Write an expression, as in /one|other/i.', 3, 4],
    ['x -(a b)', 'A search of all sessions leaves out texts one by one, as in -"one" -"other".', 4, 5],
    ['project:x -"a"', 'A search of all sessions needs a text to find beside those it leaves out.', 11, 14]
  ])('of sessions, %j has its error at its place', (source, message, from, to) => {
    expect(parseQuery(source, 'sessions')).toMatchObject({ query: null, error: { message, from, to } })
  })

  test('takes a text beside terms of sessions, and brackets and OR of terms', () => {
    for (const source of [
      'a -"b" project:x',
      '(a "b c") NOT d',
      '(state:live OR -agent:codex) /x/',
      'is:failed',
      'in:>1'
    ])
      expect(parseQuery(source, 'sessions').error, source).toBeNull()
    expect(parseQuery('project:x', 'rows').error?.message).toContain('project: is a key for sessions.')
  })

  test('names the parts of its text', () => {
    const source = '-tool:(Bash OR shell) "x y" dur:>10s /z/'
    const parts = parseQuery(source, 'rows').tokens.map(({ kind, from, to }) => `${kind} ${source.slice(from, to)}`)
    expect(parts).toEqual([
      'operator -',
      'key tool:',
      'bracket (',
      'value Bash',
      'operator OR',
      'value shell',
      'bracket )',
      'text "x y"',
      'key dur:',
      'operator >',
      'value 10s',
      'regex /z/'
    ])
  })

  test('brackets and negations are bounded', () => {
    expect(tree('('.repeat(maxQueryDepth) + 'a' + ')'.repeat(maxQueryDepth))).toEqual(text('a'))
    for (const deep of ['('.repeat(5000), 'NOT '.repeat(2000) + 'a', '-('.repeat(4000)]) {
      expect(parseQuery(deep, 'rows').error?.message).toBe('Brackets and NOT can be nested 100 deep.')
    }
  })
})

const someText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.stringMatching(/^[\w:/*."'\\()-]{1,12}$/),
  fc.constantFrom('OR', '-rf', 'tool:x', '/tmp', 'a b', '"')
)
const quotedValue = someText.map((value): QueryValue => ({ type: 'quoted', text: value }))
const regexValue = fc.record({
  type: fc.constant('regex' as const),
  source: fc.constantFrom('a', 'a b', 'a/b', '\\d+', '[/"]', '(x|y)', 'a\\\\', '\\.ts$'),
  ignoreCase: fc.boolean()
})
const wordValue = (may: (value: string) => boolean) => someText.filter(may).map(word)
const keysOf = (...types: readonly string[]) =>
  fc.constantFrom(...queryKeys.rows.filter(({ type }) => types.includes(type)).map(({ name }) => name))
const ofKey = (key: fc.Arbitrary<string>, test: fc.Arbitrary<QueryTest>): fc.Arbitrary<Query> =>
  fc.record({ op: fc.constant('term' as const), key, test })

const duration = fc.constantFrom('10s', '300ms', '1h30m', '7')
const anyTerm = fc.oneof(
  fc.oneof(wordValue(isBareWord), quotedValue, regexValue).map((value): Query => ({ op: 'text', value })),
  ofKey(
    keysOf('name', 'text'),
    fc.record({
      type: fc.constant('any' as const),
      values: fc.array(fc.oneof(wordValue(isWord), quotedValue, regexValue), { minLength: 1, maxLength: 3 })
    })
  ),
  ofKey(
    keysOf('duration'),
    fc.oneof(
      fc.record({
        type: fc.constant('compare' as const),
        by: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const, '=' as const),
        to: duration
      }),
      fc.record({ type: fc.constant('range' as const), from: duration, to: duration }),
      duration.map((value): QueryTest => ({ type: 'any', values: [word(value)] }))
    )
  ),
  ofKey(
    keysOf('todo'),
    fc.oneof(
      fc.record({
        type: fc.constant('todo' as const),
        text: fc.option(quotedValue),
        status: fc.constantFrom('done', 'dropped', 'pending')
      }),
      fc.record({
        type: fc.constant('todo' as const),
        text: fc.oneof(
          wordValue((value) => isWord(value) && !value.startsWith('=')),
          quotedValue,
          regexValue
        ),
        status: fc.constant(null)
      })
    )
  )
)
const trees = fc.letrec<{ tree: Query }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    anyTerm,
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('tree'), { minLength: 2, maxLength: 4 })
    }),
    fc.record({ op: fc.constant('not' as const), of: tie('tree') })
  )
})).tree

test('what is printed parses to the same tree', () => {
  fc.assert(
    fc.property(trees, (query) => {
      const printedText = printQuery(query)
      expect(parseQuery(printedText, 'rows')).toMatchObject({ error: null })
      expect(parseQuery(printedText, 'rows').query).toEqual(query)
    }),
    { numRuns: 10_000 }
  )
})

test('a text of 1 MB is refused before any of it is read', () => {
  for (const part of ['a', '(', '"', '/', '-', 'tool:', 'OR ', 'NOT ', '\\', 'todo:"x"=', '\u{1f600}']) {
    const { error, tokens } = parseQuery(part.repeat(Math.ceil((1 << 20) / part.length)), 'rows')
    expect(error).toMatchObject({ message: 'A query has at most 10,000 characters.', from: maxQueryLength })
    expect(tokens).toEqual([])
  }
})

test('any text is a tree or has an error at a place in it', () => {
  const garbage = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom('(', ')', '"', '/', '-', 'OR', 'NOT', ' ', 'tool:', 'dur:', '>', '..', 'todo:', '=', 'a', '\\')
      )
      .map((parts) => parts.join(''))
  )
  fc.assert(
    fc.property(garbage, (source) => {
      const { query, error, tokens } = parseQuery(source, 'rows')
      let end = 0
      for (const { from, to } of tokens) {
        expect(from).toBeGreaterThanOrEqual(end)
        expect(to).toBeGreaterThan(from)
        end = to
      }
      expect(end).toBeLessThanOrEqual(source.length)
      if (error === null) expect(query === null).toBe(source.trim() === '')
      else {
        expect(error.from).toBeLessThanOrEqual(error.to)
        expect(error.to).toBeLessThanOrEqual(source.length)
        expect(error.message).toMatch(/\.$|, as in /)
      }
    }),
    { numRuns: 20_000 }
  )
})
