import { useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type DrawnLines, type ListSizes, nothingDrawn, RowScroll } from '../../ui/row-scroll.ts'

const neverChanges = () => () => {}

/** A list of equally high lines that scrolls: which of its lines are drawn. */
export interface List {
  readonly element: HTMLElement | null
  readonly setElement: (element: HTMLElement | null) => void
  readonly scroll: RowScroll | null
  readonly drawn: DrawnLines
}

/** `count` lines; `line` and `head` are their heights, as `ListSizes` has them. */
export function useList(count: number, { line, head }: ListSizes): List {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const scroll = useMemo(
    () => (element === null ? null : new RowScroll(element, { line, head })),
    [element, line, head]
  )
  const drawn = useSyncExternalStore(scroll?.subscribe ?? neverChanges, () => scroll?.drawn ?? nothingDrawn)
  useLayoutEffect(() => scroll?.setCount(count, false), [scroll, count])
  return { element, setElement, scroll, drawn }
}
