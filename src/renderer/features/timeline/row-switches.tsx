import { useLog, useLogParts } from '../../stores/log-store.ts'
import { keepFocus } from '../../ui/button.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'

/** Shows or hides records without an event, with their number. Nothing if there are none. */
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

/** Collapses or expands all turns. Nothing if there is only one turn, or no whole turn is shown. */
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
