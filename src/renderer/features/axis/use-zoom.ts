import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { EventScale } from '#core/replay/event-scale.ts'
import { following, isInView, panned, type AxisView, wholeView, zoomed } from './axis-view.ts'

/** A wheel notch of 100 px zooms by a quarter. A pinch gesture arrives as Ctrl with far smaller distances. */
const perWheelPixel = Math.log(1.25) / 100
const perPinchPixel = perWheelPixel * 5
/** Wheel units (px, lines, pages) in px. */
const wheelUnits = [1, 33, 400]

/** The visible part of the session, and ways to change it. */
export interface Zoom {
  readonly view: AxisView
  /** False: the whole session is shown, also as it grows. */
  readonly zoomed: boolean
  /** Shows `factor` times as much, around the playhead if visible, else around the middle. */
  by(factor: number): void
  reset(): void
  /** Holds the place under `x` px; a drag then pans. */
  grab(x: number): void
  drag(x: number): void
  letGo(): void
  readonly grabbed: boolean
}

/** What can be shown: the line from `from`, 0 if not given, to `total`, and the shortest useful part of it. */
type ZoomedLine = Pick<EventScale, 'total' | 'least'> & { readonly from?: number }

/**
 * The zoom of `strip`, whose playhead is at `place`. The wheel zooms at the pointer; sideways it pans. `withCtrl`: it zooms
 * only with Ctrl and pans only with Shift or sideways, and scrolls otherwise.
 */
export function useZoom(
  strip: HTMLElement | null,
  { total: end, least, from: start = 0 }: ZoomedLine,
  placeOnScale: number,
  withCtrl = false
): Zoom {
  const [part, setPart] = useState<AxisView | null>(null)
  const [partOf, setPartOf] = useState(start)
  if (partOf !== start) {
    // Another part of the session is shown whole.
    setPartOf(start)
    setPart(null)
  }
  const [held, setHeld] = useState<{ x: number; view: AxisView } | null>(null)
  // Inside, places are counted from `start`.
  const total = end - start
  const place = placeOnScale - start
  const view = part === null || part.to - part.from >= total ? wholeView(total) : panned(part, total, 0)
  const latest = useRef({ view, total, least })
  useLayoutEffect(() => {
    latest.current = { view, total, least }
  })

  useLayoutEffect(() => {
    if (place < 0 || place > latest.current.total) return
    setPart((shown) => (shown === null ? null : following(shown, latest.current.total, place)))
  }, [place])

  useEffect(() => {
    if (strip === null) return
    const onWheel = (event: WheelEvent) => {
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (withCtrl && !event.ctrlKey && !event.metaKey && !sideways) return
      // Ctrl and the wheel would zoom the page.
      event.preventDefault()
      const { view: shown, ...line } = latest.current
      const { left, width } = strip.getBoundingClientRect()
      const span = shown.to - shown.from
      const unit = wheelUnits[event.deltaMode] ?? 1
      if (sideways) {
        const moved = (event.deltaX || event.deltaY) * unit
        setPart((before) => before && panned(shown, line.total, (moved / width) * span))
        return
      }
      const at = shown.from + ((event.clientX - left) / width) * span
      const factor = Math.exp(event.deltaY * unit * (event.ctrlKey ? perPinchPixel : perWheelPixel))
      setPart(zoomed(shown, line, at, factor))
    }
    strip.addEventListener('wheel', onWheel, { passive: false })
    return () => strip.removeEventListener('wheel', onWheel)
  }, [strip, withCtrl])

  return {
    view: { from: view.from + start, to: view.to + start },
    zoomed: view.to - view.from < total,
    by(factor) {
      const at = isInView(place, view) ? place : (view.from + view.to) / 2
      setPart(zoomed(view, { total, least }, at, factor))
    },
    reset: () => setPart(null),
    grab: (x) => setHeld({ x, view }),
    drag(x) {
      const width = strip?.clientWidth ?? 0
      if (held === null || width === 0) return
      setPart(panned(held.view, total, ((held.x - x) / width) * (view.to - view.from)))
    },
    letGo: () => setHeld(null),
    grabbed: held !== null
  }
}
