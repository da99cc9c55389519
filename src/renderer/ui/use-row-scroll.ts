import { Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { rowsOf, ScaledScroll } from './scaled-scroll.ts'

/** Heights of a line and of the sticky heading in px. */
export interface ListSizes {
  readonly line: number
  readonly head: number
}
/** Lines rendered beyond both edges, for frames in which scrolling is ahead of rendering. */
const overscan = 6
/** The minimum number of rows given to the virtualizer. */
const fewestRows = 256

/** Lines `first` … `last` (exclusive), from `top` px. Line n can reuse the elements of line n - `slots`. */
export interface DrawnLines {
  readonly first: number
  readonly last: number
  readonly top: number
  readonly slots: number
  readonly highest: number
}

const nothingDrawn: DrawnLines = { first: 0, last: 0, top: 0, slots: 1, highest: 0 }
const neverChanges = () => () => {}

/** A scrolling list of equally high lines. */
export interface RowList {
  readonly element: HTMLElement | null
  readonly setElement: (element: HTMLElement | null) => void
  readonly scroll: RowScroll | null
  readonly drawn: DrawnLines
  /** Height of the element that contains the lines, in px. */
  readonly space: number
}

/**
 * Which of `count` lines are rendered. `atEnd`: whether the end is kept in view. `scrolls`: false where all lines fit; the list is then not
 * measured, which would force a layout for each of many lists.
 */
export function useRowScroll(count: number, { line, head }: ListSizes, atEnd = false, scrolls = true): RowList {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const scroll = useMemo(
    () => (element === null || !scrolls ? null : new RowScroll(element, { line, head })),
    [element, line, head, scrolls]
  )
  const drawn = useSyncExternalStore(scroll?.subscribe ?? neverChanges, () => scroll?.drawn ?? nothingDrawn)
  useLayoutEffect(() => scroll?.setCount(count, atEnd), [scroll, count, atEnd])
  return { element, setElement, scroll, drawn, space: rowsOf(count, line) * line }
}

/**
 * The rendered lines of a list in `grid`, a scrolling element with an optional sticky heading. The virtualizer finds
 * the visible rows of the element; this class maps them to lines and sets the scroll position. All lines have one
 * height, so a position is a multiplication.
 */
export class RowScroll {
  drawn = nothingDrawn
  readonly #grid: HTMLElement
  readonly #sizes: ListSizes
  readonly #scroll: ScaledScroll
  readonly #rows: Virtualizer<HTMLElement, HTMLElement>
  #onTop: (top: number, scrolling: boolean) => void = () => {}
  #onHeight: (rect: { width: number; height: number }) => void = () => {}
  #leftEnd: () => void = () => {}
  /** Below the sticky heading. Cached, because reading it forces a layout. */
  #height: number
  #count = 0
  /** Whether the end is kept in view. */
  #atEnd = false
  /** A line to show as soon as it exists. */
  #awaited: { readonly view: number; readonly gently: boolean } | null = null
  /** The line that stays in view when the list shrinks; -1 for none. */
  #held = -1
  #onChange: () => void = () => {}
  /** A scroll event for a position set here is still pending. */
  #ownScroll = false
  /** Whether the list is scrolled by wheel or touch, not by the scrollbar. */
  #byWheel = false

  constructor(grid: HTMLElement, sizes: ListSizes) {
    const setOwnScroll = () => {
      this.#ownScroll = true
    }
    this.#grid = grid
    this.#sizes = sizes
    this.#height = this.#listHeight()
    const element = {
      get scrollTop() {
        return grid.scrollTop
      },
      set scrollTop(top: number) {
        setOwnScroll()
        grid.scrollTop = top
      },
      listHeight: () => this.#height
    }
    this.#scroll = new ScaledScroll(element, sizes.line)
    this.#rows = new Virtualizer(this.#rowsOf(0))
  }

  /** One listener: the rendering list. Returns the function to unsubscribe. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    let later: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      this.#scroll.onScroll(this.#byWheel)
      this.#draw()
      if (!this.#atEnd || this.#isAtEnd()) return
      // This event precedes the resize event of a grid that grew.
      this.#height = this.#listHeight()
      if (!this.#isAtEnd()) this.#leftEnd()
    }
    const onScroll = () => {
      clearTimeout(later)
      // The position set here is known. Reading it in this frame would force a layout; afterwards it is free.
      if (this.#ownScroll) later = setTimeout(read)
      else read()
      this.#ownScroll = false
    }
    const onRest = () => {
      this.#scroll.onRest()
      this.#draw()
    }
    const onWheel = () => {
      this.#byWheel = true
    }
    const onPointerDown = ({ pointerType }: PointerEvent) => {
      this.#byWheel = pointerType !== 'mouse'
    }
    const resized = new ResizeObserver(() => {
      const holds = this.#isInView(this.#held)
      this.#height = this.#listHeight()
      this.#scroll.onResize()
      if (holds) this.show(this.#held, true)
      if (this.#atEnd) this.#scroll.scrollTo(Infinity)
      this.#draw()
    })
    this.#onChange = onChange
    const forgetRows = this.#rows._didMount()
    this.#rows._willUpdate()
    resized.observe(this.#grid)
    this.#grid.addEventListener('scroll', onScroll, { passive: true })
    this.#grid.addEventListener('scrollend', onRest)
    this.#grid.addEventListener('wheel', onWheel, { passive: true })
    this.#grid.addEventListener('pointerdown', onPointerDown, { passive: true })
    return () => {
      this.#onChange = () => {}
      forgetRows()
      clearTimeout(later)
      resized.disconnect()
      this.#grid.removeEventListener('scroll', onScroll)
      this.#grid.removeEventListener('scrollend', onRest)
      this.#grid.removeEventListener('wheel', onWheel)
      this.#grid.removeEventListener('pointerdown', onPointerDown)
    }
  }

  /** One listener: the person scrolled away from an end that was kept in view. */
  onLeftEnd(listener: () => void): void {
    this.#leftEnd = listener
  }

  /** Sets the number of lines and whether the end is kept in view. Call it when the element has the height for them. */
  setCount(count: number, atEnd: boolean): void {
    this.#count = count
    this.#atEnd = atEnd
    const rows = roomFor(count, this.#sizes.line)
    if (rows !== this.#rows.options.count) this.#rows.setOptions(this.#rowsOf(rows))
    this.#scroll.setCount(count)
    if (this.#awaited !== null) this.show(this.#awaited.view, this.#awaited.gently)
    if (atEnd) this.#scroll.scrollTo(Infinity)
    this.#draw()
  }

  /** Scrolls to a line as soon as it exists. `gently`: no further than needed. */
  show(view: number, gently: boolean): void {
    this.#awaited = view < this.#count ? null : { view, gently }
    if (this.#awaited !== null) return
    const to = restingOffset(view, this.#scroll.offset, this.#height, this.#sizes.line, gently)
    if (to === this.#scroll.offset) return
    this.#scroll.scrollTo(to)
    this.#draw()
  }

  /** If visible, line `view` (-1: none) stays in view when the list shrinks. */
  hold(view: number): void {
    this.#held = view
  }

  /** The first wholly visible line, or `preferred` if it is visible. */
  lineInView(preferred: number): number {
    if (this.#isInView(preferred)) return preferred
    return Math.min(this.#count - 1, Math.ceil(this.#scroll.offset / this.#sizes.line))
  }

  /** Position of a line below the column heads, in px. */
  yOf(view: number): number {
    return view * this.#sizes.line - this.#scroll.offset
  }

  /** Scrolls a line to `y` px below the column heads, as far as the ends of the list allow. */
  putAt(view: number, y: number): void {
    this.#scroll.scrollTo(view * this.#sizes.line - y)
    this.#draw()
  }

  /** Height of the grid below its sticky heading. */
  #listHeight(): number {
    return Math.max(0, this.#grid.clientHeight - this.#sizes.head)
  }

  #isInView(view: number): boolean {
    const y = this.yOf(view)
    return view >= 0 && y >= 0 && y <= this.#height - this.#sizes.line
  }

  #isAtEnd(): boolean {
    return this.#scroll.offset + this.#height > (this.#count - 0.5) * this.#sizes.line
  }

  #rowsOf(count: number): VirtualizerOptions<HTMLElement, HTMLElement> {
    return {
      count,
      overscan,
      estimateSize: () => this.#sizes.line,
      getScrollElement: () => this.#grid,
      // The virtualizer gets the rectangle from here, because measuring it would force a layout.
      observeElementRect: (_, listener) => void (this.#onHeight = listener),
      observeElementOffset: (_, listener) => void (this.#onTop = listener),
      scrollToFn: () => {}
    }
  }

  #draw(): void {
    const { top: scrolled, shift } = this.#scroll
    this.#onHeight({ width: 0, height: this.#height })
    this.#onTop(scrolled, false)
    const rows = this.#rows.getVirtualIndexes()
    const first = Math.max(0, (rows[0] ?? 0) - shift)
    const last = Math.min(this.#count, (rows.at(-1) ?? -1) + 1 - shift)
    const highest = Math.max(0, (this.#rows.range?.startIndex ?? 0) - shift)
    const top = (first + shift) * this.#sizes.line
    const slots = Math.ceil(this.#height / this.#sizes.line) + 2 * overscan + 1
    const { drawn } = this
    const isSame = drawn.first === first && drawn.last === last && drawn.top === top && drawn.slots === slots
    if (isSame && drawn.highest === highest) return
    this.drawn = { first, last, top, slots, highest }
    this.#onChange()
  }
}

/** Rows for the virtualizer, rounded up, because it lays out all of them at each change. */
function roomFor(count: number, line: number): number {
  return rowsOf(2 ** Math.ceil(Math.log2(Math.max(count, fewestRows))), line)
}

/** The scroll offset that shows line `view` between the third line and two thirds; after a jump, at two thirds. */
function restingOffset(view: number, offset: number, height: number, line: number, gently: boolean): number {
  const y = view * line
  const lowest = Math.max(0, Math.floor((height * 2) / 3 / line) * line - line)
  const at = y - offset
  if (at < -line * 4 || at > height + line * 4) return y - lowest
  const from = gently ? 0 : Math.min(lowest, line * 2)
  // If not even one line fits, its top is shown.
  const to = gently ? Math.max(0, height - line) : lowest
  if (at < from) return y - from
  return at > to ? y - to : offset
}
