/** Tracks whose state is kept; above, the oldest half is forgotten. */
const maxTracks = 4000

/** The state of a track in `states`, made by `make`. */
export function stateOf<T>(states: Map<string, T>, track: string, make: () => T): T {
  const known = states.get(track)
  if (known !== undefined) return known
  if (states.size >= maxTracks) {
    let left = maxTracks / 2
    for (const oldest of states.keys()) {
      if (left-- <= 0) break
      if (oldest !== '') states.delete(oldest)
    }
  }
  const made = make()
  states.set(track, made)
  return made
}
