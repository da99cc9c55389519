import './my-tasks.css'
import { useEffect, useId, useSyncExternalStore } from 'react'
import { useApp } from '../../stores/app-store.ts'
import { useLog } from '../../stores/log-store.ts'
import { useLayout } from '../../stores/use-layout.ts'
import type { UserTasks } from '../../stores/user-tasks.ts'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useSmallWindow } from '../todos/use-small-window.ts'
import { TaskForm } from './task-form.tsx'
import { TaskList } from './task-list.tsx'

/** The limit of the host; session ids of agents are shorter. */
const longestSession = 200

/** A person's own tasks for the session. Nothing without a session, or if the host stores no tasks. */
export function MyTasks() {
  const keeps = useApp((app) => app.capabilities?.tasks === true)
  const session = useLog((log) => log.status.sessionId) ?? ''
  const tasks = useApp((app) => app.tasks)
  if (!keeps || session === '' || session.length > longestSession) return null
  return <TasksOfSession key={session} tasks={tasks.of(session)} />
}

/** One line if it is empty or collapsed. */
function TasksOfSession({ tasks }: { tasks: UserTasks }) {
  useSyncExternalStore(tasks.changes.subscribe, tasks.changes.getVersion)
  useEffect(() => tasks.show(), [tasks])
  const { tasksOpen, addingTask } = useLayout('tasksOpen', 'addingTask')
  const { setTasksOpen, setAddingTask } = useLayout('setTasksOpen', 'setAddingTask')
  const small = useSmallWindow()
  const id = useId()
  const isEmpty = tasks.tasks.length === 0
  const open = addingTask || (!isEmpty && (tasksOpen ?? !small))
  const done = tasks.tasks.filter(({ status }) => status === 'completed').length
  const toggle = () => {
    setAddingTask(isEmpty && !open)
    if (!isEmpty) setTasksOpen(!open)
  }
  return (
    <section className="my-tasks vstack rigid" role="region" aria-label="My tasks">
      <div className="my-tasks-head hstack rigid">
        <h2>
          <button
            type="button"
            className="hstack"
            aria-expanded={open}
            aria-controls={id}
            title="Your own tasks for this session. They are not part of the log and do not change with the playhead."
            onClick={toggle}
          >
            <Icon name={open ? 'down' : 'right'} size={12} tone="t3" />
            My tasks
          </button>
        </h2>
        {!isEmpty && (
          <span className="num caption" title={`${formatCount(done)} of ${formatCount(tasks.tasks.length)} done`}>
            {formatCount(done)}/{formatCount(tasks.tasks.length)}
          </span>
        )}
        <span className="t3 cut">for the whole session</span>
        <span className="grow" />
        {!open && <IconButton small icon="add" label="Add a task" keys="a" onClick={() => setAddingTask(true)} />}
      </div>
      <div id={id} className="my-tasks-body">
        {open && !isEmpty && <TaskList tasks={tasks} />}
        <div className="my-tasks-foot">
          {open && (
            <TaskForm
              tasks={tasks}
              focused={addingTask}
              onAdded={() => setTasksOpen(true)}
              onLeave={() => setAddingTask(false)}
            />
          )}
          <TaskNotes tasks={tasks} />
        </div>
      </div>
    </section>
  )
}

/** An error, or an undo for a removal. */
function TaskNotes({ tasks }: { tasks: UserTasks }) {
  const { problem, removed } = tasks
  const last = removed.at(-1)
  return (
    <div className="my-tasks-notes" aria-live="polite">
      {problem !== null && (
        <p className="field-error">
          <Icon name="violation" size={12} />
          <span>
            {problem.what === 'read' && 'Your tasks could not be read: '}
            {problem.message}{' '}
            <button
              type="button"
              className="link"
              onClick={() => (problem.what === 'read' ? void tasks.read() : tasks.dismissProblem())}
            >
              {problem.what === 'read' ? 'Try again' : 'Dismiss'}
            </button>
          </span>
        </p>
      )}
      {last !== undefined && (
        <p className="my-tasks-removed t2">
          <span className="cut">Removed “{displayText(last.title)}”.</span>
          <button type="button" className="link" onClick={() => tasks.undoRemove()}>
            Undo
          </button>
        </p>
      )}
    </div>
  )
}
