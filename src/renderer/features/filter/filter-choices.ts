/** Excluded members of a group. */
export interface Excluded<T> {
  readonly members: ReadonlySet<T>
  readonly onToggle: (member: T) => void
}

/** `set` with the membership of `member` inverted. */
export function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const changed = new Set(set)
  if (!changed.delete(member)) changed.add(member)
  return changed
}
