import './todos.css'
import type { TodoItem, TodoStatus } from '#core/events/todo.ts'
import { displayText } from '../../ui/display-text.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import type { ItemMark } from './item-marks.ts'

const statusWords: Record<TodoStatus, string> = {
  pending: 'pending',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled'
}

/** One item of a todo list: its status, its text, and what the list's last change did to it. */
export function TodoLine({ item, mark }: { item: TodoItem; mark: ItemMark | null }) {
  const { icon, tone } = todoLook(item.status)
  const text = displayText(item.text)
  return (
    <div className={`todo todo-${item.status}`} data-marked={mark !== null}>
      <Icon name={icon} tone={tone} label={statusWords[item.status]} />
      <span className="todo-text" title={text}>
        {text}
      </span>
      {mark !== null && <Change mark={mark} status={item.status} />}
    </div>
  )
}

function Change({ mark, status }: { mark: ItemMark; status: TodoStatus }) {
  return (
    <span className="todo-change">
      {mark.movedFrom !== null && (
        <span className="badge" title={`was at place ${mark.movedFrom + 1}`}>
          <Icon name="moved" size={12} />
          moved
        </span>
      )}
      {mark.added && <span className="badge">added</span>}
      {mark.before !== null && (
        <>
          <StatusIcon status={mark.before} label={`was ${statusWords[mark.before]}`} />
          <span aria-hidden="true">→</span>
          <StatusIcon status={status} />
        </>
      )}
    </span>
  )
}

function StatusIcon({ status, label }: { status: TodoStatus; label?: string }) {
  const { icon, tone } = todoLook(status)
  return <Icon name={icon} size={12} tone={tone} label={label} />
}
