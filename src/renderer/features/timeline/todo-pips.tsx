import './todo-pips.css'
import type { TodoStatus } from '#core/events/todo.ts'

const maxPips = 12

/** A todo list as one pip per item, or as one bar for many items. */
export function TodoPips({
  statuses,
  total,
  completed
}: {
  statuses: readonly TodoStatus[]
  total: number
  completed: number
}) {
  if (total > maxPips || statuses.length < total) {
    return (
      <span className="todo-bar" aria-hidden="true">
        <i style={{ width: `${(completed / Math.max(1, total)) * 100}%` }} />
      </span>
    )
  }
  return (
    <span className="pips" aria-hidden="true">
      {statuses.map((status, index) => (
        <i key={index} className={`todo-part ${status}`} />
      ))}
    </span>
  )
}
