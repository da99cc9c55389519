import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { movedTo, type UserTasks } from '../../stores/user-tasks.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { TaskLine } from './task-line.tsx'

/** The tasks in order. Up and Down move the focus; with Alt they move the task, like its grip. Delete removes it. */
export function TaskList({ tasks }: { tasks: UserTasks }) {
  const list = useRef<HTMLDivElement>(null)
  const [reached, setReached] = useState<string | null>(null)
  const [moved, setMoved] = useState('')
  const { drag, ...pointer } = useDrag(tasks)
  const shown = drag === null ? tasks.tasks : movedTo(tasks.tasks, drag.task, drag.place)
  const tabbed = shown.find(({ id }) => id === reached)?.id ?? shown[0]?.id
  /** The next focus after the focused task is removed. */
  const next = useRef<string | null>(null)
  useEffect(() => {
    if (next.current === null) return
    controlIn(list.current, next.current, 'title')?.focus()
    next.current = null
  })

  const remove = (task: string) => {
    const at = shown.findIndex(({ id }) => id === task)
    if (taskOf(document.activeElement) === task) next.current = (shown[at + 1] ?? shown[at - 1])?.id ?? null
    tasks.remove(task)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const { target } = event
    const at = shown.findIndex(({ id }) => id === taskOf(target))
    const task = shown[at]
    if (task === undefined || event.ctrlKey || event.metaKey) return
    if (step !== 0 && event.altKey) {
      tasks.move(task.id, at + step)
      const place = Math.max(0, Math.min(shown.length - 1, at + step))
      setMoved(`${displayText(task.title)}: ${formatCount(place + 1)} of ${formatCount(shown.length)}`)
    } else if (target instanceof HTMLInputElement || event.altKey) return
    else if (step !== 0) controlIn(list.current, shown[at + step]?.id, controlOf(target))?.focus()
    else if (event.key === 'Delete') remove(task.id)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={list}
      role="group"
      aria-label="Tasks in their order"
      onFocus={({ target }) => setReached(taskOf(target))}
      onKeyDown={onKeyDown}
      {...pointer}
    >
      {shown.map((task, place) => (
        <TaskLine
          key={task.id}
          task={task}
          label={`${displayText(task.title)}, ${formatCount(place + 1)} of ${formatCount(shown.length)}`}
          tabbed={task.id === tabbed}
          dragged={task.id === drag?.task}
          onStatus={(status) => tasks.setStatus(task.id, status)}
          onTitle={(title) => tasks.setTitle(task.id, title)}
          onRemove={() => remove(task.id)}
        />
      ))}
      <span className="unseen" aria-live="polite">
        {moved}
      </span>
    </div>
  )
}

/** The task of an element; null for none. */
function taskOf(target: EventTarget | null): string | null {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-task]') : null
  return line?.dataset['task'] ?? null
}

function controlOf(target: EventTarget): string {
  const control = target instanceof Element ? target.closest<HTMLElement>('[data-control]') : null
  return control?.dataset['control'] ?? 'title'
}

/** A control of a task. Up and Down move to the same control of another task. */
function controlIn(list: HTMLElement | null, task: string | undefined, control: string): HTMLElement | null {
  if (list === null || task === undefined) return null
  return list.querySelector(`[data-task="${CSS.escape(task)}"] [data-control="${control}"]`)
}

/** A dragged task and its target place. */
interface Drag {
  readonly task: string
  readonly place: number
}

/** Drag handlers for the list. Dropping moves the task; Escape cancels. */
function useDrag(tasks: UserTasks) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragged = drag !== null
  useEffect(() => {
    if (!isDragged) return
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setDrag(null)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [isDragged])

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const task = taskOf(event.target)
    const onGrip = event.target instanceof Element && event.target.closest('.task-grip') !== null
    if (event.button !== 0 || !onGrip || task === null) return
    event.preventDefault()
    // The list captures the pointer, because its lines move.
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ task, place: tasks.tasks.findIndex(({ id }) => id === task) })
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (drag === null) return
    const line = event.currentTarget.querySelector<HTMLElement>(`[data-task="${CSS.escape(drag.task)}"]`)
    if (line === null) return
    const { top, height } = line.getBoundingClientRect()
    const by = Math.floor((event.clientY - top) / Math.max(1, height))
    const place = Math.max(0, Math.min(tasks.tasks.length - 1, drag.place + by))
    if (place === drag.place) return
    setDrag({ ...drag, place })
    line.scrollIntoView({ block: 'nearest' })
  }
  const onPointerUp = () => {
    if (drag !== null) tasks.move(drag.task, drag.place)
    setDrag(null)
  }
  return { drag, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => setDrag(null) }
}
