import './evolution.css'
import { useEffect, useSyncExternalStore } from 'react'
import { useLog } from '../../stores/log-store.ts'
import { EvolutionLanes } from './evolution-lanes.tsx'
import { SnapshotTable } from './snapshot-table.tsx'

/** The todo items of the run over time, a lane for each, and the lists below. */
export function EvolutionView() {
  const key = useLog((log) => log.key)
  return <EvolutionOfLog key={key} />
}

function EvolutionOfLog() {
  const todos = useLog((log) => log.todos)
  const reading = useLog((log) => log.status.phase === 'reading')
  const { lanes } = todos
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  useSyncExternalStore(lanes.changes.subscribe, lanes.changes.getVersion)
  useEffect(() => lanes.want(), [lanes])
  return (
    <section className="evolution" role="region" aria-label="Todo evolution">
      {lanes.error !== null ? (
        <p className="evolution-note s-malformed">
          What became of the items could not be read: {lanes.error}{' '}
          <button type="button" className="btn edged" onClick={() => lanes.retry()}>
            Read it again
          </button>
        </p>
      ) : todos.count === 0 ? (
        <p className="evolution-note t3">
          {reading ? 'No todo list yet; the log is still being read.' : 'This run has no todo list.'}
        </p>
      ) : lanes.count === 0 ? (
        <p className="evolution-note t3">
          {lanes.isComplete ? 'The lists of this run are all empty.' : 'Reading what became of the items …'}
        </p>
      ) : (
        <EvolutionLanes />
      )}
      {todos.count > 0 && <SnapshotTable />}
    </section>
  )
}
