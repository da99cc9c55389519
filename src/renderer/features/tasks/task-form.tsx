import { type FormEvent, useRef, useState } from 'react'
import type { UserTasks } from '../../stores/user-tasks.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'

/** As many characters as the host keeps. */
export const longestTitle = 10_000

/**
 * Takes one task after the other, each with Enter. `focused`: it was asked for, and takes the focus. `onLeave`: nobody is at it any more,
 * and there is nothing in it.
 */
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
    // What was refused is not typed again.
    if (!(await tasks.add(wanted))) return setTitle((typed) => (typed === '' ? wanted : typed))
    onAdded()
    field.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <form className="task-form" onSubmit={(event) => void add(event)}>
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
