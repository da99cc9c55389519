import { describe, expect, it } from 'vitest'
import { parsePlace, type Place, placeAt, placeText } from './place.ts'
import { noFilter } from './row-filter.ts'

const full: Place = {
  path: '/logs/a b/50% #1&é.jsonl',
  seq: 120,
  row: 131,
  following: true,
  view: 'todos',
  tab: 'raw',
  issues: true,
  find: { text: 'x=1&y', regex: true, caseSensitive: true },
  filter: {
    ...placeAt('').filter,
    without: { kinds: new Set(['record']), tools: new Set(['Read']), tracks: new Set([null]) },
    kinds: new Set(['tool', 'prompt']),
    tools: new Set(['Bash', 'mcp__a, b']),
    tracks: new Set([null, 'call-1']),
    severities: new Set(['malformed']),
    onlyHits: true
  }
}

describe('placeText', () => {
  it('is short for a place with few changes, and keeps paths readable', () => {
    expect(placeText(placeAt('C:\\a/b.jsonl'))).toBe('path=C:%5Ca/b.jsonl')
    expect(placeText({ ...placeAt('/logs/run.jsonl'), seq: 12, tab: 'event' })).toBe('path=/logs/run.jsonl&seq=12')
    expect(placeText(placeAt(null))).toBe('library')
  })

  it('contains all of a place', () => {
    expect(parsePlace(placeText(full))).toEqual(full)
    expect(parsePlace(placeText(placeAt(null)))).toEqual(placeAt(null))
    expect(parsePlace(placeText({ ...placeAt('/a'), seq: -1, row: 0 }))).toMatchObject({ seq: -1, row: 0 })
  })
})

describe('parsePlace', () => {
  it.each(['', 'code=abc', 'path=', 'seq=1', `path=/${'a'.repeat(5000)}`])('sees no place in %j', (text) => {
    expect(parsePlace(text)).toBeNull()
  })

  it('ignores invalid parts', () => {
    const text = 'path=/a&seq=1e9&row=-2&view=x&tab=y&follow=1&kinds=nothing&kinds=tool&severities=&onlyHits=yes&%E0=%'
    expect(parsePlace(text)).toEqual({
      ...placeAt('/a'),
      filter: { ...placeAt('').filter, kinds: new Set(['tool']) }
    })
  })

  it('distinguishes a tool without a name from the main agent without an id', () => {
    const place = { ...placeAt('/a'), filter: { ...noFilter, tools: new Set(['']), tracks: new Set([null]) } }
    expect(parsePlace(placeText(place))).toEqual(place)
  })

  it('limits the number of names', () => {
    const place = parsePlace(
      `path=/a&${Array.from({ length: 5000 }, (_, tool) => `tools=${tool}`).join('&')}&tools=${'a'.repeat(2000)}`
    )
    expect(place?.filter.tools.size).toBe(200)
  })
})
