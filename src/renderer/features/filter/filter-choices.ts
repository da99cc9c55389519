import type { FilterChoice, NamedChoice } from '../../stores/row-filter.ts'

type Member<G extends keyof NamedChoice> = NamedChoice[G] extends ReadonlySet<infer M> ? M : never

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

function lacking<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  return set.has(member) ? toggled(set, member) : set
}

/** The filter with `member` included or no longer included. An included member is not excluded. */
export function toggleIncluded<G extends keyof NamedChoice>(
  filter: FilterChoice,
  group: G,
  member: Member<G>
): FilterChoice {
  const [asked, without] = [filter[group] as ReadonlySet<Member<G>>, filter.without[group] as ReadonlySet<Member<G>>]
  return {
    ...filter,
    [group]: toggled(asked, member),
    without: { ...filter.without, [group]: lacking(without, member) }
  }
}

/** The filter with `member` excluded or no longer excluded. An excluded member is not included. */
export function toggleExcluded<G extends keyof NamedChoice>(
  filter: FilterChoice,
  group: G,
  member: Member<G>
): FilterChoice {
  const [asked, without] = [filter[group] as ReadonlySet<Member<G>>, filter.without[group] as ReadonlySet<Member<G>>]
  return {
    ...filter,
    [group]: lacking(asked, member),
    without: { ...filter.without, [group]: toggled(without, member) }
  }
}
