import { expect, it } from 'vitest'
import { meaningOf, parseSearch, withoutTerm, withTerm } from './search-terms.ts'

const now = new Date(2026, 10, 22, 16, 0).getTime()
const projects = ['/home/me/cli', '/work/cli-tools', '/home/me/my app', '/work/cli']

function meaning(text: string) {
  return meaningOf(parseSearch(text).terms, projects, now)
}

it('separates restrictions from words in any order', () => {
  const { terms, words } = parseSearch('why  project:cli does it is:failed fail "at all"')
  expect(terms.map(({ key, value }) => [key, value])).toEqual([
    ['project', 'cli'],
    ['is', 'failed']
  ])
  expect(words).toBe('why does it fail "at all"')
  expect(parseSearch('"sessions branch"').words).toBe('sessions branch')
})

it('accepts quoted values, and ignores an unfinished restriction', () => {
  expect(parseSearch('project:"my app" x').terms[0]).toMatchObject({ value: 'my app' })
  expect(parseSearch('project: x')).toMatchObject({ terms: [], words: 'x' })
  expect(parseSearch('project:"my').terms[0]).toMatchObject({ value: 'my' })
})

it('keeps other words with a colon', () => {
  expect(parseSearch('https://example.org subproject:x Error: no')).toMatchObject({
    terms: [],
    words: 'https://example.org subproject:x Error: no'
  })
})

it('adds a restriction before the words, and removes it again', () => {
  const text = withTerm(withTerm('fall back', 'is', 'live'), 'project', 'my app')
  expect(text).toBe('is:live project:"my app" fall back')
  expect(withoutTerm(text, parseSearch(text).terms[1]!)).toBe('is:live fall back')
  expect(withoutTerm('is:live', parseSearch('is:live').terms[0]!)).toBe('')
})

it('finds a project by its folder, name, or part of them', () => {
  const projectOf = (text: string) => meaning(text).filter.project
  expect(projectOf('project:cli')).toBe('/home/me/cli')
  expect(projectOf('project:/work/cli')).toBe('/work/cli')
  expect(projectOf('project:CLI-t')).toBe('/work/cli-tools')
  expect(projectOf('project:"my app"')).toBe('/home/me/my app')
  expect(meaning('project:nothing').problems[0]?.message).toBe('No project is called “nothing”.')
})

it('parses states, agents and contents', () => {
  expect(meaning('is:failed is:live agent:codex agent:Cl has:todos has:failures is:forked').filter).toEqual({
    states: ['error', 'live'],
    agents: ['openai-codex', 'claude-code'],
    todosLeft: true,
    failed: true,
    forked: true
  })
  expect(meaning('is:blue').problems[0]?.message).toContain('is: takes live, done, failed')
})

it('parses days and spans', () => {
  expect(meaning('since:7d').filter.since).toBe(now - 7 * 86_400_000)
  expect(meaning('since:12h').filter.since).toBe(now - 12 * 3_600_000)
  expect(meaning('since:2026-11-20').filter.since).toBe(new Date(2026, 10, 20).getTime())
  expect(meaning('since:yesterday until:today').filter).toEqual({
    since: new Date(2026, 10, 21).getTime(),
    until: new Date(2026, 10, 22).getTime()
  })
  expect(meaning('since:2026-02-31').problems).toHaveLength(1)
})
