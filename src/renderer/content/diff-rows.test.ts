import { describe, expect, it } from 'vitest'
import { diffLines } from '#core/tools/line-diff.ts'
import { diffRows } from './diff-rows.ts'
import { diffSide } from './diff-side.ts'
import { diffText } from './diff-text.ts'
import { changedWords } from './changed-words.ts'

const plain = (lines: readonly string[]) => diffSide(lines, () => null)

describe('diffRows', () => {
  const before = Array.from({ length: 40 }, (_, at) => `line ${at}`)
  const after = before.with(20, 'other')
  const { stretches } = diffLines(before, after)

  it('hides unchanged lines, except three around each change', () => {
    const rows = diffRows(stretches, 'unified', new Set())
    expect(rows.filter(({ kind }) => kind === 'hidden')).toEqual([
      { kind: 'hidden', part: 0, lines: 17 },
      { kind: 'hidden', part: 2, lines: 16 }
    ])
    expect(rows).toHaveLength(2 + 6 + 2)
  })

  it('shows all lines of an expanded part', () => {
    expect(diffRows(stretches, 'split', new Set([0, 2]))).toHaveLength(40)
  })

  it('returns one side as text', () => {
    const rows = diffRows(stretches, 'split', new Set([0, 2]))
    expect(diffText(rows, plain(before), plain(after), 'before')).toBe(before.join('\n'))
    expect(diffText(rows, plain(before), plain(after), 'after')).toBe(after.join('\n'))
  })
})

describe('changedWords', () => {
  it('finds the words that differ', () => {
    const [before, after] = ['const total = count(a)', 'const total = countAll(a)']
    const marks = changedWords(before, after)
    expect(marks?.before.map(({ from, to }) => before.slice(from, to))).toEqual(['count'])
    expect(marks?.after.map(({ from, to }) => after.slice(from, to))).toEqual(['countAll'])
  })

  it('marks whole lines that share nothing or are very long', () => {
    expect(changedWords('alpha beta', 'gamma delta')).toBeNull()
    expect(changedWords('a '.repeat(600), 'a '.repeat(601))).toBeNull()
  })
})
