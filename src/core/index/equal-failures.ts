/** A failed call, as far as it is listed. */
export interface ListedFailure {
  readonly seq: number
  readonly tool: string
  readonly text: string
}

/** Failures that say the same, in the place of the first. */
export interface EqualFailures<T extends ListedFailure> {
  readonly first: T
  readonly count: number
}

/** Groups failures of one tool that say the same, in the order in which the first of each came. */
export function equalFailures<T extends ListedFailure>(failures: readonly T[]): EqualFailures<T>[] {
  const groups = new Map<string, { first: T; count: number }>()
  for (const first of failures) {
    const key = JSON.stringify([first.tool, first.text])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { first, count: 1 })
    else group.count++
  }
  return [...groups.values()]
}
