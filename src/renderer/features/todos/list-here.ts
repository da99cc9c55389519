import { useSyncExternalStore } from 'react'
import type { TodoSnapshot } from '#contract/methods.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { type ListedTrack, listedTracks } from './track-choice.tsx'

/** The todo list at the playhead. */
export interface ListHere {
  /** The tracks that have a list there. */
  readonly listed: readonly ListedTrack[]
  /** The track whose list is wanted. */
  readonly wanted: number
  /** The list that is shown; undefined: there is none yet. */
  readonly shown: ListedTrack | undefined
  /** Undefined: it is not loaded yet. */
  readonly snapshot: TodoSnapshot | undefined
}

/** The list of track `picked`; null: of the track of the playhead. */
export function useListHere(picked: number | null): ListHere {
  const { todos } = useLogParts()
  const tracks = useLog((log) => log.status.tracks)
  const here = useLog((log) => log.seq)
  const trackHere = useLog((log) => log.columns.track[log.row] ?? 0)
  useSyncExternalStore(todos.changes.subscribe, todos.changes.getVersion)
  const listed = listedTracks(todos, tracks, here)
  const wanted = picked ?? trackHere
  // A subagent without its own list works on the main agent's.
  const shown = listed.find((entry) => entry.track === wanted) ?? listed.find((entry) => entry.track === 0)
  return { listed, wanted, shown, snapshot: shown === undefined ? undefined : todos.snapshot(shown.snapshot) }
}
