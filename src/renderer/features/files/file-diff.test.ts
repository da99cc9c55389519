import { expect, test } from 'vitest'
import type { LineAuthor } from '#contract/files.ts'
import type { FileText } from '../../stores/file-text.ts'
import { diffRows } from '../../content/diff-rows.ts'
import { lineRange } from '../../content/diff-side.ts'
import { fileDiff } from './file-diff.ts'

type Part = readonly [lines: readonly string[] | number, author?: LineAuthor]

/** A content of known lines, and of numbers of unknown ones. */
function content(parts: readonly Part[], isFull = parts.every(([lines]) => typeof lines !== 'number')): FileText {
  const texts = parts.flatMap(([lines]) => (typeof lines === 'number' ? new Array<string>(lines).fill('') : lines))
  const starts = new Uint32Array(texts.length + 1)
  for (const [at, text] of texts.entries()) starts[at + 1] = (starts[at] ?? 0) + text.length + 1
  return {
    knowledge: isFull ? 'full' : 'part',
    ...{ deleted: false, tooLarge: false, total: isFull ? texts.length : null, length: texts.length },
    ...{ known: texts.length, unplaced: null, stale: null, text: texts.join('\n'), starts },
    runs: parts.map(([lines, author = 'before']) => ({
      count: typeof lines === 'number' ? lines : lines.length,
      known: typeof lines === 'number' ? null : { author, confidence: 'seen' as const, confirmed: 1, stale: null }
    }))
  }
}

const isNew = (author: LineAuthor) => typeof author === 'number' && author > 5

function shown(before: FileText, now: FileText): string[] {
  const diff = fileDiff(before, now, isNew)
  return diffRows(diff.parts, 'unified', new Set()).map((row) => {
    if (row.kind === 'note') return `# ${row.text}`
    if (row.kind === 'hidden') return `… ${row.lines}`
    const side = row.after < 0 ? 'before' : 'after'
    const { from, to } = lineRange(diff[side], row[side])
    return `${row.kind === 'same' ? ' ' : side === 'before' ? '-' : '+'}${diff[side].text.slice(from, to)}`
  })
}

test('of two contents that are known, all that differs', () => {
  expect(shown(content([[['a', 'b', '']]]), content([[['a']], [['x'], 9], [['']]]))).toEqual([' a', '-b', '+x'])
  expect(shown(content([[['a', '']]]), content([[['a', '']]]))).toEqual([' a'])
})

test('lines that were not known before are no change, unless an event wrote them', () => {
  expect(shown(content([[['a', 'b']]], false), content([[['a', 'b', 'c']], [['new'], 9]]))).toEqual([
    ...[' a', ' b', '+new', '# Line 3: no change, but not known before']
  ])
  expect(shown(content([[['a']], [2], [['d']]]), content([[['a', 'b', 'c', 'd']]]))).toEqual([
    ...[' a', '# Lines 2 to 3: not known before', '# Lines 2 to 3: no change, but not known before', ' d']
  ])
})

test('lines that neither tells keep their place', () => {
  const gap: Part = [3]
  expect(shown(content([[['a']], gap, [['z']]]), content([[['a']], gap, [['y'], 9]]))).toEqual([
    ...[' a', '# Lines 2 to 4: not known', '-z', '+y']
  ])
})

test('a file that is not there has no lines', () => {
  const none = { ...content([]), deleted: true, knowledge: 'full' as const }
  expect(shown(none, content([[['a', ''], 9]]))).toEqual(['+a'])
  expect(shown(content([[['a', '']]]), none)).toEqual(['-a'])
})
