/** Chromium limits an element's height to 33,554,428 px. */
const maxSpacer = 8_000_000
/** Within this distance of its ends a list is not scaled: one spacer pixel is one list pixel. */
const endMargin = 20_000
/** The wheel moves less than this many viewports per frame; one pixel of the thumb moves more. */
const wheelReach = 20

/** The number of rows, each `line` px high, that an element can have: at most the lines of the list. */
export function rowsOf(count: number, line: number): number {
  return Math.min(count, Math.floor(maxSpacer / line))
}

/** The used members of the scrolling element. */
export interface ScrollElement {
  scrollTop: number
  /** Visible pixels of the list. */
  listHeight(): number
}

/**
 * The scroll position of a list that may be taller than an element can be. The element has `rowsOf` rows and the scroll
 * position `top` in px; line n of the list is in row n + `shift`. Small moves (wheel, keys) are 1:1, jumps (thumb)
 * proportional. At rest the thumb is corrected without moving the content.
 */
export class ScaledScroll {
  top = 0
  shift = 0
  readonly #element: ScrollElement
  readonly #line: number
  #count = 0

  /** `line`: height of a line in px. */
  constructor(element: ScrollElement, line: number) {
    this.#element = element
    this.#line = line
  }

  /** Pixels from the list's start to the first visible one. */
  get offset(): number {
    return this.top - this.shift * this.#line
  }

  /** After the list has grown or shrunk. Visible lines that still exist stay in place. */
  setCount(count: number): void {
    this.#count = count
    if (!this.#isScaled() || this.offset > this.#room() || this.#isCramped()) this.scrollTo(this.offset)
  }

  /** After a resize. The first visible line stays. */
  onResize(): void {
    this.scrollTo(this.offset)
  }

  /** After a scroll event. `byWheel`: by wheel or touch, which move the list 1:1; else it may be the thumb. */
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

  /** After scrolling has stopped: corrects the thumb. */
  onRest(): void {
    if (this.#isScaled()) this.scrollTo(this.offset)
  }

  scrollTo(wanted: number): void {
    const offset = this.#clamp(wanted)
    this.shift = this.#isScaled() ? this.#shiftOf(this.#topOf(offset) - offset) : 0
    const top = offset + this.shift * this.#line
    // Reading the element's position would force a layout. It reports its position itself.
    if (top === this.top) return
    this.top = top
    this.#element.scrollTop = top
  }

  #isScaled(): boolean {
    return rowsOf(this.#count, this.#line) < this.#count
  }

  /** Whether the element is about to end before the list does. */
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

  /** List pixels per spacer pixel, except near the ends. */
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

  /** Whole lines, so that each line of the list is in one row of the element. */
  #shiftOf(px: number): number {
    return Math.round(px / this.#line)
  }

  #clamp(offset: number): number {
    return Math.max(0, Math.min(this.#room(), offset))
  }
}
