import { useLog, useLogParts } from '../../stores/log-store.ts'
import { formatCount } from '../../ui/format.ts'

/** "event 1,205"; a click moves the playhead there. */
export function RowLink({ row }: { row: number }) {
  const seq = useLog((log) => log.columns.seq[row] ?? -1)
  const { playhead } = useLogParts()
  return (
    <button type="button" className="link" onClick={() => playhead.select(row)}>
      {seq < 0 ? `row ${formatCount(row)}` : `event ${formatCount(seq)}`}
    </button>
  )
}
