import { Virtualizer, type VirtualizerOptions } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { rowsOf, ScaledScroll } from './scaled-scroll.ts'

/** How a list is made: the height of each of its lines, and of a sticky head above them, in px. */
export interface ListSizes {
  readonly line: number
  readonly head: number
}
/** Lines drawn beyond both edges, for the frames in which scrolling is ahead of drawing. */
const overscan = 6
/** The virtualizer is told of at least so many rows. */
const fewestRows = 256

/**
 * Lines `first` … `last` (exclusive) are drawn; line `first` begins at `top` px of the spacer. They are never more than
 * `slots`: line n can take the elements that line n - slots had. `highest`: the first line of which something is in view.
 */
export interface DrawnLines {
  readonly first: number
  readonly last: number
  readonly top: number
  readonly slots: number
  readonly highest: number
}

const nothingDrawn: DrawnLines = { first: 0, last: 0, top: 0, slots: 1, highest: 0 }
const neverChanges = () => () => {}

/** A list of equally high lines that scrolls. */
export interface RowList {
  readonly element: HTMLElement | null
  readonly setElement: (element: HTMLElement | null) => void
  readonly scroll: RowScroll | null
  readonly drawn: DrawnLines
  /** How high the element is that the lines stand in, in px. */
  readonly space: number
}

/** `count` lines: which of them are drawn. `atEnd`: the end of the list is kept in view. */
export function useRowScroll(count: number, { line, head }: ListSizes, atEnd = false): RowList {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const scroll = useMemo(
    () => (element === null ? null : new RowScroll(element, { line, head })),
    [element, line, head]
  )
  const drawn = useSyncExternalStore(scroll?.subscribe ?? neverChanges, () => scroll?.drawn ?? nothingDrawn)
  useLayoutEffect(() => scroll?.setCount(count, atEnd), [scroll, count, atEnd])
  return { element, setElement, scroll, drawn, space: rowsOf(count, line) * line }
}

/**
 * Which lines of a list are drawn in `grid`, an element that scrolls and may begin with a sticky head. The virtualizer tells which
 * rows of the element are in view; which lines of the list stand in them, and where it is scrolled to, is told here. All lines are
 * equally high, so a position is a multiplication.
 */
export class RowScroll {
  drawn = nothingDrawn
  readonly #grid: HTMLElement
  readonly #sizes: ListSizes
  readonly #scroll: ScaledScroll
  readonly #rows: Virtualizer<HTMLElement, HTMLElement>
  #tellTop: (top: number, scrolling: boolean) => void = () => {}
  #tellHeight: (rect: { width: number; height: number }) => void = () => {}
  #leftEnd: () => void = () => {}
  /** Below the sticky head. Kept, since asking for it makes the browser lay out the page. */
  #height: number
  #count = 0
  /** The end of the list is kept in view. */
  #atEnd = false
  /** A line that is to be shown when the list has it. */
  #awaited: { readonly view: number; readonly gently: boolean } | null = null
  /** The line that stays in view when the list becomes smaller; -1: none. */
  #held = -1
  #onChange: () => void = () => {}
  /** The grid was scrolled from here, and has not said so yet. */
  #ownScroll = false
  /** The list is moved with a wheel or a finger, and not with the thumb of its scrollbar. */
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

  /** One listener: the list that draws. Returns the function that stops it. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    let later: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      this.#scroll.onScroll(this.#byWheel)
      this.#draw()
      if (!this.#atEnd || this.#isAtEnd()) return
      // Of a grid that has become higher this is said before its height is.
      this.#height = this.#listHeight()
      if (!this.#isAtEnd()) this.#leftEnd()
    }
    const onScroll = () => {
      clearTimeout(later)
      // Where it was scrolled to from here is known. Asked in a frame that has just changed the page, the browser would
      // lay all of it out to answer; after that frame the answer costs nothing.
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

  /** One listener: the end was kept in view, and the person has scrolled away from it. */
  onLeftEnd(listener: () => void): void {
    this.#leftEnd = listener
  }

  /** The list has `count` lines now, and `atEnd`: its end is kept in view. Call when its element has the height for them. */
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

  /** Brings a line to where it can be read, as soon as the list has it. `gently`: no further than needed. */
  show(view: number, gently: boolean): void {
    this.#awaited = view < this.#count ? null : { view, gently }
    if (this.#awaited !== null) return
    const to = restingOffset(view, this.#scroll.offset, this.#height, this.#sizes.line, gently)
    if (to === this.#scroll.offset) return
    this.#scroll.scrollTo(to)
    this.#draw()
  }

  /** Line `view` (-1: none), where it is in view, stays there when the list becomes smaller. */
  hold(view: number): void {
    this.#held = view
  }

  /** The first line that is wholly visible, or `preferred` where that is. */
  lineInView(preferred: number): number {
    if (this.#isInView(preferred)) return preferred
    return Math.min(this.#count - 1, Math.ceil(this.#scroll.offset / this.#sizes.line))
  }

  /** How far below the column heads a line is, in px. */
  yOf(view: number): number {
    return view * this.#sizes.line - this.#scroll.offset
  }

  /** Scrolls so that a line is as far below the column heads as `y` says, as near as the ends of the list allow. */
  putAt(view: number, y: number): void {
    this.#scroll.scrollTo(view * this.#sizes.line - y)
    this.#draw()
  }

  /** The height of the grid below its sticky head. */
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
      // It is told where the grid is at once, and never asks: that would lay out the page.
      observeElementRect: (_, tell) => void (this.#tellHeight = tell),
      observeElementOffset: (_, tell) => void (this.#tellTop = tell),
      scrollToFn: () => {}
    }
  }

  #draw(): void {
    const { top: scrolled, shift } = this.#scroll
    this.#tellHeight({ width: 0, height: this.#height })
    this.#tellTop(scrolled, false)
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

/**
 * Rows for the virtualizer, at least as many as the element has. It lays out all of them whenever there are more, so it is not told of
 * each line that comes.
 */
function roomFor(count: number, line: number): number {
  return rowsOf(2 ** Math.ceil(Math.log2(Math.max(count, fewestRows))), line)
}

/**
 * The offset at which line `view` is well placed. It may move between the third line and two thirds of the height, so
 * that some future stays in view; a jump from out of sight rests at the two thirds.
 */
function restingOffset(view: number, offset: number, height: number, line: number, gently: boolean): number {
  const y = view * line
  const lowest = Math.max(0, Math.floor((height * 2) / 3 / line) * line - line)
  const at = y - offset
  if (at < -line * 4 || at > height + line * 4) return y - lowest
  const from = gently ? 0 : Math.min(lowest, line * 2)
  // Where not even one line has room, its top has.
  const to = gently ? Math.max(0, height - line) : lowest
  if (at < from) return y - from
  return at > to ? y - to : offset
}
