import { memo, useCallback, useState, useSyncExternalStore } from 'react'
import { useLogUsage } from '../../stores/use-log-usage.ts'
import type { TokenTotals } from '#core/requests/usage.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { TokensText } from '../../ui/tokens-text.tsx'

/** A session can have thousands of subagents; a button shows the others. */
const firstTracks = 40

/** The tracks of the shown log, each with the progress of its list at the playhead. Nothing for a single track. */
export function TrackList() {
  const tracks = useLog((log) => log.status.tracks)
  const seq = useLog((log) => log.seq)
  const current = useLog((log) => (log.row < 0 ? 0 : (log.columns.track[log.row] ?? 0)))
  const usage = useLogUsage()
  const { columns, playhead, todos } = useLogParts()
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const [all, setAll] = useState(false)
  const goTo = useCallback(
    (track: number) => {
      const row = columns.track.subarray(0, columns.rows).indexOf(track)
      if (row >= 0) playhead.select(row)
    },
    [columns, playhead]
  )
  if (tracks.length < 2) return null

  const shown = all ? tracks.length : Math.min(tracks.length, firstTracks)
  const positions = Array.from({ length: shown }, (_, position) => position)
  if (current >= shown) positions.push(current)
  return (
    <ul aria-label="Tracks">
      {positions.map((position) => {
        const list = todos.indexAt(seq, position)
        return (
          <TrackItem
            key={position}
            position={position}
            label={tracks[position]?.label || (tracks[position]?.trackId ?? 'main')}
            current={position === current}
            tokens={usage?.byTrack.find(({ trackId }) => trackId === (tracks[position]?.trackId ?? null)) ?? null}
            progress={list < 0 ? '' : `${todos.completedAt(list)}/${todos.totalAt(list)}`}
            onGo={goTo}
          />
        )
      })}
      {shown < tracks.length && (
        <li>
          <button type="button" className="track t3" onClick={() => setAll(true)}>
            <Icon name="down" size={14} />
            <span className="cut">All {formatCount(tracks.length)} tracks</span>
          </button>
        </li>
      )}
    </ul>
  )
}

interface TrackItemProps {
  readonly position: number
  readonly label: string
  readonly current: boolean
  readonly progress: string
  readonly tokens: TokenTotals | null
  readonly onGo: (track: number) => void
}

/** Memoized, because the list renders at every step of the playhead. */
const TrackItem = memo(function TrackItem({ position, label, current, progress, tokens, onGo }: TrackItemProps) {
  return (
    <li>
      <button
        type="button"
        className="track hstack"
        data-current={current}
        title={`${label}: go to its first event`}
        onClick={() => onGo(position)}
      >
        {position === 0 ? <span className="track-dot" /> : <Icon name="agent" size={14} tone="k-tool" />}
        <span className="cut grow">{label}</span>
        {tokens !== null && <TokensText brief className="num caption t3 track-figure" totals={tokens} />}
        {progress !== '' && <span className="num caption track-figure">{progress}</span>}
      </button>
    </li>
  )
})
