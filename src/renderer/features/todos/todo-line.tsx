import './todos.css'
import type { TodoItem } from '#core/events/todo.ts'
import { displayText } from '../../ui/display-text.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import { ItemChangeText } from './item-change-text.tsx'
import type { ItemChange } from './item-changes.ts'
import { statusWords } from './status-words.ts'

/** How long an item has had its status, short and in words. */
export interface ItemAge {
  readonly text: string
  /** How long a completed item took; null if unknown. */
  readonly took: string | null
  readonly title: string
}

/** A todo item: status, text, last change and age. */
export function TodoLine({
  item,
  change,
  age = null
}: {
  item: TodoItem
  change: ItemChange | null
  age?: ItemAge | null
}) {
  const { icon, tone } = todoLook(item.status)
  const text = displayText(item.text)
  return (
    <div className={`todo todo-${item.status}`} data-marked={change !== null}>
      <Icon name={icon} tone={tone} label={statusWords[item.status]} />
      <span className="todo-text cut" dir="auto" title={text}>
        {text}
      </span>
      {change !== null && <ItemChangeText change={change} status={item.status} />}
      {age !== null && (
        <span className="todo-age t3 caption" title={age.title}>
          {age.took !== null && <span className="todo-took">{age.took} · </span>}
          {age.text}
        </span>
      )}
    </div>
  )
}
