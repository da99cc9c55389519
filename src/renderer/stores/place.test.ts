import { describe, expect, it } from 'vitest'
import { parsePlace, type Place, placeAt, placeText } from './place.ts'

const full: Place = {
  path: '/logs/a b/50% #1&é.jsonl',
  seq: 120,
  row: 131,
  following: true,
  view: 'todos',
  tab: 'raw',
  issues: true,
  find: { text: 'x=1&y', regex: true, caseSensitive: true },
  file: { path: '/w/src/a b.ts', line: 12 },
  compared: { a: '/logs/base.jsonl', b: '/logs/a b/50% #1&é.jsonl' },
  filter: 'tool:(Bash OR "a b") -kind:record "x=1&y" dur:>10s'
}

describe('placeText', () => {
  it('is short where little was done, and leaves paths as they are', () => {
    expect(placeText(placeAt('C:\\a/b.jsonl'))).toBe('path=C:%5Ca/b.jsonl')
    expect(placeText({ ...placeAt('/logs/run.jsonl'), seq: 12, tab: 'event' })).toBe('path=/logs/run.jsonl&seq=12')
    expect(placeText(placeAt(null))).toBe('library')
  })

  it('holds all of a place', () => {
    expect(parsePlace(placeText(full))).toEqual(full)
    expect(parsePlace(placeText(placeAt(null)))).toEqual(placeAt(null))
    expect(parsePlace(placeText({ ...placeAt('/a'), seq: -1, row: 0 }))).toMatchObject({ seq: -1, row: 0 })
  })
})

describe('parsePlace', () => {
  it.each(['', 'code=abc', 'path=', 'seq=1', `path=/${'a'.repeat(5000)}`])('sees no place in %j', (text) => {
    expect(parsePlace(text)).toBeNull()
  })

  it.each(['base=/b', 'base=/b&with=/c', 'base=/a&with=/a', 'with=/a'])('sees no comparison in %j', (fields) => {
    expect(parsePlace(`path=/a&${fields}`)?.compared).toBeNull()
  })

  it('takes what makes no sense as usual', () => {
    const text = 'path=/a&seq=1e9&row=-2&view=x&tab=y&follow=1&kinds=nothing&kinds=tool&severities=&onlyHits=yes&%E0=%'
    expect(parsePlace(text)).toEqual({ ...placeAt('/a'), filter: 'kind:tool' })
  })

  it('reads the filter of an older address as a query', () => {
    const filterOf = (fields: string) => parsePlace(`path=/a&${fields}`)?.filter
    expect(filterOf('kinds=tool&kinds=prompt&tools=Bash&tracks=&tracks=call-1')).toBe(
      'kind:(prompt OR tool) tool:Bash track:(main OR call-1)'
    )
    expect(filterOf('without.tools=mcp__a, b&severities=malformed&onlyFailed=on')).toBe(
      '-tool:/^mcp__a, b$/ issue:malformed status:error'
    )
    expect(filterOf('find=x y&onlyHits=on&case=on')).toBe('/x y/')
    expect(filterOf('onlyHits=on')).toBe('')
    expect(filterOf('where=a+b&kinds=tool')).toBe('a b')
  })

  it('takes no more names than a person chooses', () => {
    const place = parsePlace(
      `path=/a&${Array.from({ length: 5000 }, (_, tool) => `tools=${tool}`).join('&')}&tools=${'a'.repeat(2000)}`
    )
    expect(place?.filter.split(' OR ').length).toBe(200)
  })
})
