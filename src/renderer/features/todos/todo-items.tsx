import { useEffect, useRef, useState } from 'react'
import type { TodoSnapshot } from '#contract/methods.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { marksOf, removedOf } from './item-marks.ts'
import { TodoLine } from './todo-line.tsx'

/**
 * The items of a list. `here`: the playhead is on the very event that made it. A list that is longer than its panel can
 * fold what is completed and did not change; what changed is scrolled into view.
 */
export function TodoItems({ snapshot, here }: { snapshot: TodoSnapshot; here: boolean }) {
  const scroll = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState(false)
  const overflows = useOverflow(scroll, snapshot)
  const marks = marksOf(snapshot)
  const removed = removedOf(snapshot.changes)
  const isQuiet = (place: number) => snapshot.items[place]?.status === 'completed' && marks[place] === null
  const quiet = marks.filter((_, place) => isQuiet(place)).length

  const foldable = (overflows || folded) && quiet > 1
  useChangeInView(scroll, snapshot, foldable)

  if (snapshot.items.length === 0) {
    return (
      <div className="todos-list">
        <p className="todos-empty t3">The list was cleared.</p>
        <Removed texts={removed} />
      </div>
    )
  }
  return (
    <>
      {foldable && (
        <button type="button" className="todos-fold" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
          <Icon name={folded ? 'right' : 'down'} size={12} />
          {formatCount(quiet)} completed, unchanged
        </button>
      )}
      <div className="todos-list" ref={scroll} tabIndex={0} role="group" aria-label="Items">
        <ul>
          {snapshot.items.map((item, place) =>
            folded && isQuiet(place) ? null : (
              <li
                key={place}
                data-status={item.status}
                data-changed={here && marks[place] !== null ? 'true' : undefined}
              >
                <TodoLine item={item} mark={marks[place] ?? null} />
              </li>
            )
          )}
        </ul>
        <Removed texts={removed} />
      </div>
    </>
  )
}

/** Items the change took away: they are no longer in the list. */
function Removed({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <p className="todos-removed">
      <span className="badge">removed</span>
      {texts.map((text, position) => (
        <del key={position}>{displayText(text)}</del>
      ))}
    </p>
  )
}

/**
 * Scrolls to what a new list changed, or to what is in progress. Where that lies is told by an observer, when the page is
 * laid out anyway: to ask for it here would lay the page out once more in each frame of a drag.
 */
function useChangeInView(
  scroll: { readonly current: HTMLElement | null },
  snapshot: TodoSnapshot,
  foldable: boolean
): void {
  useEffect(() => {
    const box = scroll.current
    const target = box?.querySelector('[data-marked="true"]') ?? box?.querySelector('.todo-in_progress')
    if (!box || !target) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        observer.disconnect()
        if (entry === undefined || entry.rootBounds === null || entry.intersectionRatio >= 0.99) return
        const { boundingClientRect: item, rootBounds: room } = entry
        const above = item.top < room.top
        box.scrollTop += above ? item.top - room.top : item.bottom - room.bottom
      },
      { root: box }
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [scroll, snapshot, foldable])
}

/** Whether the list does not fit its box, as the box and the list change. */
function useOverflow(scroll: { readonly current: HTMLElement | null }, snapshot: TodoSnapshot): boolean {
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const box = scroll.current
    if (box === null) return
    const observer = new ResizeObserver(() => setOverflows(box.scrollHeight > box.clientHeight + 1))
    observer.observe(box)
    for (const child of box.children) observer.observe(child)
    return () => observer.disconnect()
  }, [scroll, snapshot])
  return overflows
}
