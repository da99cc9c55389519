import './evolution.css'
import { useEffect, useSyncExternalStore } from 'react'
import type { EventScale } from '#core/replay/event-scale.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { EvolutionLanes } from './evolution-lanes.tsx'
import { SnapshotTable } from './snapshot-table.tsx'

/**
 * A lane per todo item of the session, and all lists below. `label`: a name of its own where the page has several.
 * `over`: the scale; without it, time or events, as a person chose.
 */
export function EvolutionView({ label = 'Todo evolution', over }: { label?: string; over?: EventScale | undefined }) {
  const { key } = useLogParts()
  return <EvolutionOfLog key={key} label={label} over={over} />
}

function EvolutionOfLog({ label, over }: { label: string; over: EventScale | undefined }) {
  const { todos } = useLogParts()
  const reading = useLog((log) => log.status.phase === 'reading')
  const { lanes } = todos
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  useSyncExternalStore(lanes.changes.subscribe, lanes.changes.getVersion)
  useEffect(() => lanes.load(), [lanes])
  return (
    <section className="evolution vstack fill" role="region" aria-label={label}>
      {lanes.error !== null ? (
        <p className="panel-note s-malformed">
          Todo history could not be read: {lanes.error}{' '}
          <button type="button" className="btn edged" onClick={() => lanes.retry()}>
            Try again
          </button>
        </p>
      ) : todos.count === 0 ? (
        <p className="panel-note t3">
          {reading ? 'No todo list yet. The log is still being read.' : 'This session has no todo list.'}
        </p>
      ) : lanes.count === 0 ? (
        <p className="panel-note t3">
          {lanes.isComplete ? 'All todo lists of this session are empty.' : 'Reading todo history…'}
        </p>
      ) : (
        <EvolutionLanes over={over} />
      )}
      {todos.count > 0 && <SnapshotTable />}
    </section>
  )
}
