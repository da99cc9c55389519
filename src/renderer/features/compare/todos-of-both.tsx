import '../todos/todos.css'
import './compare.css'
import type { ReactNode } from 'react'
import { LogStoreContext, useLog, useLogParts } from '../../stores/log-store.ts'
import type { ComparedStores } from '../../stores/use-compare.ts'
import type { Side } from '../../stores/comparison.ts'
import { formatCount } from '../../ui/format.ts'
import { useListHere } from '../todos/list-here.ts'
import { TodoItems } from '../todos/todo-items.tsx'
import { SideMark } from './side-mark.tsx'

/** The todo lists of both sessions at their playheads. `children`: shown below them. */
export function TodosOfBoth({ stores, children }: { stores: ComparedStores; children?: ReactNode }) {
  return (
    <section className="todos vstack fill" role="region" aria-label="Todos">
      <div className="panel-head hstack rigid">
        <h2>Todos</h2>
        <span className="t3 cut">of both, at the playhead</span>
      </div>
      <div className="todos-of-both fill">
        {(['a', 'b'] as const).map((side) => (
          <LogStoreContext key={side} value={stores[side]}>
            <TodosOfSide key={stores[side].parts.key} side={side} />
          </LogStoreContext>
        ))}
      </div>
      {children}
    </section>
  )
}

function TodosOfSide({ side }: { side: Side }) {
  const { todos } = useLogParts()
  const here = useLog((log) => log.seq)
  const time = useLog((log) => log.columns.timeOfSeq(log.seq))
  const { shown, snapshot } = useListHere(null)
  return (
    <div className="todos-of-side vstack" role="group" aria-label={`Todos of ${side.toUpperCase()}`}>
      <p className="hstack rigid">
        <SideMark side={side} />
        {shown === undefined ? (
          <span className="t3">{todos.count === 0 ? 'No todo list.' : 'No todo list yet.'}</span>
        ) : (
          <span className="num medium">
            {formatCount(todos.completedAt(shown.snapshot))}/{formatCount(todos.totalAt(shown.snapshot))}
          </span>
        )}
      </p>
      {shown !== undefined && snapshot !== undefined && (
        <TodoItems
          snapshot={snapshot}
          changes={unchanged}
          now={{ seq: here, time }}
          missing={todos.totalAt(shown.snapshot) - snapshot.items.length}
        />
      )}
      {todos.error !== null && (
        <p className="panel-note s-malformed">
          The todo list could not be read: {todos.error}{' '}
          <button type="button" className="btn edged" onClick={() => todos.retry()}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}

/** What changed is told in the lanes of both. */
const unchanged: readonly never[] = []
