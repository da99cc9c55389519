import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, hunkCounts, lineCounts, textLines } from './line-diff.ts'

/** The sides rebuilt from the stretches, and their common lines. */
function diffOf(before: readonly string[], after: readonly string[]) {
  const { stretches } = diffLines(before, after)
  return {
    kinds: stretches.map(({ kind, beforeCount, afterCount }) => [kind, beforeCount, afterCount]),
    before: stretches.flatMap((part) => before.slice(part.before, part.before + part.beforeCount)),
    after: stretches.flatMap((part) => after.slice(part.after, part.after + part.afterCount)),
    shared: stretches
      .filter(({ kind }) => kind === 'same')
      .every((part) =>
        before
          .slice(part.before, part.before + part.beforeCount)
          .every((line, at) => line === after[part.after + at] && part.beforeCount === part.afterCount)
      )
  }
}

/** The maximum of common lines, computed the simple way. */
function mostCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0)
  for (const line of before) {
    const next = [0]
    after.forEach((other, at) => {
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(next[at] ?? 0, row[at + 1] ?? 0))
    })
    row = next
  }
  return row.at(-1) ?? 0
}

describe('diffLines', () => {
  it('tells lines that came and went from lines between them that stayed', () => {
    expect(diffOf(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'y', 'd']).kinds).toEqual([
      ['same', 1, 1],
      ['changed', 1, 1],
      ['same', 1, 1],
      ['changed', 0, 1],
      ['same', 1, 1]
    ])
    expect(diffOf([], ['a']).kinds).toEqual([['changed', 0, 1]])
    expect(diffOf(['a'], []).kinds).toEqual([['changed', 1, 0]])
    expect(diffOf(['a'], ['a']).kinds).toEqual([['same', 1, 1]])
    expect(diffOf([], []).kinds).toEqual([])
  })

  it('rebuilds both sides with the fewest changed lines', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 40 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = diffOf(before, after)
        expect(found).toMatchObject({ before, after, shared: true })
        const changed = found.kinds.filter(([kind]) => kind === 'changed')
        const deleted = changed.reduce((sum, [, count]) => sum + Number(count), 0)
        expect(deleted).toBe(before.length - mostCommon(before, after))
        // Adjacent stretches differ in kind.
        found.kinds.slice(1).forEach(([kind], at) => expect(kind).not.toBe(found.kinds[at]?.[0]))
      }),
      { numRuns: 500 }
    )
  })

  it('takes sides that have too little in common as wholes, but for their ends', () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`)
    const { stretches, isRough } = diffLines(['head', ...lines('a'), 'tail'], ['head', ...lines('b'), 'tail'])
    expect(isRough).toBe(true)
    expect(stretches.map(({ kind, beforeCount }) => [kind, beforeCount])).toEqual([
      ['same', 1],
      ['changed', 5000],
      ['same', 1]
    ])
  })
})

it('counts the lines that a diff of two texts shows', () => {
  expect(lineCounts('a\nb\nc', 'x\na\nb\ny\nc\nz')).toEqual({ added: 3, deleted: 0 })
  expect(lineCounts('', 'a\nb\n')).toEqual({ added: 2, deleted: 0 })
  expect(lineCounts('a\n', 'a')).toEqual({ added: 0, deleted: 0 })
})

it('counts the lines of hunks, whatever they begin with', () => {
  const patch = '--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n same\n--- a rule in markdown\n+++ counted\n+another\n'
  expect(hunkCounts(patch)).toEqual({ added: 2, deleted: 1 })
  expect(hunkCounts('')).toEqual({ added: 0, deleted: 0 })
})

it('knows no line after the last line break', () => {
  expect(textLines('a\n\n')).toEqual(['a', ''])
  expect(textLines('')).toEqual([])
})
