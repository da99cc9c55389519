import { useSyncExternalStore } from 'react'
import { useLog, useLogStore } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'

/** The tracks of the log that is shown, each with how far its list is at the playhead. One track alone is not listed. */
export function TrackList() {
  const tracks = useLog((log) => log.status.tracks)
  const playhead = useLog((log) => log.playhead)
  const current = useLog((log) => (log.row < 0 ? 0 : (log.columns.track[log.row] ?? 0)))
  const todos = useLog((log) => log.todos)
  const store = useLogStore()
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  if (tracks.length < 2) return null

  const goTo = (track: number) => {
    const { columns, selectRow } = store.getState()
    for (let row = 0; row < columns.rows; row++) if (columns.track[row] === track) return selectRow(row)
  }
  return (
    <ul className="track-list" aria-label="Tracks">
      {tracks.map((track, position) => {
        const list = todos.indexAt(playhead, position)
        const label = track.label === '' ? (track.trackId ?? 'main') : track.label
        return (
          <li key={position}>
            <button
              type="button"
              className="track"
              data-current={position === current}
              title={`${label}: go to its first event`}
              onClick={() => goTo(position)}
            >
              {position === 0 ? <span className="track-dot" /> : <Icon name="agent" size={14} tone="k-tool" />}
              <span className="cut grow">{label}</span>
              {list >= 0 && (
                <span className="num caption">
                  {todos.completedAt(list)}/{todos.totalAt(list)}
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
