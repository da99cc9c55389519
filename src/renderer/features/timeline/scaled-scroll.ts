/** Chromium clamps an element's height to 33,554,428 px; a spacer stays well below. */
export const maxSpacer = 8_000_000

/** What is used of the element that scrolls. */
export interface ScrollElement {
  scrollTop: number
  /** Pixels of the list that are visible. */
  listHeight(): number
}

/**
 * The scroll position of a list that may be taller than an element can be. The element scrolls `physical` pixels, the
 * list has `total`; `shift` is how far they are apart just now. Small moves (wheel, keys) are 1:1, jumps (the thumb) are
 * proportional, and at rest the thumb is put where it belongs without moving the content.
 */
export class ScaledScroll {
  /** Pixels from the list's start to the first visible one. */
  offset = 0
  readonly #element: ScrollElement
  #total = 0
  #top = 0

  constructor(element: ScrollElement) {
    this.#element = element
  }

  /** Where in the spacer the list's pixel 0 lies. */
  get shift(): number {
    return this.#top - this.offset
  }

  /** The list has grown or shrunk; what is visible stays. */
  setTotal(total: number): void {
    this.#total = total
    if (total <= maxSpacer) this.scrollTo(this.offset)
  }

  /** The element has scrolled. */
  onScroll(): void {
    const top = this.#element.scrollTop
    const moved = top - this.#top
    const atEdge = top <= 0 || top >= this.#physicalRoom() - 1
    if (this.#total <= maxSpacer) this.offset = top
    else if (atEdge || Math.abs(moved) > this.#element.listHeight() * 2) this.offset = this.#clamp(top * this.#ratio())
    else this.offset = this.#clamp(this.offset + moved)
    this.#top = top
  }

  /** Scrolling has come to rest: the thumb is put right. */
  onRest(): void {
    if (this.#total > maxSpacer) this.scrollTo(this.offset)
  }

  scrollTo(offset: number): void {
    this.offset = this.#clamp(offset)
    const top = Math.round(this.offset / this.#ratio())
    // The element is not asked where it is: that would lay out the page. It says so by itself when it scrolls.
    if (top === this.#top) return
    this.#top = top
    this.#element.scrollTop = top
  }

  #physicalRoom(): number {
    return Math.max(0, Math.min(this.#total, maxSpacer) - this.#element.listHeight())
  }

  #ratio(): number {
    const room = this.#physicalRoom()
    return room === 0 ? 1 : (this.#total - this.#element.listHeight()) / room
  }

  #clamp(offset: number): number {
    return Math.max(0, Math.min(this.#total - this.#element.listHeight(), offset))
  }
}
