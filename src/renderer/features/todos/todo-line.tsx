import './todos.css'
import type { TodoItem, TodoStatus } from '#core/events/todo.ts'
import { displayText } from '../../ui/display-text.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import type { ItemMark } from './item-marks.ts'
import { statusWords } from './status-words.ts'

/** For how long an item has had its status: short, and in words. */
export interface ItemAge {
  readonly text: string
  readonly title: string
}

/** One item of a todo list: its status, its text, what the list's last change did to it, and for how long it has been so. */
export function TodoLine({ item, mark, age = null }: { item: TodoItem; mark: ItemMark | null; age?: ItemAge | null }) {
  const { icon, tone } = todoLook(item.status)
  const text = displayText(item.text)
  return (
    <div className={`todo todo-${item.status}`} data-marked={mark !== null}>
      <Icon name={icon} tone={tone} label={statusWords[item.status]} />
      <span className="todo-text" title={text}>
        {text}
      </span>
      {mark !== null && <Change mark={mark} status={item.status} />}
      {age !== null && (
        <span className="todo-age num" title={age.title}>
          {age.text}
        </span>
      )}
    </div>
  )
}

function Change({ mark, status }: { mark: ItemMark; status: TodoStatus }) {
  return (
    <span className="todo-change">
      {mark.editedFrom !== null && <Edited from={displayText(mark.editedFrom)} />}
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

function Edited({ from }: { from: string }) {
  return (
    <>
      <del className="todo-was cut" title={`was “${from}”`}>
        {from}
      </del>
      <span className="badge">
        <Icon name="edit" size={12} />
        edited
      </span>
    </>
  )
}

function StatusIcon({ status, label }: { status: TodoStatus; label?: string }) {
  const { icon, tone } = todoLook(status)
  return <Icon name={icon} size={12} tone={tone} label={label} />
}
