import { describe, expect, it } from 'vitest'
import { maxSpacer, ScaledScroll } from './scaled-scroll.ts'

const height = 600

/** An element as a browser scrolls one: whole pixels, and not past its end. */
function scrolled(total: number) {
  const element = {
    listHeight: () => height,
    top: 0,
    get scrollTop() {
      return this.top
    },
    set scrollTop(top: number) {
      this.top = Math.max(0, Math.min(Math.round(top), Math.max(0, Math.min(total, maxSpacer) - height)))
    }
  }
  const scroll = new ScaledScroll(element)
  scroll.setTotal(total)
  const move = (top: number) => {
    element.scrollTop = top
    scroll.onScroll()
  }
  return { element, scroll, move }
}

describe('ScaledScroll', () => {
  it('is the element itself while the list fits', () => {
    const { scroll, move } = scrolled(10_000)
    move(1234)
    expect([scroll.offset, scroll.shift]).toEqual([1234, 0])
  })

  it.each([24_000_000, 500_000_000])('reaches both ends of %i pixels', (total) => {
    const { scroll, move } = scrolled(total)
    scroll.scrollTo(Infinity)
    expect(scroll.offset).toBe(total - height)
    move(0)
    expect(scroll.offset).toBe(0)
    move(maxSpacer)
    expect(scroll.offset).toBe(total - height)
  })

  it('moves by exactly what the wheel moved, and stays there when the thumb is put right', () => {
    const { element, scroll, move } = scrolled(500_000_000)
    scroll.scrollTo(250_000_000)
    move(element.scrollTop + 100)
    expect(scroll.offset).toBe(250_000_100)
    scroll.onRest()
    expect(scroll.offset).toBe(250_000_100)
    expect(element.scrollTop / (maxSpacer - height)).toBeCloseTo(scroll.offset / (500_000_000 - height), 6)
  })

  it('keeps its place while the list grows', () => {
    const { scroll, move } = scrolled(6_000_000)
    move(5_000_000)
    scroll.setTotal(60_000_000)
    expect(scroll.offset).toBe(5_000_000)
  })
})
