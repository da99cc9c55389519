import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** A shorter list is rendered whole. */
const fewLines = 100
/** Lines rendered beyond both edges. */
const overscan = 10

/** Scroll offset and height of the box, and height of a line, in px. */
interface Room {
  readonly top: number
  readonly height: number
  readonly line: number
}

const noRoom: Room = { top: 0, height: 0, line: 28 }

/** The rendered lines of a list: `first` … `last` (exclusive). */
export interface LinesInView {
  readonly first: number
  readonly last: number
  readonly all: boolean
  /** Reserves the space of the other lines. */
  readonly style: CSSProperties | undefined
}

/** The rendered lines of a box with `count` equal ones. Scrolls to `target` (-1: none) when `what` changes. */
export function useLinesInView(
  scroll: RefObject<HTMLElement | null>,
  count: number,
  target: number,
  what: unknown
): LinesInView {
  const [room, setRoom] = useState(noRoom)
  const latest = useRef(noRoom)
  /** The line to scroll into view after the next layout; -1 for none. */
  const waiting = useRef(-1)
  const all = count <= fewLines

  useEffect(() => {
    const box = scroll.current
    if (box === null) return
    const see = (seen: Room) => {
      latest.current = seen
      if (!all) setRoom(seen)
    }
    const look = () => {
      const line = Number.parseFloat(getComputedStyle(box).getPropertyValue('--row-todo')) || noRoom.line
      see({ top: box.scrollTop, height: box.clientHeight, line })
      if (!all && waiting.current >= 0 && box.clientHeight > 0) {
        scrollTo(box, waiting.current, latest.current)
        waiting.current = -1
      }
    }
    const observer = new ResizeObserver(look)
    observer.observe(box)
    const onScroll = () => see({ ...latest.current, top: box.scrollTop })
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [scroll, all])

  useLayoutEffect(() => {
    const box = scroll.current
    if (box === null || all) return
    waiting.current = latest.current.height === 0 ? target : -1
    if (target >= 0 && latest.current.height > 0) scrollTo(box, target, latest.current)
  }, [scroll, all, target, what])

  useEffect(() => {
    const box = scroll.current
    const line = all && target >= 0 ? box?.querySelector('ul')?.children[target] : undefined
    if (!box || !line) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        observer.disconnect()
        if (entry === undefined || entry.rootBounds === null || entry.intersectionRatio >= 0.99) return
        const { boundingClientRect: item, rootBounds: view } = entry
        box.scrollBy(0, item.top < view.top ? item.top - view.top : item.bottom - view.bottom)
      },
      { root: box }
    )
    observer.observe(line)
    return () => observer.disconnect()
  }, [scroll, all, target, what])

  if (all) return { first: 0, last: count, all, style: undefined }
  const first = Math.max(0, Math.min(count, Math.floor(room.top / room.line) - overscan))
  const last = Math.min(count, Math.ceil((room.top + room.height) / room.line) + overscan)
  return { first, last, all, style: { paddingTop: first * room.line, paddingBottom: (count - last) * room.line } }
}

/** Scrolls the box only as far as needed. */
function scrollTo(box: HTMLElement, target: number, { top, height, line }: Room): void {
  if (target * line < top) box.scrollTo(0, target * line)
  else if ((target + 1) * line > top + height) box.scrollTo(0, (target + 1) * line - height)
}
