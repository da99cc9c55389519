import { ScaledScroll } from './scaled-scroll.ts'

/** How a list is made: the height of each of its lines, and of a sticky head above them, in px. */
export interface ListSizes {
  readonly line: number
  readonly head: number
}
/** Lines drawn beyond both edges, for the frames in which scrolling is ahead of drawing. */
const overscan = 6

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

export const nothingDrawn: DrawnLines = { first: 0, last: 0, top: 0, slots: 1, highest: 0 }

/**
 * Which lines of a list are drawn in `grid`, an element that scrolls and may begin with a sticky head. All lines are equally
 * high, so a position is a multiplication and nothing is kept per line.
 */
export class RowScroll {
  drawn = nothingDrawn
  readonly #grid: HTMLElement
  readonly #sizes: ListSizes
  readonly #scroll: ScaledScroll
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
    this.#scroll = new ScaledScroll({
      get scrollTop() {
        return grid.scrollTop
      },
      set scrollTop(top: number) {
        setOwnScroll()
        grid.scrollTop = top
      },
      listHeight: () => this.#height
    })
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
    resized.observe(this.#grid)
    this.#grid.addEventListener('scroll', onScroll, { passive: true })
    this.#grid.addEventListener('scrollend', onRest)
    this.#grid.addEventListener('wheel', onWheel, { passive: true })
    this.#grid.addEventListener('pointerdown', onPointerDown, { passive: true })
    return () => {
      this.#onChange = () => {}
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
    this.#scroll.setTotal(count * this.#sizes.line)
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

  #draw(): void {
    const { offset, shift } = this.#scroll
    const highest = Math.max(0, Math.floor(offset / this.#sizes.line))
    const first = Math.max(0, highest - overscan)
    const last = Math.min(this.#count, Math.ceil((offset + this.#height) / this.#sizes.line) + overscan)
    const top = first * this.#sizes.line + shift
    const slots = Math.ceil(this.#height / this.#sizes.line) + 2 * overscan + 1
    const { drawn } = this
    const isSame = drawn.first === first && drawn.last === last && drawn.top === top && drawn.slots === slots
    if (isSame && drawn.highest === highest) return
    this.drawn = { first, last, top, slots, highest }
    this.#onChange()
  }
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
