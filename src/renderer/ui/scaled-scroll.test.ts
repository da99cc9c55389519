import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowsOf, ScaledScroll } from './scaled-scroll.ts'

const line = 8
/** The maximum height of an element in px. */
const maxSpacer = rowsOf(Infinity, line) * line

/** An element that scrolls like in a browser: whole pixels, within its ends. */
function scrolled(total: number, height = 600) {
  const list = { total, height }
  const room = () => Math.max(0, Math.min(list.total, maxSpacer) - list.height)
  const element = {
    listHeight: () => list.height,
    top: 0,
    get scrollTop() {
      return this.top
    },
    set scrollTop(top: number) {
      this.top = Math.max(0, Math.min(Math.round(top), room()))
    }
  }
  const scroll = new ScaledScroll(element, line)
  scroll.setCount(total / line)
  const resize = (changed: Partial<typeof list>) => {
    Object.assign(list, changed)
    // The browser keeps the element within its end before it reports anything.
    element.scrollTop = element.top
    if (changed.total !== undefined) scroll.setCount(changed.total / line)
    if (changed.height !== undefined) scroll.onResize()
    scroll.onScroll(false)
  }
  return {
    element,
    scroll,
    resize,
    end: () => list.total - list.height,
    drag(top: number) {
      element.scrollTop = top
      scroll.onScroll(false)
    },
    /** A notch of the wheel, in as many frames as smooth scrolling takes. */
    wheel(by: number, frames = 4) {
      for (let frame = 0; frame < frames; frame++) {
        element.scrollTop = element.top + by / frames
        scroll.onScroll(true)
      }
    }
  }
}

const large = [24_000_000, 120_000_000, 480_000_000]

describe('ScaledScroll', () => {
  it('is the element itself while the list fits', () => {
    const { scroll, drag } = scrolled(10_000)
    drag(1234)
    expect([scroll.offset, scroll.shift]).toEqual([1234, 0])
  })

  it.each(large)('reaches both ends of %i pixels', (total) => {
    const { scroll, drag, end } = scrolled(total)
    scroll.scrollTo(Infinity)
    expect(scroll.offset).toBe(end())
    drag(0)
    expect(scroll.offset).toBe(0)
    drag(maxSpacer)
    expect(scroll.offset).toBe(end())
  })

  it.each(large)('moves by exactly what the wheel moved, wherever in %i pixels, also without a rest', (total) => {
    const at = fc.oneof(
      fc.nat(total),
      fc.nat(3000),
      fc.nat(3000).map((above) => total - above)
    )
    fc.assert(
      fc.property(
        at,
        fc.array(fc.record({ by: fc.constantFrom(-2400, -100, 100, 2400), rest: fc.boolean() })),
        (from, notches) => {
          const { scroll, wheel, end } = scrolled(total)
          scroll.scrollTo(from)
          let wanted = scroll.offset
          for (const { by, rest } of notches) {
            wheel(by)
            wanted = Math.max(0, Math.min(end(), wanted + by))
            expect(scroll.offset).toBe(wanted)
            if (rest) scroll.onRest()
            expect(scroll.offset).toBe(wanted)
          }
        }
      )
    )
  })

  it('continues when the wheel moves beyond the height of the element', () => {
    const { scroll, wheel } = scrolled(480_000_000)
    scroll.scrollTo(1_000_000)
    for (let notch = 0; notch < 500; notch++) wheel(-1200)
    expect(scroll.offset).toBe(400_000)
  })

  it('corrects the thumb at rest', () => {
    const { element, scroll, wheel } = scrolled(480_000_000)
    scroll.scrollTo(240_000_000)
    for (let notch = 0; notch < 100; notch++) wheel(1200)
    scroll.onRest()
    expect(scroll.offset).toBe(240_120_000)
    expect(element.scrollTop / maxSpacer).toBeCloseTo(scroll.offset / 480_000_000, 3)
  })

  it('follows the thumb proportionally, there and back', () => {
    const { scroll, drag } = scrolled(120_000_000)
    for (let top = 0; top <= maxSpacer; top += 13_333) drag(top)
    drag(maxSpacer / 2)
    expect(scroll.offset / 120_000_000).toBeCloseTo(0.5, 4)
    for (let top = maxSpacer / 2; top > 0; top -= 13_333) drag(top)
    drag(0)
    expect(scroll.offset).toBe(0)
  })

  it('keeps its place while the list grows beyond the maximum height', () => {
    const { scroll, drag, resize, wheel } = scrolled(6_000_000)
    drag(5_000_000)
    for (const total of [7_000_000, 9_000_000, 60_000_000, 60_000_024]) {
      resize({ total })
      expect(scroll.offset).toBe(5_000_000)
    }
    wheel(100)
    expect(scroll.offset).toBe(5_000_100)
  })

  it('keeps its place at the end when rows are added, and scrolls on', () => {
    const { scroll, resize, wheel, end } = scrolled(120_000_000)
    scroll.scrollTo(Infinity)
    const before = scroll.offset
    for (let row = 1; row <= 100; row++) resize({ total: 120_000_000 + row * 24 })
    expect(scroll.offset).toBe(before)
    for (let notch = 0; notch < 24; notch++) wheel(100)
    expect(scroll.offset).toBe(end())
  })

  it('keeps its first line when resized, except at the end', () => {
    for (const total of [100_000, ...large]) {
      const { scroll, resize, end } = scrolled(total)
      for (const from of [0, total / 2, total - 2000]) {
        scroll.scrollTo(from)
        for (const height of [900, 300, 601, 600]) {
          resize({ height })
          expect(scroll.offset).toBe(Math.min(from, end()))
        }
      }
      scroll.scrollTo(Infinity)
      resize({ height: 900 })
      expect(scroll.offset).toBe(end())
    }
  })

  it('ends at the end of a shortened list', () => {
    const { scroll, resize, end } = scrolled(480_000_000)
    scroll.scrollTo(Infinity)
    for (const total of [240_000_000, 6_000_000, 12_000_000, 600]) {
      resize({ total })
      expect(scroll.offset).toBe(Math.min(scroll.offset, end()))
      expect(scroll.offset).toBeGreaterThanOrEqual(Math.min(end(), 6_000_000 - 600))
    }
    expect(scroll.offset).toBe(0)
  })
})
