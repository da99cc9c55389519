import { firstWhere } from '#core/first-where.ts'
import type { DiffStretch } from '#core/tools/line-diff.ts'

/** A part of a diff: lines, or a note between them, such as the head of a hunk. */
export type DiffPart = DiffStretch | { readonly kind: 'note'; readonly text: string }

export type Side = 'before' | 'after'

/** A row with a line of each side; -1 for none. */
export interface LineRow {
  readonly kind: 'same' | 'changed'
  readonly before: number
  readonly after: number
}

/** A row of a diff. */
export type DiffRow =
  | LineRow
  | { readonly kind: 'note'; readonly text: string }
  /** Hidden unchanged lines; `part` is the part to expand. */
  | { readonly kind: 'hidden'; readonly part: number; readonly lines: number }

export type DiffLayout = 'split' | 'unified'

/** Unchanged lines shown around changes. */
const context = 3
/** Fewer unchanged lines are not hidden. */
const minHidden = 4

/** The rows of a diff. `open`: the expanded parts. */
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
  const hides = hidden >= minHidden
  for (let at = 0; at < count; at++) {
    if (hides && at === head) {
      rows.push({ kind: 'hidden', part: position, lines: hidden })
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

/** The other side's line beside changed line `line`; -1 for none. */
export function pairOf(parts: readonly DiffStretch[], side: Side, line: number): number {
  const part = parts[firstWhere(parts.length, (at) => (parts[at]?.[side] ?? 0) > line) - 1]
  if (part === undefined) return -1
  const at = line - part[side]
  return at < Math.min(part.beforeCount, part.afterCount) ? (side === 'before' ? part.after : part.before) + at : -1
}

/** The numbers of added and deleted lines. */
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

/** The sign before a line: added, deleted or unchanged. */
export function signOf(row: LineRow, side: Side): string {
  return row.kind === 'same' ? ' ' : side === 'before' ? '-' : '+'
}
