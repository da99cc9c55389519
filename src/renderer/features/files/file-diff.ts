import type { LineAuthor } from '#contract/files.ts'
import { diffLines } from '#core/tools/line-diff.ts'
import type { DiffPart } from '../../content/diff-rows.ts'
import { type DiffSide, diffSide } from '../../content/diff-side.ts'
import type { FileText } from '../../stores/file-text.ts'
import { formatCount } from '../../ui/format.ts'

/** Equal to itself only: it keeps the place of lines that are not known. */
const unknownLine = '\u0000'

interface SideLines {
  readonly texts: readonly string[]
  readonly authors: readonly (LineAuthor | null)[]
  /** All lines are known. */
  readonly isFull: boolean
}

export interface FileDiff {
  readonly before: DiffSide
  readonly after: DiffSide
  readonly parts: readonly DiffPart[]
}

/**
 * The changes between two versions of a file, as far as both are known: lines that one of them lacks are named, and no
 * change. `isNew`: whether an author wrote after the first version.
 */
export function fileDiff(before: FileText, now: FileText, isNew: (author: LineAuthor) => boolean): FileDiff {
  const [old, next] = [sideLines(before), sideLines(now)]
  const parts: DiffPart[] = []
  const note = (from: number, to: number, why: string) => {
    const lines = to - from === 1 ? `Line ${formatCount(to)}` : `Lines ${formatCount(from + 1)} to ${formatCount(to)}`
    parts.push({ kind: 'note', text: `${lines}: ${why}` })
  }
  for (const { kind, before: from, beforeCount, after, afterCount } of diffLines(old.texts, next.texts).stretches) {
    if (kind === 'same') {
      for (const run of runs(after, after + afterCount, (line) => next.texts[line] === unknownLine)) {
        const shift = from - after
        const length = run.to - run.from
        if (run.is) note(run.from, run.to, 'not known')
        else
          parts.push({
            ...{ kind, before: run.from + shift, beforeCount: length, after: run.from, afterCount: length }
          })
      }
      continue
    }
    const gone = runs(from, from + beforeCount, (line) => old.texts[line] === unknownLine)
    const hasGap = gone.some(({ is }) => is) || (!old.isFull && beforeCount === 0)
    const come = runs(after, after + afterCount, (line) => {
      const author = next.authors[line] ?? null
      return author === null || (hasGap && !isNew(author))
    })
    const [deleted, added] = [gone.filter(({ is }) => !is), come.filter(({ is }) => !is)]
    for (const { is, from: first, to } of gone) if (is) note(first, to, 'not known before')
    for (let at = 0; at < Math.max(deleted.length, added.length); at++) {
      const [minus, plus] = [deleted[at] ?? emptyAt(from), added[at] ?? emptyAt(after)]
      parts.push({
        kind,
        ...{ before: minus.from, beforeCount: minus.to - minus.from, after: plus.from, afterCount: plus.to - plus.from }
      })
    }
    for (const { is, from: first, to } of come)
      if (is) note(first, to, next.authors[first] === null ? 'not known' : 'no change, but not known before')
  }
  return {
    before: diffSide(
      old.texts.map((text) => (text === unknownLine ? '' : text)),
      (line) => line + 1
    ),
    after: diffSide(
      next.texts.map((text) => (text === unknownLine ? '' : text)),
      (line) => line + 1
    ),
    parts
  }
}

const emptyAt = (line: number) => ({ from: line, to: line })

/** Stretches of lines for which `is` says the same. */
function runs(from: number, to: number, is: (line: number) => boolean): { from: number; to: number; is: boolean }[] {
  const all: { from: number; to: number; is: boolean }[] = []
  for (let line = from; line < to; line++) {
    const last = all.at(-1)
    const now = is(line)
    if (last?.is === now) last.to = line + 1
    else all.push({ from: line, to: line + 1, is: now })
  }
  return all
}

function sideLines({ deleted, text, runs: origins, length, knowledge }: FileText): SideLines {
  if (deleted || length === 0) return { texts: [], authors: [], isFull: knowledge === 'full' }
  const texts = text.split('\n')
  const authors: (LineAuthor | null)[] = []
  let line = 0
  for (const { count, known } of origins) {
    for (let at = 0; at < count; at++, line++) {
      authors.push(known?.author ?? null)
      if (known === null) texts[line] = unknownLine
    }
  }
  // A final line end begins no line.
  if (knowledge === 'full' && texts.at(-1) === '') texts.pop()
  return { texts, authors, isFull: knowledge === 'full' }
}
