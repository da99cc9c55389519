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
import { selectedLines, selectedText } from './line-selection.ts'

/** Height of a line, in px. */
export const textLine = 18
/** A box shows so many lines before it scrolls, until it is expanded. */
const shownLines = 24
/** What leads to a line that was asked for, in lines. */
const linesAbove = 1

/**
 * Lines of one height in a box that scrolls by itself, however many there are: only those in view are drawn. A selection reaches
 * past them, Ctrl+A selects all of them, and both copy what `textOf` gives.
 */
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
  /** Names the box. */
  label: string
  count: number
  drawLine: (line: number) => ReactNode
  /** The text of lines `from` … `to` (exclusive), as it is copied. */
  textOf: (from: number, to: number) => string
  /** The text of all lines, where that is not what `textOf` gives of a part. */
  textOfAll?: () => string
  /** Columns that the widest line takes, about: how far the box scrolls sideways. */
  columns: number
  /** How wide what scrolls is at least, where columns do not tell. `--scroll-x` says how far it is scrolled. */
  minWidth?: string
  /** Of lines in two halves that which is being selected. */
  side?: string
  /** Columns of the line numbers; 0: none. */
  gutter?: number
  lineHeight?: number
  /** What is counted under the box, and how many there are: lines of a text may be drawn in several rows. */
  noun?: string
  total?: number
  /** What else is said under the box. */
  foot?: ReactNode
  /** More lines are still being found. */
  reading?: boolean
  /** A line that is brought into view. */
  show?: number | undefined
  /** Counts how often it was asked for: each time it is brought to the top of the box, which may itself be cut below. */
  shownTimes?: number
  /** Called whenever lines have been drawn. */
  onDrawn?: () => void
  /** Told of how many columns fit beside the line numbers. */
  onRoom?: ((columns: number) => void) | undefined
  /** It is as high as what it stands in, which is a flex box. */
  fills?: boolean
  /** Its end is kept in view. */
  atEnd?: boolean
  /** Its end was kept in view, and the person has scrolled away from it. */
  onLeftEnd?: (() => void) | undefined
  className?: string
}) {
  const [expanded, setExpanded] = useState(false)
  const [all, setAll] = useState(false)
  const sizes = { line: lineHeight, head: 0 }
  const { element: box, setElement: setBox, scroll, drawn, space } = useRowScroll(count, sizes, atEnd)
  useLayoutEffect(() => scroll?.onLeftEnd(() => onLeftEnd?.()), [scroll, onLeftEnd])
  useLayoutEffect(() => {
    if (show === undefined || show < 0) return
    if (shownTimes === undefined) scroll?.show(show, true)
    else scroll?.putAt(show, linesAbove * lineHeight)
  }, [scroll, show, shownTimes, lineHeight])
  useRoom(box, gutter, onRoom)
  useEffect(() => onDrawn?.())
  const kept = useSelectedEnds(box, () => setAll(false))
  const isShort = count <= shownLines
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
      className={className === undefined ? 'line-box' : `line-box ${className}`}
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
        <div className="line-foot">
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

/** The box has a use of its own for a key that scrolls; otherwise the key means what it means everywhere. */
function canScroll(box: HTMLElement, key: string): boolean {
  return key === 'ArrowLeft' || key === 'ArrowRight'
    ? box.scrollWidth > box.clientWidth
    : box.scrollHeight > box.clientHeight
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
}

/** The lines in view, and those that a selection begins and ends in: without their elements it would be lost. */
function withKept(lines: number[], kept: readonly number[], count: number): number[] {
  const more = kept.filter((line) => line < count && !lines.includes(line))
  return more.length === 0 ? lines : [...lines, ...new Set(more)].sort((a, b) => a - b)
}

/** The lines that a selection begins and ends in. `onSelect`: there is a selection in the box. */
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

/** Tells how many columns fit into the box, now and when its width changes. */
function useRoom(box: HTMLElement | null, gutter: number, onRoom: ((columns: number) => void) | undefined): void {
  useLayoutEffect(() => {
    if (box === null || onRoom === undefined) return
    const tell = () => {
      const character = box.querySelector('.line-probe')?.getBoundingClientRect().width ?? 0
      if (character === 0) return
      const room = box.clientWidth / character - (gutter === 0 ? 0 : gutter + 3)
      // What the padding of a line takes, rounded up.
      onRoom(Math.max(10, Math.floor(room - 3)))
    }
    tell()
    let frame = 0
    // In the next frame: what is drawn for it changes the size of the box in turn.
    const resized = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(tell)
    })
    resized.observe(box)
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
    }
  }, [box, gutter, onRoom])
}
