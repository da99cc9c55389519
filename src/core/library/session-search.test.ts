import { expect, test } from 'vitest'
import { parseQuery } from '../query/parse-query.ts'
import { printQuery } from '../query/print-query.ts'
import { sessionSearchOf, textPart } from './session-search.ts'

test.each([
  ['', '', ''],
  ['project:cli (state:live OR has:todos)', 'project:cli (state:live OR has:todos)', ''],
  ['a project:cli -"b c" /d/i', 'project:cli', 'a /d/i -"b c"'],
  ['(a state:live) NOT e', 'state:live', 'a NOT e'],
  ['"" agent:codex', '"" agent:openai-codex', '']
])('%j asks for sessions and for lines', (text, cards, lines) => {
  const { query, error } = parseQuery(text, 'sessions')
  expect(error).toBeNull()
  const search = sessionSearchOf(query)
  expect([printQuery(search.cards), printQuery(textPart(search))]).toEqual([cards, lines])
})
