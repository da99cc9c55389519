import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { TodoSnapshot } from '#contract/methods.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import { itemAge, type Moment } from './item-age.ts'
import { itemChanges } from './item-changes.ts'
import { type ListChange, type RemovedItem, removedOf } from './list-changes.ts'
import { statusWords } from './status-words.ts'
import { TodoLine } from './todo-line.tsx'
import { useLinesInView } from './use-lines-in-view.ts'
import { useSmallWindow } from './use-small-window.ts'

/** The items of a list at `now`, `missing` of them not loaded. A long list can collapse completed items. */
export function TodoItems({
  snapshot,
  changes,
  now,
  missing
}: {
  snapshot: TodoSnapshot
  changes: readonly ListChange[]
  now: Moment
  missing: number
}) {
  const scroll = useRef<HTMLDivElement>(null)
  const small = useSmallWindow()
  /** Null: no choice yet. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const collapsed = wanted ?? small
  const overflows = useOverflow(scroll, snapshot)
  const { items } = snapshot
  const changedItems = useMemo(() => itemChanges(items, changes), [items, changes])
  const removed = useMemo(() => removedOf(changes), [changes])
  const loud = useMemo(
    () => [...items.keys()].filter((place) => items[place]?.status !== 'completed' || changedItems[place] !== null),
    [items, changedItems]
  )
  const quiet = items.length - loud.length
  const collapsible = (overflows || collapsed) && quiet > 1
  const shown = collapsed && collapsible ? loud : null
  const count = shown?.length ?? items.length
  const firstChanged = changedItems.findIndex((change) => change !== null)
  const target = firstChanged >= 0 ? firstChanged : items.findIndex(({ status }) => status === 'in_progress')
  const lines = useLinesInView(scroll, count, shown === null ? target : shown.indexOf(target), snapshot)
  const here = snapshot.seq === now.seq

  if (items.length === 0) {
    return (
      <div className="todos-list fill">
        <p className="panel-note t3">The list was cleared.</p>
        <Removed items={removed} />
      </div>
    )
  }
  return (
    <>
      {collapsible && (
        <button
          type="button"
          className="todos-fold hstack rigid t3"
          aria-expanded={!collapsed}
          onClick={() => setWanted(!collapsed)}
        >
          <Icon name={collapsed ? 'right' : 'down'} size={12} />
          <span className="cut">{formatCount(quiet)} completed, unchanged</span>
        </button>
      )}
      <div className="todos-list fill" ref={scroll} tabIndex={0} role="group" aria-label="Items">
        <ul style={lines.style}>
          {Array.from({ length: lines.last - lines.first }, (_, offset) => {
            const at = lines.first + offset
            const place = shown?.[at] ?? at
            const item = items[place]
            if (item === undefined) return null
            return (
              <li
                key={place}
                data-status={item.status}
                data-changed={here && changedItems[place] !== null ? 'true' : undefined}
                aria-setsize={lines.all ? undefined : count}
                aria-posinset={lines.all ? undefined : at + 1}
              >
                <TodoLine item={item} change={changedItems[place] ?? null} age={itemAge(snapshot, place, now)} />
              </li>
            )
          })}
        </ul>
        {missing > 0 && (
          <p className="panel-note t3">
            {formatPlural(missing, 'more item')}. The Raw tab of the event shows all items.
          </p>
        )}
        <Removed items={removed} />
      </div>
    </>
  )
}

/** Items that the change removed from the list. */
function Removed({ items }: { items: readonly RemovedItem[] }) {
  if (items.length === 0) return null
  return (
    <div className="t3" role="group" aria-label="Removed">
      {items.slice(0, maxRemoved).map(({ text, status, dropped }, position) => {
        const { icon, tone } = todoLook(status)
        return (
          <div key={position} className="todo">
            <Icon name={icon} tone={tone} label={`was ${statusWords[status]}`} />
            <del className="todo-text cut" dir="auto" title={displayText(text)}>
              {displayText(text)}
            </del>
            <span className="badge">{dropped ? 'dropped' : 'removed'}</span>
          </div>
        )
      })}
      {items.length > maxRemoved && (
        <p className="panel-note t3">{formatPlural(items.length - maxRemoved, 'more item')} removed.</p>
      )}
    </div>
  )
}

/** Further ones are only counted. */
const maxRemoved = 50

/** Whether the list overflows its box, as both change. */
function useOverflow(scroll: RefObject<HTMLElement | null>, snapshot: TodoSnapshot): boolean {
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
