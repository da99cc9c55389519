import { useMemo } from 'react'
import type { LogComparison } from '#contract/compare.ts'
import type { Comparison } from '../../stores/comparison.ts'
import { LogStoreContext } from '../../stores/log-store.ts'
import type { ComparedStores } from '../../stores/use-compare.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import { EvolutionView } from '../evolution/evolution-view.tsx'
import { statusWords } from '../todos/status-words.ts'
import { ViewBarContext } from '../views/view-bar.tsx'
import { SideMark } from './side-mark.tsx'

/** The todo lanes of both sessions, and how their items ended. */
export function ComparedTodos({
  comparison,
  stores,
  overRows
}: {
  comparison: Comparison
  stores: ComparedStores
  overRows: boolean
}) {
  const scales = useMemo(() => ({ a: comparison.scaleOf('a'), b: comparison.scaleOf('b') }), [comparison])
  return (
    <div className="compare-todos vstack fill">
      {(['a', 'b'] as const).map((side) => (
        <LogStoreContext key={side} value={stores[side]}>
          <h2 className="hstack t2 regular">
            <SideMark side={side} /> Todos of {side.toUpperCase()},{' '}
            {overRows ? 'over the aligned rows' : 'on its own clock'}
          </h2>
          <ViewBarContext value={null}>
            <EvolutionView
              label={`Todo evolution of ${side.toUpperCase()}`}
              over={overRows ? scales[side] : undefined}
            />
          </ViewBarContext>
        </LogStoreContext>
      ))}
      <ItemsAtEnd todos={comparison.answer.todos} />
    </div>
  )
}

/** The items of the last lists, paired by their texts: those whose status differs, or which one list has not. */
function ItemsAtEnd({ todos }: { todos: LogComparison['todos'] }) {
  if (todos.length === 0) return null
  const other = todos.filter(({ a, b }) => a !== b)
  const same = todos.length - other.length
  return (
    <>
      <h2 className="t2 regular">
        At the end: {formatPlural(same, 'item')} with the same status in both lists, {formatCount(other.length)} not.
        Items are paired by their texts.
      </h2>
      <ul className="compare-items" aria-label="Items that ended otherwise">
        {other.map(({ text, a, b }, at) => (
          <li key={at} className="hstack">
            <span className="cut grow" dir="auto" title={displayText(text)}>
              {displayText(text)}
            </span>
            {(['a', 'b'] as const).map((side) => {
              const status = side === 'a' ? a : b
              return (
                <span key={side} className="hstack t2 caption compare-item-side">
                  <SideMark side={side} />
                  {status === null ? (
                    'not in the list'
                  ) : (
                    <>
                      <Icon name={todoLook(status).icon} tone={todoLook(status).tone} size={14} />
                      {statusWords[status]}
                    </>
                  )}
                </span>
              )
            })}
          </li>
        ))}
      </ul>
    </>
  )
}
