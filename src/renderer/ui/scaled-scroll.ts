/** Chromium clamps an element's height to 33,554,428 px; a spacer stays well below. */
const maxSpacer = 8_000_000
/** So near to its ends a list that is scaled down is not: pixels of the spacer are pixels of the list. */
const endMargin = 20_000
/** What the wheel moves in a frame is less than so many times what is visible; a pixel of the thumb is more. */
const wheelReach = 20

/** The rows that an element has room for, each `line` px high: as many as the list has lines, or fewer. */
export function rowsOf(count: number, line: number): number {
  return Math.min(count, Math.floor(maxSpacer / line))
}

/** What is used of the element that scrolls. */
export interface ScrollElement {
  scrollTop: number
  /** Pixels of the list that are visible. */
  listHeight(): number
}

/**
 * The scroll position of a list that may be taller than an element can be. The element has `rowsOf` rows and is scrolled
 * by `top` px; line n of the list stands in row n + `shift` just now. Small moves (wheel, keys) are 1:1, jumps (the thumb)
 * are proportional, and at rest the thumb is put where it belongs without moving the content.
 */
export class ScaledScroll {
  top = 0
  shift = 0
  readonly #element: ScrollElement
  readonly #line: number
  #count = 0

  /** `line`: how high a line is, in px. */
  constructor(element: ScrollElement, line: number) {
    this.#element = element
    this.#line = line
  }

  /** Pixels from the list's start to the first visible one. */
  get offset(): number {
    return this.top - this.shift * this.#line
  }

  /** The list has grown or shrunk; what is visible stays, as far as it is still there. */
  setCount(count: number): void {
    this.#count = count
    if (!this.#isScaled() || this.offset > this.#room() || this.#isCramped()) this.scrollTo(this.offset)
  }

  /** More or less of the list is visible than before: from the same line on. */
  onResize(): void {
    this.scrollTo(this.offset)
  }

  /** The element has scrolled. `byWheel`: by a wheel or a finger, which move the list itself; else it may have been the thumb. */
  onScroll(byWheel: boolean): void {
    const top = this.#element.scrollTop
    const moved = top - this.top
    if (moved === 0) return
    const reach = this.#element.listHeight() * (byWheel ? wheelReach : 1)
    const atEdge = top <= 0 || top >= this.#physicalRoom() - 1
    this.top = top
    if (!this.#isScaled()) this.shift = 0
    else if (Math.abs(moved) > reach || (atEdge && !byWheel)) this.shift = this.#shiftOf(top - this.#offsetOf(top))
    if (this.offset !== this.#clamp(this.offset) || this.#isCramped()) this.scrollTo(this.offset)
  }

  /** Scrolling has come to rest: the thumb is put right. */
  onRest(): void {
    if (this.#isScaled()) this.scrollTo(this.offset)
  }

  scrollTo(wanted: number): void {
    const offset = this.#clamp(wanted)
    this.shift = this.#isScaled() ? this.#shiftOf(this.#topOf(offset) - offset) : 0
    const top = offset + this.shift * this.#line
    // The element is not asked where it is: that would lay out the page. It says so by itself when it scrolls.
    if (top === this.top) return
    this.top = top
    this.#element.scrollTop = top
  }

  #isScaled(): boolean {
    return rowsOf(this.#count, this.#line) < this.#count
  }

  /** The element is about to end where the list goes on: it could not be scrolled any further. */
  #isCramped(): boolean {
    if (!this.#isScaled()) return false
    const height = this.#element.listHeight()
    const below = this.#room() - this.offset
    return this.top < Math.min(this.offset, height) || this.#physicalRoom() - this.top < Math.min(below, height)
  }

  #room(): number {
    return Math.max(0, this.#count * this.#line - this.#element.listHeight())
  }

  #physicalRoom(): number {
    return Math.max(0, rowsOf(this.#count, this.#line) * this.#line - this.#element.listHeight())
  }

  /** How many pixels of the list a pixel of the spacer stands for, but near the ends. */
  #ratio(): number {
    return (this.#room() - 2 * endMargin) / (this.#physicalRoom() - 2 * endMargin)
  }

  #topOf(offset: number): number {
    const below = this.#room() - offset
    if (offset <= endMargin) return offset
    return below <= endMargin ? this.#physicalRoom() - below : endMargin + (offset - endMargin) / this.#ratio()
  }

  #offsetOf(top: number): number {
    const below = this.#physicalRoom() - top
    if (top <= endMargin) return this.#clamp(top)
    return this.#clamp(below <= endMargin ? this.#room() - below : endMargin + (top - endMargin) * this.#ratio())
  }

  /** Whole lines, so that each line of the list stands in a row of the element. */
  #shiftOf(px: number): number {
    return Math.round(px / this.#line)
  }

  #clamp(offset: number): number {
    return Math.max(0, Math.min(this.#room(), offset))
  }
}
