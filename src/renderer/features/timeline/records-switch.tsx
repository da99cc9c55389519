import type { LogState } from '../../stores/log-store.ts'
import { keepFocus } from '../../ui/button.tsx'
import { formatPlural } from '../../ui/format.ts'

/** How many records without an event there are, and whether they are shown. Nothing where there are none. */
export function RecordsSwitch({ log: { layout, showRecords } }: { log: LogState }) {
  const { records, recordsShown } = layout
  if (records === 0) return null
  return (
    <button type="button" className="btn small" onMouseDown={keepFocus} onClick={() => showRecords(!recordsShown)}>
      {recordsShown ? 'Hide' : 'Show'} {formatPlural(records, 'record')}
      <span className="wide"> without an event</span>
    </button>
  )
}
