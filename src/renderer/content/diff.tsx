import { useMemo } from 'react'
import { diffLines, textLines } from '#core/tools/line-diff.ts'
import { formatPlural } from '../ui/format.ts'
import { languageOfPath } from './code-language.ts'
import { DiffBlock } from './diff-block.tsx'
import { diffCounts, type DiffLayout, type DiffPart } from './diff-rows.ts'
import { diffSide } from './diff-side.ts'
import { DiffTable } from './diff-table.tsx'
import { wholeDiffText } from './diff-text.ts'

/** Only this many lines of each side are compared and shown. */
const maxLines = 50_000

/** The diff of two texts, split if `layout` says so and there is space. `firstLine`: its number, if known. */
export function Diff({
  before,
  after,
  path,
  layout,
  firstLine
}: {
  before: string
  after: string
  path?: string | undefined
  layout: DiffLayout
  firstLine?: number | undefined
}) {
  const { parts, sides, notes } = useMemo(() => compare(before, after, firstLine), [before, after, firstLine])
  const counts = diffCounts(parts)
  return (
    <DiffBlock path={path ?? null} {...counts} copy={() => wholeDiffText(parts, sides.before, sides.after)}>
      {notes.map((note) => (
        <p key={note} className="more t3">
          {note}
        </p>
      ))}
      {parts.length > 0 && (
        <DiffTable
          label={path === undefined ? 'Changes' : `Changes of ${path}`}
          parts={parts}
          before={sides.before}
          after={sides.after}
          language={path === undefined ? null : languageOfPath(path)}
          layout={layout}
        />
      )}
    </DiffBlock>
  )
}

function compare(before: string, after: string, firstLine: number | undefined) {
  const all = { before: textLines(before), after: textLines(after) }
  const lines = { before: all.before.slice(0, maxLines), after: all.after.slice(0, maxLines) }
  const numberOf = (line: number) => (firstLine === undefined ? null : firstLine + line)
  const { stretches, isRough } = diffLines(lines.before, lines.after)
  const parts: DiffPart[] = [...stretches]
  const isSame = before === after
  const lineEnds = (['before', 'after'] as const).filter((side) => ({ before, after })[side].endsWith('\n'))
  if (!isSame && lineEnds.length === 1 && before !== '' && after !== '') {
    const what = lineEnds[0] === 'before' ? 'The final line break was removed.' : 'A final line break was added.'
    parts.push({ kind: 'note', text: what })
  }
  const left = all.before.length - lines.before.length + all.after.length - lines.after.length
  const notes = [
    ...(isSame ? ['No changes.'] : []),
    ...(isRough ? ['Too many differences to match lines.'] : []),
    ...(left > 0 ? [`${formatPlural(left, 'more line')} are not compared, nor shown.`] : [])
  ]
  return {
    parts,
    notes,
    sides: { before: diffSide(lines.before, numberOf), after: diffSide(lines.after, numberOf) }
  }
}
