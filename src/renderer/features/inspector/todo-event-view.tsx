import { useMemo, useRef, useSyncExternalStore } from 'react'
import type { AgentEvent } from '#core/events/agent-event.ts'
import type { TodoItem } from '#core/events/todo.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { type ItemChange, itemChanges } from '../todos/item-changes.ts'
import { changeWords, listChanges, removedOf } from '../todos/list-changes.ts'
import { TodoLine } from '../todos/todo-line.tsx'
import { useLinesInView } from '../todos/use-lines-in-view.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatPlural } from '../../ui/format.ts'

/** Further removed items are only counted. */
const maxRemoved = 50

/** The whole list of a todo event, with what it changed. */
export function TodoEventView({ event, row }: { event: Extract<AgentEvent, { type: 'todo_list' }>; row: number }) {
  const { todos } = useLogParts()
  const seq = useLog((log) => log.columns.seq[row] ?? -1)
  const track = useLog((log) => log.columns.track[row] ?? 0)
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const index = todos.indexAt(seq, track)
  // A list without a change has no snapshot.
  const same = index >= 0 && todos.seqAt(index) < seq
  const known = same ? undefined : todos.snapshot(index)
  const changes = useMemo(() => (known === undefined ? [] : listChanges(known)), [known])
  const itemChanged = useMemo(() => itemChanges([...event.items], changes), [event, changes])
  const removed = useMemo(() => removedOf(changes), [changes])
  return (
    <section className="block todo-event" aria-label="Todo list">
      <header className="hstack t2 caption">
        <span>
          {known === undefined ? (same ? 'no change' : 'Todo list') : changeWords(changes, known.moreChanges)}
        </span>
      </header>
      {event.items.length === 0 && <p className="text t3">The list was cleared.</p>}
      <EventItems items={event.items} changes={itemChanged} />
      {removed.slice(0, maxRemoved).map(({ text, dropped }, position) => (
        <div key={position} className="todo t3">
          <span />
          <del className="todo-text cut">{displayText(text)}</del>
          <span className="badge">{dropped ? 'dropped' : 'removed'}</span>
        </div>
      ))}
      {removed.length > maxRemoved && (
        <p className="text t3">{formatPlural(removed.length - maxRemoved, 'more item')} removed.</p>
      )}
    </section>
  )
}

/** The items. A long list is virtualized: it scrolls, with one line per item. */
function EventItems({ items, changes }: { items: readonly TodoItem[]; changes: readonly (ItemChange | null)[] }) {
  const scroll = useRef<HTMLDivElement>(null)
  const changed = changes.findIndex((change) => change !== null)
  const lines = useLinesInView(scroll, items.length, changed, changes)
  const scrolls = lines.all ? {} : { tabIndex: 0, role: 'group', 'aria-label': 'Items', 'data-long': '' }
  return (
    <div className="todo-event-items" ref={scroll} {...scrolls}>
      <ul style={lines.style}>
        {items.slice(lines.first, lines.last).map((item, offset) => {
          const place = lines.first + offset
          return (
            <li
              key={place}
              aria-setsize={lines.all ? undefined : items.length}
              aria-posinset={lines.all ? undefined : place + 1}
            >
              <TodoLine item={item} change={changes[place] ?? null} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}
