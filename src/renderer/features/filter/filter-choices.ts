import type { FilterChoice, NamedChoice } from '../../stores/row-filter.ts'

type Member<G extends keyof NamedChoice> = NamedChoice[G] extends ReadonlySet<infer M> ? M : never

/** Members of a group that are left out. */
export interface LeftOut<T> {
  readonly members: ReadonlySet<T>
  readonly onToggle: (member: T) => void
}

/** `set` with `member` where it was without, and the other way round. */
export function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const changed = new Set(set)
  if (!changed.delete(member)) changed.add(member)
  return changed
}

function lacking<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  return set.has(member) ? toggled(set, member) : set
}

/** The filter that asks for `member` too, or no longer. What is asked for is not left out. */
export function asking<G extends keyof NamedChoice>(filter: FilterChoice, group: G, member: Member<G>): FilterChoice {
  const [asked, without] = [filter[group] as ReadonlySet<Member<G>>, filter.without[group] as ReadonlySet<Member<G>>]
  return {
    ...filter,
    [group]: toggled(asked, member),
    without: { ...filter.without, [group]: lacking(without, member) }
  }
}

/** The filter that leaves `member` out too, or no longer. What is left out is not asked for. */
export function leavingOut<G extends keyof NamedChoice>(
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
