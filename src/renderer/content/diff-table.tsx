import './diff.css'
import { type CSSProperties, type PointerEvent, useMemo, useState } from 'react'
import { withPictures } from '../ui/display-text.ts'
import { formatPlural } from '../ui/format.ts'
import { CodeSpans, type MarkedRange } from './code-spans.tsx'
import type { DiffStretch } from '#core/tools/line-diff.ts'
import { type DiffLayout, type DiffPart, diffRows, type LineRow, pairOf, type Side, signOf } from './diff-rows.ts'
import { type DiffSide, lineRange } from './diff-side.ts'
import { diffText, wholeDiffText } from './diff-text.ts'
import type { HighlightedText } from './highlighted-text.ts'
import { LineBox } from './line-box.tsx'
import { longestRow, wholeCharacter } from './text-rows.ts'
import { useHighlighted } from './use-highlighted.ts'
import { changedWords } from './changed-words.ts'

const diffLine = 20
/** Columns that a split layout needs; a narrower box shows the unified one. */
const narrowest = 88

/** The lines of a diff, with unchanged ones hidden. Only visible rows are rendered. */
export function DiffTable({
  label,
  parts,
  before,
  after,
  language,
  layout,
  fills = false
}: {
  label: string
  parts: readonly DiffPart[]
  before: DiffSide
  after: DiffSide
  language: string | null
  layout: DiffLayout
  /** Whether it fills its flex container. */
  fills?: boolean
}) {
  const [room, setRoom] = useState(narrowest)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [side, setSide] = useState<Side>('after')
  const oneSided = before.starts.length === 1 || after.starts.length === 1
  const shown = room < narrowest || oneSided ? 'unified' : layout
  const rows = useMemo(() => diffRows(parts, shown, open), [parts, shown, open])
  const changed = useMemo(() => parts.filter(isChanged), [parts])
  const size = useMemo(() => sizeOf(before, after), [before, after])
  const old = useHighlighted(before.text, language)
  const now = useHighlighted(after.text, language)
  const colours = { before: old.colours, after: now.colours }
  const view: View = { before, after, colours, changed, hasNumbers: size.digits > 0 }
  const number = `calc(${size.digits}ch + var(--s-2))`
  const margin = `(${size.digits}ch + var(--s-2) + var(--s-4))`
  const sizes: CSSProperties & { '--number': string } = { '--number': number }
  return (
    <div
      className={fills ? 'vstack fill' : undefined}
      style={sizes}
      onPointerDown={(event) => setSide(sideAt(event) ?? side)}
    >
      <LineBox
        label={label}
        className="diff"
        fills={fills}
        count={rows.length}
        noun="row"
        lineHeight={diffLine}
        columns={size.widest + 2 * size.digits + 6}
        {...(shown === 'split' && {
          side,
          // The part of the widest line that does not fit one half.
          minWidth: `calc(100cqw + max(0px, ${size.widest + 2}ch + ${margin} + var(--s-6) - 50cqw))`
        })}
        onRoom={setRoom}
        onDrawn={() => {
          old.catchUp()
          now.catchUp()
        }}
        drawLine={(at) => {
          const row = rows[at]
          if (row === undefined) return null
          if (row.kind === 'note')
            return <span className="diff-note line-text">{withPictures(row.text.slice(0, longestRow))}</span>
          if (row.kind === 'hidden')
            return <Fold lines={row.lines} onOpen={() => setOpen(new Set([...open, row.part]))} />
          return shown === 'split' ? <SplitRow row={row} view={view} /> : <UnifiedRow row={row} view={view} />
        }}
        textOf={(from, to) => diffText(rows.slice(from, to), before, after, shown === 'split' ? side : null)}
        textOfAll={() => wholeDiffText(parts, before, after)}
      />
    </div>
  )
}

function isChanged(part: DiffPart): part is DiffStretch {
  return part.kind === 'changed'
}

interface View {
  readonly before: DiffSide
  readonly after: DiffSide
  readonly colours: { readonly before: HighlightedText; readonly after: HighlightedText }
  readonly changed: readonly DiffStretch[]
  readonly hasNumbers: boolean
}

function SplitRow({ row, view }: { row: LineRow; view: View }) {
  return (
    <div className="diff-split">
      <Half row={row} side="before" view={view} />
      <Half row={row} side="after" view={view} />
    </div>
  )
}

function Half({ row, side, view }: { row: LineRow; side: Side; view: View }) {
  const line = row[side]
  if (line < 0) return <div className={`diff-half ${side} diff-none`} />
  return (
    <div className={`diff-half ${side} ${toneOf(row, side)}`}>
      <span className="diff-margin">
        {view.hasNumbers && <span className="diff-number t3 caption">{view[side].numberOf(line)}</span>}
        <span className="diff-sign">{signOf(row, side)}</span>
      </span>
      <span className="diff-clip">
        <span className="line-text" data-side={side}>
          <DiffText row={row} side={side} view={view} />
        </span>
      </span>
    </div>
  )
}

function UnifiedRow({ row, view }: { row: LineRow; view: View }) {
  const side = row.after < 0 ? 'before' : 'after'
  return (
    <div className={`diff-item ${toneOf(row, side)}`}>
      <span className="diff-margin">
        {view.hasNumbers && (
          <>
            <span className="diff-number t3 caption">{row.before < 0 ? null : view.before.numberOf(row.before)}</span>
            <span className="diff-number t3 caption">{row.after < 0 ? null : view.after.numberOf(row.after)}</span>
          </>
        )}
        <span className="diff-sign">{signOf(row, side)}</span>
      </span>
      <span className="line-text">
        <DiffText row={row} side={side} view={view} />
      </span>
    </div>
  )
}

/** A line of code. Changed words are marked if the line differs from its pair in a few words only. */
function DiffText({ row, side, view }: { row: LineRow; side: Side; view: View }) {
  const line = row[side]
  const { from, to } = lineRange(view[side], line)
  const { text } = view[side]
  const shown = to - from > longestRow ? wholeCharacter(text, from, from + longestRow) : to
  return (
    <>
      <CodeSpans
        text={text}
        from={from}
        spans={view.colours[side].spans(from, shown)}
        marks={row.kind === 'changed' ? changedRanges(view, side, line) : []}
      />
      {shown < to && <span className="t3"> … {formatPlural(to - shown, 'more character')}</span>}
    </>
  )
}

function changedRanges({ before, after, changed }: View, side: Side, line: number): MarkedRange[] {
  const other = pairOf(changed, side, line)
  if (other < 0) return []
  const [old, now] = side === 'before' ? [line, other] : [other, line]
  const oldRange = lineRange(before, old)
  const nowRange = lineRange(after, now)
  const marks = changedWords(
    before.text.slice(oldRange.from, oldRange.to),
    after.text.slice(nowRange.from, nowRange.to)
  )
  if (marks === null) return []
  const start = side === 'before' ? oldRange.from : nowRange.from
  const tone = side === 'before' ? 'deleted' : 'added'
  return marks[side].map((range) => ({ from: start + range.from, to: start + range.to, tone }))
}

function Fold({ lines, onOpen }: { lines: number; onOpen: () => void }) {
  return (
    <button
      type="button"
      className="diff-fold"
      onClick={(event) => {
        // The button disappears; the focus stays in the box.
        event.currentTarget.closest<HTMLElement>('.line-scroll')?.focus({ preventScroll: true })
        onOpen()
      }}
    >
      ⋯ {formatPlural(lines, 'unchanged line')}
    </button>
  )
}

function toneOf(row: LineRow, side: Side): string {
  return row.kind === 'same' ? '' : side === 'before' ? 'diff-deleted' : 'diff-added'
}

/** Approximate columns of the widest line, and digits of the largest line number; 0 without numbers. */
function sizeOf(before: DiffSide, after: DiffSide): { widest: number; digits: number } {
  let widest = 0
  let largest = 0
  for (const side of [before, after]) {
    for (let line = 0; line < side.starts.length - 1; line++) {
      const { from, to } = lineRange(side, line)
      widest = Math.max(widest, to - from)
      largest = Math.max(largest, side.numberOf(line) ?? 0)
    }
  }
  return { widest: Math.min(widest, longestRow + 40), digits: largest === 0 ? 0 : Math.max(2, String(largest).length) }
}

function sideAt({ target }: PointerEvent): Side | null {
  const half = target instanceof Element ? target.closest('.diff-half') : null
  return half === null ? null : half.classList.contains('before') ? 'before' : 'after'
}
