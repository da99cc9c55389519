import { useId, useMemo } from 'react'
import { type ExportedLog, type ExportPart, exportPart, type FoundPart } from '../../stores/export-parts.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'

/** Which events are exported. Parts without events are disabled. */
export function PartChoice({ part, onChange }: { part: ExportPart; onChange: (part: ExportPart) => void }) {
  const parts = useLogParts()
  const values = useLog('filter', 'find', 'row', 'version')
  const log = useMemo(() => ({ ...parts, ...values }), [parts, values])
  const turns = parts.layout.turns.count
  const range = part.of === 'turns' ? part : { of: 'turns' as const, from: 1, to: Math.max(1, turns) }
  const counts = useMemo(() => countsOf(log), [log])
  const rangeCount = useMemo(() => (part.of === 'turns' ? exportPart(log, part) : null), [log, part])
  const id = useId()
  const option = (of: 'session' | 'filtered' | 'failed' | 'turn', name: string) => {
    const found = counts[of]
    return (
      <label className="export-option hstack rigid" data-off={found === null ? '' : undefined}>
        <input
          type="radio"
          name={id}
          checked={part.of === of}
          disabled={found === null}
          onChange={() => onChange({ of })}
        />
        <span>{name}</span>
        <span className="t3">{found === null ? noneOf[of] : countText(found)}</span>
      </label>
    )
  }
  const end = (which: 'from' | 'to', label: string) => (
    <input
      type="number"
      className="export-number num"
      aria-label={label}
      min={1}
      max={turns}
      value={Number.isNaN(range[which]) ? '' : range[which]}
      onChange={(event) => onChange({ ...range, [which]: event.target.valueAsNumber })}
    />
  )
  return (
    <div className="export-parts vstack rigid" role="radiogroup" aria-label="Events">
      {option('session', 'Whole session')}
      {option('filtered', 'Filtered rows')}
      {option('failed', 'Turns with failed calls')}
      {option('turn', `This turn${counts.number === null ? '' : ` (${formatCount(counts.number)})`}`)}
      <div className="export-option hstack rigid" data-off={turns === 0 ? '' : undefined}>
        <label className="hstack">
          <input
            type="radio"
            name={id}
            checked={part.of === 'turns'}
            disabled={turns === 0}
            onChange={() => onChange(range)}
          />
          Turns
        </label>
        {end('from', 'First turn')}
        <span>to</span>
        {end('to', 'Last turn')}
        <span className="t3">
          {turns === 0
            ? 'no turns'
            : part.of === 'turns' && (rangeCount === null ? 'no such turns' : countText(rangeCount))}
        </span>
      </div>
    </div>
  )
}

const noneOf = { session: '', filtered: 'no filter set', failed: 'none', turn: 'none selected' }

function countsOf(log: ExportedLog) {
  const turn = log.layout.turns.turnAt(log.row)
  return {
    session: exportPart(log, { of: 'session' }),
    filtered: exportPart(log, { of: 'filtered' }),
    failed: exportPart(log, { of: 'failed' }),
    turn: exportPart(log, { of: 'turn' }),
    number: turn < 0 ? null : turn + 1
  }
}

function countText({ turns, events }: FoundPart): string {
  const counted = formatPlural(events, 'event')
  return turns === null || turns === 1 ? counted : `${formatPlural(turns, 'turn')}, ${counted}`
}
