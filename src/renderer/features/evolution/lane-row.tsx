import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { Icon, todoLook } from '../../ui/icons.tsx'
import type { LaneSpan } from '../../stores/todo-lanes.ts'
import type { ItemChange } from '../todos/item-changes.ts'
import { ItemChangeText } from '../todos/item-change-text.tsx'
import { statusWords } from '../todos/status-words.ts'
import { fateOfSpan } from './lane-story.ts'

interface RowPlace {
  readonly id: string
  /** 1-based, among all rows of the grid. */
  readonly index: number
  readonly active: boolean
}

/** The item of a lane at the playhead. `span`: undefined before it first appears; `first` is its first span. */
export function LaneName({
  place,
  span,
  first,
  change
}: {
  place: RowPlace
  span: LaneSpan | undefined
  first: LaneSpan | undefined
  change: ItemChange | null
}) {
  const fate = fateOfSpan(span)
  const text = displayText((span ?? first)?.text ?? '')
  const words = fate === null ? (span === undefined ? 'not in a list yet' : 'no longer in a list') : statusWords[fate]
  return (
    <div
      role="row"
      id={place.id}
      aria-rowindex={place.index}
      aria-level={2}
      aria-selected={place.active}
      className={fate === null || fate === 'dropped' ? 'lane lane-away' : 'lane'}
    >
      <div role="gridcell" className="lane-name hstack">
        {fate === null ? (
          <span className="lane-dot" role="img" aria-label={words}>
            ·
          </span>
        ) : (
          <Icon name={todoLook(fate).icon} tone={todoLook(fate).tone} label={words} />
        )}
        <span className="cut grow" dir="auto" title={text}>
          {text}
        </span>
        {change !== null && fate !== null && fate !== 'dropped' && <ItemChangeText change={change} status={fate} />}
      </div>
    </div>
  )
}

/** The head of a track's lanes. `progress`: null before its first list. */
export function TrackHead({
  place,
  label,
  isMain,
  lanes,
  open,
  progress,
  onToggle
}: {
  place: RowPlace
  label: string
  isMain: boolean
  lanes: number
  open: boolean
  progress: { readonly completed: number; readonly total: number } | null
  onToggle: () => void
}) {
  return (
    <div
      role="row"
      id={place.id}
      aria-rowindex={place.index}
      aria-level={1}
      aria-selected={place.active}
      aria-expanded={open}
      className="lane lane-track"
      onClick={onToggle}
    >
      <div role="gridcell" className="lane-name hstack">
        <Icon name={open ? 'down' : 'right'} size={12} tone="t3" />
        {isMain ? <span className="lane-main" /> : <Icon name="agent" tone="k-tool" />}
        <span className="cut" title={label}>
          {label}
        </span>
        {progress === null ? (
          <span className="t3 regular">not started</span>
        ) : (
          <span className="num">
            {formatCount(progress.completed)}/{formatCount(progress.total)}
          </span>
        )}
        {!open && <span className="t3 regular cut">{formatPlural(lanes, 'item')}</span>}
      </div>
    </div>
  )
}
