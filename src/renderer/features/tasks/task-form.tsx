import { type FormEvent, useRef, useState } from 'react'
import type { UserTasks } from '../../stores/user-tasks.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'

/** The limit of the host, in characters. */
export const longestTitle = 10_000

/** Adds a task with each Enter. `focused`: takes the focus. `onLeave`: called when an empty form loses the focus. */
export function TaskForm({
  tasks,
  focused,
  onAdded,
  onLeave
}: {
  tasks: UserTasks
  focused: boolean
  onAdded: () => void
  onLeave: () => void
}) {
  const [title, setTitle] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const tooltip = useTooltip()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = title.trim()
    if (wanted === '') return
    setTitle('')
    // A refused title is restored.
    if (!(await tasks.add(wanted))) return setTitle((typed) => (typed === '' ? wanted : typed))
    onAdded()
    field.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <form className="task-form hstack rigid" onSubmit={(event) => void add(event)}>
      <Icon name="add" size={12} tone="t3" />
      <input
        ref={field}
        type="text"
        aria-label="Add a task"
        title={tooltip('Add a task', 'a')}
        placeholder="Add a task"
        autoComplete="off"
        maxLength={longestTitle}
        value={title}
        autoFocus={focused}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => {
          if (title.trim() === '') onLeave()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          if (title === '') event.currentTarget.blur()
          setTitle('')
        }}
      />
    </form>
  )
}
