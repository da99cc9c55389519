import { useLog, useLogParts } from '../../stores/log-store.ts'
import { keepFocus } from '../../ui/button.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'

/** How many records without an event there are, and whether they are shown. Nothing where there are none. */
export function RecordsSwitch() {
  const { filtering } = useLogParts()
  const records = useLog((log) => log.layout.records)
  const recordsShown = useLog((log) => log.layout.recordsShown)
  if (records === 0) return null
  return (
    <button
      type="button"
      className="btn small"
      onMouseDown={keepFocus}
      onClick={() => filtering.showRecords(!recordsShown)}
    >
      {recordsShown ? 'Hide' : 'Show'} {formatPlural(records, 'record')}
      <span className="wide"> without an event</span>
    </button>
  )
}

/** Collapses all turns, or expands them. Only its sign where there is little room; nothing where there is one turn, or none is shown whole. */
export function TurnsSwitch() {
  const tooltip = useTooltip()
  const { collapsing } = useLogParts()
  const isUseful = useLog(({ layout }) => layout.turns.count > 1 && !layout.isFiltered)
  const areClosed = useLog(({ layout }) => layout.closedTurns.size > 0)
  if (!isUseful) return null
  const label = areClosed ? 'Expand all turns' : 'Collapse all turns'
  return (
    <button
      type="button"
      className="btn small"
      aria-label={label}
      title={tooltip(label, 'Z')}
      onMouseDown={keepFocus}
      onClick={() => collapsing.toggleAllTurns()}
    >
      <Icon name={areClosed ? 'right' : 'down'} size={12} />
      <span className="word">{label}</span>
    </button>
  )
}
