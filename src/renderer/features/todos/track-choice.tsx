import type { TodoSnapshots } from '../../stores/todo-snapshots.ts'
import { formatCount } from '../../ui/format.ts'

/** A track with a list at the playhead. */
export interface ListedTrack {
  readonly track: number
  readonly label: string
  /** The snapshot of its list. */
  readonly snapshot: number
}

/** The tracks with a list at `playhead`, the main agent first. */
export function listedTracks(
  todos: TodoSnapshots,
  tracks: readonly { readonly label: string; readonly trackId: string | null }[],
  playhead: number
): ListedTrack[] {
  const listed: ListedTrack[] = []
  tracks.forEach(({ label, trackId }, track) => {
    const snapshot = todos.indexAt(playhead, track)
    if (snapshot >= 0) listed.push({ track, label: track === 0 ? 'main' : label || (trackId ?? ''), snapshot })
  })
  return listed
}

/** With more tracks the choice is a menu. */
const maxSegments = 2

/** The choice of the shown list. Nothing for a single one. */
export function TrackChoice({
  todos,
  listed,
  chosen,
  onChoose
}: {
  todos: TodoSnapshots
  listed: readonly ListedTrack[]
  chosen: number
  onChoose: (track: number) => void
}) {
  if (listed.length === 0 || (listed.length === 1 && listed[0]?.track === chosen)) return null
  const progress = ({ snapshot }: ListedTrack) =>
    `${formatCount(todos.completedAt(snapshot))}/${formatCount(todos.totalAt(snapshot))}`
  if (listed.length > maxSegments) {
    return (
      <select
        className="todo-track-menu"
        aria-label="Track"
        value={chosen}
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {listed.map((entry) => (
          <option key={entry.track} value={entry.track}>
            {entry.label} {progress(entry)}
          </option>
        ))}
      </select>
    )
  }
  return (
    <span className="segments" role="group" aria-label="Track">
      {listed.map((entry) => (
        <button
          key={entry.track}
          type="button"
          aria-pressed={entry.track === chosen}
          title={`${entry.label} ${progress(entry)}`}
          onClick={() => onChoose(entry.track)}
        >
          <span className="cut">{entry.label}</span>
          {entry.track !== chosen && <span className="num">{progress(entry)}</span>}
        </button>
      ))}
    </span>
  )
}
