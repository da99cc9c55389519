import './todos.css'
import { type ReactNode, useMemo, useState } from 'react'
import type { TodoSnapshot } from '#contract/methods.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useListHere } from './list-here.ts'
import { changeWords, listChanges, type ListChange, restWords } from './list-changes.ts'
import { TodoItems } from './todo-items.tsx'
import { TodoMeter } from './todo-meter.tsx'
import { TrackChoice } from './track-choice.tsx'

/** The todo list at the playhead, of its track until another one is picked. `children`: shown below it. */
export function TodoPanel({ children }: { children?: ReactNode }) {
  const { key, todos } = useLogParts()
  const reading = useLog((log) => log.status.phase === 'reading')
  const here = useLog((log) => log.seq)
  const [picked, setPicked] = useState<{ readonly of: string; readonly track: number } | null>(null)
  // Another generation has other tracks.
  const { listed, wanted, shown, snapshot } = useListHere(picked?.of === key ? picked.track : null)
  return (
    <section
      className="todos vstack fill"
      role="region"
      aria-label="Todos"
      data-seq={snapshot?.seq}
      data-none={!reading && todos.count === 0 ? '' : undefined}
    >
      <div className="panel-head hstack rigid">
        <h2>Todos</h2>
        <span className="t3 cut">at the playhead</span>
        <span className="grow" />
        <TrackChoice
          todos={todos}
          listed={listed}
          chosen={shown?.track ?? wanted}
          onChoose={(track) => setPicked({ of: key, track })}
        />
      </div>
      {shown === undefined ? (
        <p className="panel-note t3">{emptyText(todos.count, reading)}</p>
      ) : snapshot === undefined ? (
        <Missing completed={todos.completedAt(shown.snapshot)} total={todos.totalAt(shown.snapshot)} />
      ) : (
        <List
          key={key}
          snapshot={snapshot}
          here={here}
          completed={todos.completedAt(shown.snapshot)}
          total={todos.totalAt(shown.snapshot)}
        />
      )}
      {children}
    </section>
  )
}

function emptyText(snapshots: number, reading: boolean): string {
  return snapshots > 0 || reading ? 'No todo list at this point yet.' : 'This session has no todo list.'
}

/** Shown while the list is loaded; its numbers are known from the columns. */
function Missing({ completed, total }: { completed: number; total: number }) {
  const { todos } = useLogParts()
  return (
    <>
      <div className="todos-figure hstack rigid">
        <span className="todos-count">
          {formatCount(completed)}/{formatCount(total)}
        </span>
      </div>
      {todos.error !== null && (
        <p className="panel-note s-malformed">
          The todo list could not be read: {todos.error}{' '}
          <button type="button" className="btn edged" onClick={() => todos.retry()}>
            Try again
          </button>
        </p>
      )}
    </>
  )
}

/** `completed` of `total` count all items, of which some may not be loaded. */
function List({
  snapshot,
  here,
  completed,
  total
}: {
  snapshot: TodoSnapshot
  here: number
  completed: number
  total: number
}) {
  const time = useLog((log) => log.columns.timeOfSeq(log.seq))
  const changes = useMemo(() => listChanges(snapshot), [snapshot])
  return (
    <>
      <div className="todos-figure hstack rigid">
        <span className="todos-count">
          {formatCount(completed)}/{formatCount(total)}
        </span>
        <TodoMeter items={snapshot.items} dropped={snapshot.dropped} />
        <span className="t3 caption">{restWords(snapshot)}</span>
      </div>
      <ChangedBy snapshot={snapshot} changes={changes} here={here} />
      <TodoItems
        snapshot={snapshot}
        changes={changes}
        now={{ seq: here, time }}
        missing={total - snapshot.items.length}
      />
    </>
  )
}

/** The event that changed the list, and buttons to the previous and next change. */
function ChangedBy({
  snapshot,
  changes,
  here
}: {
  snapshot: TodoSnapshot
  changes: readonly ListChange[]
  here: number
}) {
  const { playhead, stepping } = useLogParts()
  const ago = here - snapshot.seq
  return (
    <div className="todos-why hstack rigid t2">
      <Icon name="todos" tone="k-todo" />
      <span className="cut" title={changeWords(changes, snapshot.moreChanges)}>
        {changeWords(changes, snapshot.moreChanges)}
      </span>{' '}
      <span className="todos-by cut">
        by{' '}
        {ago === 0 ? (
          'this event'
        ) : (
          <button type="button" className="link" onClick={() => playhead.placeEvent(snapshot.seq)}>
            event {formatCount(snapshot.seq)}
          </button>
        )}
      </span>
      {ago > 0 && <span className="todos-ago t3 caption cut">{formatPlural(ago, 'event')} ago</span>}
      <span className="todos-steps">
        <IconButton small icon="left" label="Previous todo change" keys="[" onClick={() => stepping.nextTodo(-1)} />
        <IconButton small icon="right" label="Next todo change" keys="]" onClick={() => stepping.nextTodo(1)} />
      </span>
    </div>
  )
}
