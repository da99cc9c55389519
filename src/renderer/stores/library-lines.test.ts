import { describe, expect, it } from 'vitest'
import { GroupedLines, type LibraryLines, lineHeights, ListedLines } from './library-lines.ts'
import { testCard } from '../../../test/page/library.ts'

const group = (key: string, from: number, count: number) => ({ key, from, count, activeMs: null, live: 0 })
const groups = [group('a', 0, 2), group('b', 2, 0), group('c', 2, 3)]

/** Checks that each line is below the lines above it, and is found at each of its pixels. */
function checkPlaces(lines: LibraryLines) {
  let top = 0
  for (let line = 0; line < lines.count; line++) {
    const height = lineHeights[lines.get(line)!.kind]
    expect([line, lines.topOf(line)]).toEqual([line, top])
    expect([line, lines.lineAt(top), lines.lineAt(top + height - 1)]).toEqual([line, line, line])
    top += height
  }
  expect(lines.height).toBe(top)
  expect(lines.lineAt(top + 1000)).toBe(lines.count - 1)
  expect(lines.get(lines.count)).toBeUndefined()
}

describe('grouped lines', () => {
  it('have heads, sessions and placeholders', () => {
    const lines = new GroupedLines(groups, new Set(), { heads: true, bars: 2 })
    const kinds = Array.from({ length: lines.count }, (_, at) => lines.get(at)?.kind)
    expect(kinds.join(' ')).toBe('group card card group group card card card bar bar')
    expect(lines.lineOfCard(1)).toBe(2)
    expect(lines.lineOfCard(2)).toBe(5)
    expect(lines.lineOfCard(5)).toBe(-1)
    expect([0, 2, 3, 7, 8].map((line) => lines.headOf(line))).toEqual([0, 0, 3, 4, -1])
    checkPlaces(lines)
  })

  it('show only the head of a collapsed group', () => {
    const lines = new GroupedLines(groups, new Set(['a']), { heads: true, bars: 0 })
    expect(lines.count).toBe(6)
    expect(lines.get(0)).toMatchObject({ kind: 'group', open: false })
    expect(lines.lineOfCard(0)).toBe(-1)
    expect(lines.lineOfCard(2)).toBe(3)
    checkPlaces(lines)
  })

  it('have no heads without groups', () => {
    const lines = new GroupedLines([group('', 0, 4)], new Set(['']), { heads: false, bars: 1 })
    expect(lines.count).toBe(5)
    expect(lines.headOf(3)).toBe(-1)
    checkPlaces(lines)
  })

  it('may be many', () => {
    const many = Array.from({ length: 300 }, (_, at) => group(String(at), at * 100, 100))
    const lines = new GroupedLines(many, new Set(['7']), { heads: true, bars: 0 })
    expect(lines.count).toBe(300 + 29_900)
    for (const index of [0, 699, 800, 12_345, 29_999]) {
      const line = lines.lineOfCard(index)
      expect(lines.get(line)).toEqual({ kind: 'card', index })
      expect(lines.lineAt(lines.topOf(line) + 30)).toBe(line)
    }
  })

  it('may be none', () => {
    const lines = new GroupedLines([], new Set(), { heads: true, bars: 0 })
    expect([lines.count, lines.height, lines.get(0)]).toEqual([0, 0, undefined])
  })
})

it('listed lines have their own heights', () => {
  const card = testCard()
  const hit = { path: card.path, line: 1, seq: 0, kind: 'tool', tool: null, at: null, text: 'x', match: null }
  const lines = new ListedLines([
    { kind: 'heading', of: 'texts' },
    { kind: 'found', card, hits: 3 },
    { kind: 'hit', card, hit, at: 0 },
    { kind: 'more', card, count: 2 },
    { kind: 'found', card: testCard(), hits: 0 }
  ])
  expect(lines.headOf(3)).toBe(0)
  checkPlaces(lines)
})
