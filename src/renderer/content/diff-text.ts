import { formatPlural } from '../ui/format.ts'
import { type DiffPart, type DiffRow, diffRows, type LineRow, type Side, signOf } from './diff-rows.ts'
import { type DiffSide, lineRange } from './diff-side.ts'

/** All lines of a diff as text, with their signs. */
export function wholeDiffText(parts: readonly DiffPart[], before: DiffSide, after: DiffSide): string {
  return diffText(diffRows(parts, 'unified', new Set(parts.keys())), before, after, null)
}

/** Rows as text: of one side, or of both with their signs. */
export function diffText(rows: readonly DiffRow[], before: DiffSide, after: DiffSide, only: Side | null): string {
  const lines: string[] = []
  const sides = { before, after }
  const add = (row: LineRow, side: Side) => {
    if (row[side] < 0) return
    const { from, to } = lineRange(sides[side], row[side])
    lines.push((only === null ? signOf(row, side) : '') + sides[side].text.slice(from, to))
  }
  for (const row of rows) {
    if (row.kind === 'note') lines.push(row.text)
    else if (row.kind === 'hidden') lines.push(`⋯ ${formatPlural(row.lines, 'unchanged line')}`)
    else if (only !== null) add(row, only)
    else if (row.kind === 'same') add(row, 'after')
    else {
      add(row, 'before')
      add(row, 'after')
    }
  }
  return lines.join('\n')
}
