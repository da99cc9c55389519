import type { TodoItem, TodoStatus } from '#core/events/todo.ts'
import { formatCount } from '../../ui/format.ts'

/** Beyond this many items a segment would be too small to be told from its neighbour. */
const mostSegments = 30

const statusOrder: readonly TodoStatus[] = ['completed', 'in_progress', 'pending', 'cancelled']

/** How far a list is: a segment an item in list order, or for a long list one bar by status. `dropped`: how many items are no longer in it. */
export function TodoMeter({ items, dropped }: { items: readonly TodoItem[]; dropped: number }) {
  const completed = items.filter((item) => item.status === 'completed').length
  const parts =
    items.length <= mostSegments
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
          <i key={position} className={`todo-part-${part.status}`} style={{ flexGrow: part.size }} />
        ))}
    </span>
  )
}
