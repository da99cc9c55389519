import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { diffRows } from './diff-rows.ts'
import { diffSide } from './diff-side.ts'
import { diffText, wholeDiffText } from './diff-text.ts'
import { wordMarks } from './word-marks.ts'

const plain = (lines: readonly string[]) => diffSide(lines, () => null)
function diff(before: readonly string[], after: readonly string[]) {
  const { stretches, isRough } = diffLines(before, after)
  return { stretches, isRough, text: wholeDiffText(stretches, plain(before), plain(after)) }
}

describe('diffLines', () => {
  it('tells what came and what went', () => {
    expect(diff(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd', 'e']).text).toBe(' a\n-b\n+x\n c\n d\n+e')
    expect(diff([], ['a']).text).toBe('+a')
    expect(diff(['a'], []).text).toBe('-a')
    expect(diff(['a'], ['a']).stretches).toMatchObject([{ kind: 'same' }])
  })

  it('takes sides that have too little in common as wholes, but for their ends', () => {
    const lines = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word} ${at}`)
    const { stretches, isRough } = diff(['head', ...lines('a'), 'tail'], ['head', ...lines('b'), 'tail'])
    expect(isRough).toBe(true)
    expect(stretches.map(({ kind, beforeCount }) => [kind, beforeCount])).toEqual([
      ['same', 1],
      ['changed', 5000],
      ['same', 1]
    ])
  })

  it('gives both sides back, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { stretches, text } = diff(before, after)
        const of = (signs: string) =>
          text === '' && stretches.length === 0
            ? []
            : text
                .split('\n')
                .filter((line) => signs.includes(line.charAt(0)))
                .map((line) => line.slice(1))
        expect(of(' -')).toEqual(before)
        expect(of(' +')).toEqual(after)
      })
    )
  })
})

describe('diffRows', () => {
  const before = Array.from({ length: 40 }, (_, at) => `line ${at}`)
  const after = before.with(20, 'other')
  const { stretches } = diffLines(before, after)

  it('folds what has not changed, but three lines beside what has', () => {
    const rows = diffRows(stretches, 'unified', new Set())
    expect(rows.filter(({ kind }) => kind === 'fold')).toEqual([
      { kind: 'fold', part: 0, lines: 17 },
      { kind: 'fold', part: 2, lines: 16 }
    ])
    expect(rows).toHaveLength(2 + 6 + 2)
  })

  it('shows all of a part that is opened', () => {
    expect(diffRows(stretches, 'split', new Set([0, 2]))).toHaveLength(40)
  })

  it('gives one side as text', () => {
    const rows = diffRows(stretches, 'split', new Set([0, 2]))
    expect(diffText(rows, plain(before), plain(after), 'before')).toBe(before.join('\n'))
    expect(diffText(rows, plain(before), plain(after), 'after')).toBe(after.join('\n'))
  })
})

describe('wordMarks', () => {
  it('finds the words that differ', () => {
    const [before, after] = ['const total = count(a)', 'const total = countAll(a)']
    const marks = wordMarks(before, after)
    expect(marks?.before.map(({ from, to }) => before.slice(from, to))).toEqual(['count'])
    expect(marks?.after.map(({ from, to }) => after.slice(from, to))).toEqual(['countAll'])
  })

  it('takes lines that share nothing, or that are very long, as wholes', () => {
    expect(wordMarks('alpha beta', 'gamma delta')).toBeNull()
    expect(wordMarks('a '.repeat(600), 'a '.repeat(601))).toBeNull()
  })
})
