import { useSyncExternalStore } from 'react'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { useLog } from '../../stores/log-store.ts'
import { marksOf } from '../todos/item-marks.ts'
import { changeWords, listChanges, removedOf } from '../todos/list-changes.ts'
import { TodoLine } from '../todos/todo-line.tsx'
import { displayText } from '../../ui/display-text.ts'

/** The list a todo event states, whole, with what it changed. */
export function TodoEventView({ event, row }: { event: Extract<AgentEvent, { type: 'todo_list' }>; row: number }) {
  const todos = useLog((log) => log.todos)
  const seq = useLog((log) => log.columns.seq[row] ?? -1)
  const track = useLog((log) => log.columns.track[row] ?? 0)
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const index = todos.indexAt(seq, track)
  const known = index >= 0 && todos.seqAt(index) === seq ? todos.snapshot(index) : undefined
  const changes = known === undefined ? [] : listChanges(known)
  const marks = marksOf([...event.items], changes)
  const removed = removedOf(changes)
  return (
    <section className="block todo-event" aria-label="Todo list">
      <header>
        <span>{known === undefined ? 'Todo list' : changeWords(changes)}</span>
      </header>
      {event.items.length === 0 && <p className="text t3">The list was cleared.</p>}
      {event.items.map((item, place) => (
        <TodoLine key={place} item={item} mark={marks[place] ?? null} />
      ))}
      {removed.map(({ text }, position) => (
        <div key={position} className="todo t3">
          <span />
          <del className="todo-text">{displayText(text)}</del>
          <span className="badge">removed</span>
        </div>
      ))}
    </section>
  )
}
