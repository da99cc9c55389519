import './todos.css'
import type { TodoStatus } from '#core/events/todo.ts'
import { displayText } from '../../ui/display-text.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import type { ItemMark } from './item-marks.ts'
import { statusWords } from './status-words.ts'

/** The change of an item, beside its text: "added", "was …", or the old and new status. */
export function ItemChange({ mark, status }: { mark: ItemMark; status: TodoStatus }) {
  return (
    <span className="todo-change">
      {mark.editedFrom !== null && <Edited from={displayText(mark.editedFrom)} />}
      {mark.movedFrom !== null && (
        <span className="badge" title={`was at place ${mark.movedFrom + 1}`}>
          <Icon name="moved" size={12} />
          moved
        </span>
      )}
      {mark.came !== null && <span className="badge">{mark.came === 'added' ? 'added' : 'came back'}</span>}
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
    <span className="todo-edited" title={`was “${from}”`}>
      <del className="todo-was cut">{from}</del>
      <span className="badge">
        <Icon name="edit" size={12} />
        edited
      </span>
    </span>
  )
}

function StatusIcon({ status, label }: { status: TodoStatus; label?: string }) {
  const { icon, tone } = todoLook(status)
  return <Icon name={icon} size={12} tone={tone} label={label} />
}
