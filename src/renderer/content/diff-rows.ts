import type { DiffStretch } from '#core/tools/line-diff.ts'

/** A part of a diff: lines, or words that stand between them, such as where a hunk begins. */
export type DiffPart = DiffStretch | { readonly kind: 'note'; readonly text: string }

export type Side = 'before' | 'after'

/** A row with lines of the sides, -1: none of that side. */
export interface LineRow {
  readonly kind: 'same' | 'changed'
  readonly before: number
  readonly after: number
}

/** A row of a diff as it is drawn. */
export type DiffRow =
  | LineRow
  | { readonly kind: 'note'; readonly text: string }
  /** Unchanged lines that are not shown; `part` opens them. */
  | { readonly kind: 'fold'; readonly part: number; readonly lines: number }

export type DiffLayout = 'split' | 'unified'

/** Unchanged lines that are shown beside changed ones. */
const context = 3
/** Fewer lines than this are not worth folding. */
const leastFold = 4

/** The rows of a diff. `open`: the parts whose unchanged lines are all shown. */
export function diffRows(parts: readonly DiffPart[], layout: DiffLayout, open: ReadonlySet<number>): DiffRow[] {
  const rows: DiffRow[] = []
  parts.forEach((part, position) => {
    if (part.kind === 'note') rows.push(part)
    else if (part.kind === 'changed') addChanged(rows, part, layout)
    else addSame(rows, part, position, { first: position === 0, last: position === parts.length - 1 }, open)
  })
  return rows
}

function addSame(
  rows: DiffRow[],
  part: DiffStretch,
  position: number,
  { first, last }: { first: boolean; last: boolean },
  open: ReadonlySet<number>
): void {
  const { beforeCount: count } = part
  const head = first ? 0 : context
  const tail = last ? 0 : context
  const hidden = open.has(position) ? 0 : count - head - tail
  const fold = hidden >= leastFold
  for (let at = 0; at < count; at++) {
    if (fold && at === head) {
      rows.push({ kind: 'fold', part: position, lines: hidden })
      at += hidden - 1
    } else rows.push({ kind: 'same', before: part.before + at, after: part.after + at })
  }
}

function addChanged(rows: DiffRow[], part: DiffStretch, layout: DiffLayout): void {
  const { before, beforeCount, after, afterCount } = part
  if (layout === 'unified') {
    for (let at = 0; at < beforeCount; at++) rows.push({ kind: 'changed', before: before + at, after: -1 })
    for (let at = 0; at < afterCount; at++) rows.push({ kind: 'changed', before: -1, after: after + at })
    return
  }
  for (let at = 0; at < Math.max(beforeCount, afterCount); at++) {
    rows.push({
      kind: 'changed',
      before: at < beforeCount ? before + at : -1,
      after: at < afterCount ? after + at : -1
    })
  }
}

/** The line of the other side that stands in the place of changed line `line`; -1: none does. */
export function pairOf(parts: readonly DiffStretch[], side: Side, line: number): number {
  let low = 0
  let high = parts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((parts[middle]?.[side] ?? 0) <= line) low = middle
    else high = middle - 1
  }
  const part = parts[low]
  if (part === undefined) return -1
  const at = line - part[side]
  return at < Math.min(part.beforeCount, part.afterCount) ? (side === 'before' ? part.after : part.before) + at : -1
}

/** How many lines came and went. */
export function diffCounts(parts: readonly DiffPart[]): { added: number; deleted: number } {
  let added = 0
  let deleted = 0
  for (const part of parts) {
    if (part.kind !== 'changed') continue
    added += part.afterCount
    deleted += part.beforeCount
  }
  return { added, deleted }
}

/** What stands before a line: whether it came, went, or stayed. */
export function signOf(row: LineRow, side: Side): string {
  return row.kind === 'same' ? ' ' : side === 'before' ? '-' : '+'
}
