/** A failed call, as far as it is listed. */
export interface ListedFailure {
  readonly tool: string
  /** Why, in one line: `failureLine`. */
  readonly text: string
}

/** Failures that say the same, in the place of the first. */
export interface FailureGroup<T extends ListedFailure> {
  readonly first: T
  readonly count: number
}

/** Groups failures of one tool that say the same, while they come. Of more than `most` groups the failures of the further ones are only counted. */
export class EqualFailures<T extends ListedFailure> {
  /** Failures of further groups. */
  further = 0
  private readonly most: number
  private readonly groups = new Map<string, { readonly first: T; count: number }>()

  constructor(most: number) {
    this.most = most
  }

  add(failure: T): void {
    const key = JSON.stringify([failure.tool, failure.text])
    const group = this.groups.get(key)
    if (group !== undefined) group.count++
    else if (this.groups.size < this.most) this.groups.set(key, { first: failure, count: 1 })
    else this.further++
  }

  /** In the order in which the first of each came. */
  get list(): readonly FailureGroup<T>[] {
    return [...this.groups.values()]
  }

  /** Those of most failures first, those of as many in their order. */
  get mostFirst(): readonly FailureGroup<T>[] {
    return this.list.toSorted((a, b) => b.count - a.count)
  }
}
