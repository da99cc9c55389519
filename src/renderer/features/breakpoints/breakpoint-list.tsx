import '../filter/filter-panel.css'
import './breakpoints.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Breakpoint } from '#core/replay/review.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { IconButton } from '../../ui/button.tsx'
import { formatCount, formatPercent } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { keyText, useWorkingKeys } from '../../ui/shown-keys.ts'
import { BreakpointDialog } from './breakpoint-dialog.tsx'
import { breakpointName } from './breakpoint-words.ts'

/** Breakpoints. A click on one goes to its next match. */
export function BreakpointList() {
  const [shortcut] = useWorkingKeys()('B')
  const review = useLog((log) => log.review)
  // Null: the dialog is closed; a new breakpoint has no id yet.
  const [edited, setEdited] = useState<{ readonly id: string | null } | null>(null)
  const { breakpoints } = review
  const isReady = review.phase === 'ready'
  return (
    <section className="review" aria-label="Breakpoints">
      <div className="runs-head">
        <h2>Breakpoints</h2>
        <IconButton
          small
          icon="add"
          label="New breakpoint"
          disabled={!isReady}
          onClick={() => setEdited({ id: null })}
        />
      </div>
      {breakpoints.length === 0 ? (
        isReady && (
          <p className="review-empty t3">
            No breakpoints.
            {shortcut !== undefined && (
              <>
                {' '}
                Press <kbd>{keyText(shortcut)}</kbd> to add one.
              </>
            )}
          </p>
        )
      ) : (
        <ul>
          {breakpoints.map((breakpoint) => (
            <li key={breakpoint.id}>
              <BreakpointLine breakpoint={breakpoint} onEdit={() => setEdited({ id: breakpoint.id })} />
              {breakpoint.enabled && breakpoint.stops === false && <LogpointRows id={breakpoint.id} />}
            </li>
          ))}
        </ul>
      )}
      {edited !== null && (
        <BreakpointDialog
          breakpoint={breakpoints.find(({ id }) => id === edited.id) ?? null}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}

function BreakpointLine({ breakpoint, onEdit }: { breakpoint: Breakpoint; onEdit: () => void }) {
  const { reviewing, playhead } = useLogParts()
  const { row } = useLog('row', 'version', 'reviewVersion')
  const stop = useLog((log) => log.player.stop)
  const { id, enabled, rule, stops = true } = breakpoint
  const name = breakpointName(rule)
  const isHere = stop?.breakpoint === id && stop.row === row
  const matches = reviewing.breakpoints.matchesOf(id)
  const goOn = () => {
    const next = reviewing.breakpoints.nextOf(id, row)
    if (next >= 0) playhead.select(next)
  }
  return (
    <div className="review-line" data-here={isHere} data-off={!enabled}>
      <button
        type="button"
        role="switch"
        className="review-mark rigid t2"
        aria-checked={enabled}
        aria-label={`${stops ? 'Stop at' : 'List'}: ${name}`}
        title={enabled ? 'On. Click to turn off.' : 'Off. Click to turn on.'}
        onClick={() => reviewing.editBreakpoint(id, { enabled: !enabled })}
      >
        <Icon
          name={!stops ? 'written' : enabled ? 'breakpoint' : 'breakpoint-off'}
          tone={enabled ? 'k-error' : 't3'}
          size={14}
        />
      </button>
      <button type="button" className="review-name cut" title={`${name}\nGo to the next match`} onClick={goOn}>
        {name}
        {!enabled && ', off'}
      </button>
      <MatchCount enabled={enabled} {...matches} />
      <span className="line-actions on-hover">
        {rule.type !== 'place' && <IconButton small icon="edit" label={`Edit ${name}`} onClick={onEdit} />}
        <IconButton small icon="remove" label={`Remove ${name}`} onClick={() => reviewing.removeBreakpoint(id)} />
      </span>
    </div>
  )
}

/** Listed rows of a logpoint: the last ones that playback has passed. */
const maxListed = 50

/** The rows of a logpoint up to the playhead, the latest first. */
function LogpointRows({ id }: { id: string }) {
  const { reviewing, playhead, columns, summaries } = useLogParts()
  const { row } = useLog('row', 'version', 'reviewVersion')
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const passed = reviewing.breakpoints.rowsOf(id).filter((each) => each <= row)
  const listed = [...passed.subarray(-maxListed)].toReversed()
  useEffect(() => summaries.request(`logpoint ${id}`, listed))
  if (listed.length === 0) return <p className="logpoint-rows t3">No matches up to the playhead.</p>
  return (
    <ol className="logpoint-rows" aria-label="Matches up to the playhead">
      {listed.map((each) => (
        <li key={each}>
          <button type="button" className="link cut" onClick={() => playhead.select(each)}>
            <span className="num t3">{formatCount(columns.line[each] ?? 0)}</span> {summaries.get(each)?.text ?? '…'}
          </button>
        </li>
      ))}
      {passed.length > listed.length && <li className="t3">{formatCount(passed.length - listed.length)} earlier</li>}
    </ol>
  )
}

/** The number of matches; during the search, its progress. */
function MatchCount({
  enabled,
  count,
  searching,
  part,
  error
}: {
  enabled: boolean
  count: number
  searching: boolean
  part: number
  error: string | null
}) {
  if (error !== null) {
    return (
      <span className="review-count" title={error}>
        <Icon name="violation" size={12} tone="s-violation" label={error} />
      </span>
    )
  }
  if (searching) return <span className="review-count num t3">{formatPercent(Math.min(0.99, part))}</span>
  return <span className="review-count num t3">{enabled || count > 0 ? formatCount(count) : ''}</span>
}
