import './line-box.css'
import {
  type ClipboardEvent,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type UIEvent,
  useEffect,
  useLayoutEffect,
  useState
} from 'react'
import { formatPlural } from '../ui/format.ts'
import { useRowScroll } from '../ui/use-row-scroll.ts'

/** Height of a line in px. */
export const textLine = 18
/** Visible lines before the box is expanded. */
const shownLines = 24
/** Lines above a requested line. */
const linesAbove = 1

/** Lines of one height in a scrolling box that renders only visible ones, with selection and copy beyond them. */
export function LineBox({
  label,
  count,
  drawLine,
  textOf,
  textOfAll = () => textOf(0, count),
  columns,
  minWidth,
  side,
  gutter = 0,
  lineHeight = textLine,
  noun = 'line',
  total = count,
  foot,
  reading = false,
  show,
  shownTimes,
  onDrawn,
  onRoom,
  fills = false,
  atEnd = false,
  onLeftEnd,
  className
}: {
  /** Label of the box. */
  label: string
  count: number
  drawLine: (line: number) => ReactNode
  /** The text of lines `from` … `to` (exclusive) for the clipboard. */
  textOf: (from: number, to: number) => string
  /** The text of all lines, if it differs from `textOf`. */
  textOfAll?: () => string
  /** Approximate columns of the widest line, which set the scroll width. */
  columns: number
  /** Minimum scroll width, if columns do not determine it. `--scroll-x` is the scroll position. */
  minWidth?: string
  /** For split lines: the side with the selection. */
  side?: string
  /** Columns of the line numbers; 0 for none. */
  gutter?: number
  lineHeight?: number
  /** The word and number for the count below the box: a line may take several rows. */
  noun?: string
  total?: number
  /** Additional content below the box. */
  foot?: ReactNode
  /** Whether further lines are still being found. */
  reading?: boolean
  /** A line to scroll into view. */
  show?: number | undefined
  /** Number of requests for `show`. Each scrolls that line to the top, because the lower part may be clipped. */
  shownTimes?: number
  /** Called after lines were rendered. */
  onDrawn?: () => void
  /** Called with the number of columns beside the line numbers. */
  onRoom?: ((columns: number) => void) | undefined
  /** Whether the box fills its flex container. */
  fills?: boolean
  /** Whether the end is kept in view. */
  atEnd?: boolean
  /** Called when the person scrolls away from the end. */
  onLeftEnd?: (() => void) | undefined
  className?: string
}) {
  const [expanded, setExpanded] = useState(false)
  const [all, setAll] = useState(false)
  const sizes = { line: lineHeight, head: 0 }
  const isShort = count <= shownLines
  const list = useRowScroll(count, sizes, atEnd, fills || !isShort)
  const { element: box, setElement: setBox, scroll, drawn, space } = list
  useLayoutEffect(() => scroll?.onLeftEnd(() => onLeftEnd?.()), [scroll, onLeftEnd])
  useLayoutEffect(() => {
    if (show === undefined || show < 0) return
    if (shownTimes === undefined) scroll?.show(show, true)
    else scroll?.putAt(show, linesAbove * lineHeight)
  }, [scroll, show, shownTimes, lineHeight])
  useRoom(box, gutter, onRoom)
  useEffect(() => onDrawn?.())
  const kept = useSelectedEnds(box, () => setAll(false))
  const lines = isShort ? range(0, count) : withKept(range(drawn.first, drawn.last), kept, count)
  const topOf = (line: number) => (isShort ? line * lineHeight : drawn.top + (line - drawn.first) * lineHeight)

  const onCopy = (event: ClipboardEvent) => {
    const text = all ? textOfAll() : box === null ? null : selectedText(box, textOf)
    if (text === null) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      getSelection()?.removeAllRanges()
      setAll(true)
      event.preventDefault()
    } else if (scrollKeys.has(event.key) && box !== null && canScroll(box, event.key)) event.stopPropagation()
  }
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    '--line-height': `${lineHeight}px`,
    '--shown-lines': shownLines,
    '--gutter': gutter === 0 ? '0px' : `calc(${gutter}ch + 2 * var(--s-2))`
  }
  return (
    <div
      className={className === undefined ? 'line-box vstack' : `line-box vstack ${className}`}
      style={style}
      data-expanded={expanded || undefined}
      data-all={all || undefined}
      data-side={side}
      data-fills={fills || undefined}
    >
      <div
        ref={setBox}
        className="line-scroll"
        role="group"
        aria-label={label}
        tabIndex={0}
        onScroll={minWidth === undefined ? undefined : tellScroll}
        onCopy={onCopy}
        onKeyDown={onKeyDown}
        onPointerDown={() => setAll(false)}
        onBlur={() => setAll(false)}
      >
        <span className="line-probe" aria-hidden="true" />
        <div
          className="line-space"
          style={{
            height: space,
            minWidth: minWidth ?? `max(100%, calc(var(--gutter) + ${columns}ch))`
          }}
        >
          {lines.map((line) => (
            <div key={line} className="line-item" data-line={line} style={{ top: topOf(line) }}>
              {drawLine(line)}
            </div>
          ))}
        </div>
      </div>
      {(!isShort || reading || foot !== undefined) && (
        <div className="line-foot hstack rigid t3 caption">
          <span className="num">{reading ? `${formatPlural(total, noun)} so far…` : formatPlural(total, noun)}</span>
          {foot}
          <span className="grow" />
          {!isShort && !fills && (
            <button type="button" className="btn small" aria-pressed={expanded} onClick={() => setExpanded(!expanded)}>
              {expanded ? 'Collapse' : 'Expand'}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function tellScroll({ currentTarget: box }: UIEvent<HTMLElement>): void {
  box.style.setProperty('--scroll-x', `${box.scrollLeft}px`)
}

const scrollKeys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'])

/** Whether the box can scroll in the key's direction; otherwise the key keeps its general meaning. */
function canScroll(box: HTMLElement, key: string): boolean {
  return key === 'ArrowLeft' || key === 'ArrowRight'
    ? box.scrollWidth > box.clientWidth
    : box.scrollHeight > box.clientHeight
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
}

/** The visible lines, and those where a selection begins and ends: without their elements it would be lost. */
function withKept(lines: number[], kept: readonly number[], count: number): number[] {
  const more = kept.filter((line) => line < count && !lines.includes(line))
  return more.length === 0 ? lines : [...lines, ...new Set(more)].sort((a, b) => a - b)
}

/** The lines where a selection begins and ends. `onSelect`: called when there is a selection in the box. */
function useSelectedEnds(box: HTMLElement | null, onSelect: () => void): readonly number[] {
  const [ends, setEnds] = useState<readonly number[]>([])
  useEffect(() => {
    if (box === null) return
    const read = () => {
      const found = selectedLines(box)
      if (found.length > 0) onSelect()
      setEnds((before) => (before.join() === found.join() ? before : found))
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  })
  return ends
}

/** Reports how many columns fit into the box, now and after each change of width. */
function useRoom(box: HTMLElement | null, gutter: number, onRoom: ((columns: number) => void) | undefined): void {
  useLayoutEffect(() => {
    if (box === null || onRoom === undefined) return
    const report = () => {
      const character = box.querySelector('.line-probe')?.getBoundingClientRect().width ?? 0
      if (character === 0) return
      const room = box.clientWidth / character - (gutter === 0 ? 0 : gutter + 3)
      // Padding of a line, rounded up.
      onRoom(Math.max(10, Math.floor(room - 3)))
    }
    report()
    let frame = 0
    // In the next frame, because the new content may resize the box.
    const resized = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(report)
    })
    resized.observe(box)
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
    }
  }, [box, gutter, onRoom])
}

/** The line of the box that contains a node; -1 for none. */
function lineAt(box: HTMLElement, node: Node | null): number {
  const element = node instanceof Element ? node : node?.parentElement
  const line = element?.closest<HTMLElement>('[data-line]')
  return line != null && box.contains(line) ? Number(line.dataset['line']) : -1
}

/** The first and last line of the selection in `box`; empty without one. */
function selectedLines(box: HTMLElement): readonly number[] {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return []
  const ends = [lineAt(box, selection.anchorNode), lineAt(box, selection.focusNode)].filter((line) => line >= 0)
  return ends.sort((a, b) => a - b)
}

/** The selected text of a partly rendered box, by `textOf` (`to` exclusive); null if the browser can copy it. */
function selectedText(box: HTMLElement, textOf: (from: number, to: number) => string): string | null {
  const [first, last] = selectedLines(box)
  const selection = getSelection()
  if (first === undefined || last === undefined || first === last || selection === null) return null
  const selected = selection.getRangeAt(0)
  const head = document.createRange()
  const tail = document.createRange()
  // For split lines: the side with the selection.
  const side = box.closest<HTMLElement>('[data-side]')?.dataset['side']
  const half = side === undefined ? '' : `[data-side="${side}"]`
  const [firstText, lastText] = [first, last].map((line) =>
    box.querySelector(`[data-line="${line}"] .line-text${half}`)
  )
  if (firstText == null || lastText == null) return null
  head.selectNodeContents(firstText)
  if (firstText.contains(selected.startContainer)) head.setStart(selected.startContainer, selected.startOffset)
  tail.selectNodeContents(lastText)
  if (lastText.contains(selected.endContainer)) tail.setEnd(selected.endContainer, selected.endOffset)
  const middle = last - first > 1 ? [textOf(first + 1, last)] : []
  return [head.toString(), ...middle, tail.toString()].join('\n')
}
