import type { DiffStretch } from './diff-lines.ts'

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

/** For each changed line of the one side the line of the other that stands in the same place, by lines of `before` and of `after`. */
export function changedPairs(parts: readonly DiffPart[]): {
  readonly ofBefore: ReadonlyMap<number, number>
  readonly ofAfter: ReadonlyMap<number, number>
} {
  const ofBefore = new Map<number, number>()
  const ofAfter = new Map<number, number>()
  for (const part of parts) {
    if (part.kind !== 'changed') continue
    for (let at = 0; at < Math.min(part.beforeCount, part.afterCount); at++) {
      ofBefore.set(part.before + at, part.after + at)
      ofAfter.set(part.after + at, part.before + at)
    }
  }
  return { ofBefore, ofAfter }
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
