import { useEffect, useRef, useState } from 'react'
import type { Task, TaskStatus } from '#contract/tasks.ts'
import { keepFocus } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import { statusWords } from '../todos/status-words.ts'
import { longestTitle } from './task-form.tsx'

interface TaskLineProps {
  readonly task: Task
  /** Its title and position. */
  readonly label: string
  /** Whether Tab reaches it. */
  readonly tabbed: boolean
  readonly dragged: boolean
  readonly onStatus: (status: TaskStatus) => void
  readonly onTitle: (title: string) => void
  readonly onRemove: () => void
}

const checked = { pending: 'false', in_progress: 'mixed', completed: 'true' } as const

/** A person's task: a mark to complete it, editing in place, and buttons to start, reopen and remove it. */
export function TaskLine({ task, label, tabbed, dragged, onStatus, onTitle, onRemove }: TaskLineProps) {
  const { status } = task
  const title = displayText(task.title)
  const [editing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  /** It was edited with the keyboard, so the focus returns to it. */
  const returns = useRef(false)
  useEffect(() => {
    if (editing || !returns.current) return
    returns.current = false
    button.current?.focus()
  }, [editing])
  const leave = (kept: string | null, byKey: boolean) => {
    returns.current = byKey
    setEditing(false)
    if (kept !== null) onTitle(kept)
  }

  const tabIndex = tabbed ? 0 : -1
  const look = todoLook(status)
  const isDone = status === 'completed'
  const other = status === 'in_progress' ? 'pending' : 'in_progress'
  const start = status === 'in_progress' ? `Reopen ${title}` : `Start ${title}`
  return (
    <div
      role="group"
      aria-label={label}
      className={`task todo-${status}`}
      data-task={task.id}
      data-dragged={dragged ? '' : undefined}
    >
      <span className="task-grip" aria-hidden="true" title="Drag to reorder (Alt ↑, Alt ↓)">
        <Icon name="grip" size={12} />
      </span>
      <button
        type="button"
        role="checkbox"
        className="task-check"
        aria-checked={checked[status]}
        aria-label={`Done: ${title}`}
        title={`${statusWords[status]}; click to set ${statusWords[isDone ? 'pending' : 'completed']}`}
        tabIndex={tabIndex}
        data-control="check"
        onMouseDown={keepFocus}
        onClick={() => onStatus(isDone ? 'pending' : 'completed')}
      >
        <Icon name={look.icon} tone={look.tone} />
      </button>
      {editing ? (
        <TitleField title={task.title} onLeave={leave} />
      ) : (
        <button
          ref={button}
          type="button"
          className="task-title grow todo-text cut"
          dir="auto"
          aria-label={`Edit ${title}`}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
          title={title}
          tabIndex={tabIndex}
          data-control="title"
          onClick={() => setEditing(true)}
        >
          {title}
        </button>
      )}
      <span className="line-actions on-hover">
        <button
          type="button"
          className="btn square small"
          aria-label={start}
          title={`Set ${statusWords[other]}`}
          tabIndex={tabIndex}
          data-control="start"
          onMouseDown={keepFocus}
          onClick={() => onStatus(other)}
        >
          <Icon name={todoLook(other).icon} size={12} />
        </button>
        <button
          type="button"
          className="btn square small"
          aria-label={`Remove ${title}`}
          title="Remove  Del"
          tabIndex={tabIndex}
          data-control="remove"
          onMouseDown={keepFocus}
          onClick={onRemove}
        >
          <Icon name="remove" size={12} />
        </button>
      </span>
    </div>
  )
}

/** Enter or leaving the field saves, Escape does not. `onLeave`: the new title or null; whether by a key. */
function TitleField({ title, onLeave }: { title: string; onLeave: (kept: string | null, byKey: boolean) => void }) {
  const [text, setText] = useState(title)
  return (
    <input
      type="text"
      className="task-field grow"
      aria-label="Title of the task"
      autoComplete="off"
      maxLength={longestTitle}
      value={text}
      autoFocus
      onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onLeave(text, false)}
      onKeyDown={(event) => {
        if (event.altKey || (event.key !== 'Enter' && event.key !== 'Escape')) return
        event.preventDefault()
        event.stopPropagation()
        onLeave(event.key === 'Enter' ? text : null, true)
      }}
    />
  )
}
