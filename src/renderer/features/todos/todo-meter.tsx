import type { TodoItem, TodoStatus } from '#core/events/todo.ts'
import { formatCount } from '../../ui/format.ts'

/** With more items a segment would be too narrow. */
const maxSegments = 30

const statusOrder: readonly TodoStatus[] = ['completed', 'in_progress', 'pending', 'cancelled']

/** The progress of a list: a segment per item, or one bar for a long list. `dropped`: items no longer in it. */
export function TodoMeter({ items, dropped }: { items: readonly TodoItem[]; dropped: number }) {
  const completed = items.filter((item) => item.status === 'completed').length
  const parts =
    items.length <= maxSegments
      ? items.map((item) => ({ status: item.status, size: 1 }))
      : statusOrder.map((status) => ({ status, size: items.filter((item) => item.status === status).length }))
  return (
    <span
      className="todo-meter"
      role="img"
      aria-label={`${formatCount(completed)} of ${formatCount(items.length)} completed${
        dropped > 0 ? `, ${formatCount(dropped)} dropped` : ''
      }`}
    >
      {parts
        .filter((part) => part.size > 0)
        .map((part, position) => (
          <i key={position} className={`todo-part ${part.status}`} style={{ flexGrow: part.size }} />
        ))}
    </span>
  )
}
