import './todos.css'
import type { TodoStatus } from '#core/events/todo.ts'
import { displayText } from '../../ui/display-text.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import type { ItemChange } from './item-changes.ts'
import { statusWords } from './status-words.ts'

/** The change of an item, beside its text: "added", "was …", or the old and new status. */
export function ItemChangeText({ change, status }: { change: ItemChange; status: TodoStatus }) {
  return (
    <span className="todo-change t2 caption">
      {change.editedFrom !== null && <Edited from={displayText(change.editedFrom)} />}
      {change.movedFrom !== null && (
        <span className="badge" title={`was at place ${change.movedFrom + 1}`}>
          <Icon name="moved" size={12} />
          moved
        </span>
      )}
      {change.arrived !== null && <span className="badge">{change.arrived === 'added' ? 'added' : 'came back'}</span>}
      {change.before !== null && (
        <>
          <StatusIcon status={change.before} label={`was ${statusWords[change.before]}`} />
          <span aria-hidden="true">→</span>
          <StatusIcon status={status} />
        </>
      )}
    </span>
  )
}

function Edited({ from }: { from: string }) {
  return (
    <span className="todo-edited t2 caption" title={`was “${from}”`}>
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
