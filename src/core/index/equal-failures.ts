export interface ListedFailure {
  readonly tool: string
  /** The reason in one line: `failureLine`. */
  readonly text: string
}

/** Failures with the same tool and text. */
export interface FailureGroup<T extends ListedFailure> {
  readonly first: T
  readonly count: number
}

/** Groups failures by tool and text. After `maxGroups` groups, failures of new ones are only counted. */
export class EqualFailures<T extends ListedFailure> {
  /** Failures outside the kept groups. */
  further = 0
  private readonly maxGroups: number
  private readonly groups = new Map<string, { readonly first: T; count: number }>()

  constructor(maxGroups: number) {
    this.maxGroups = maxGroups
  }

  add(failure: T): void {
    const key = JSON.stringify([failure.tool, failure.text])
    const group = this.groups.get(key)
    if (group !== undefined) group.count++
    else if (this.groups.size < this.maxGroups) this.groups.set(key, { first: failure, count: 1 })
    else this.further++
  }

  /** In order of first occurrence. */
  get list(): readonly FailureGroup<T>[] {
    return [...this.groups.values()]
  }

  /** By count, descending; ties in order of first occurrence. */
  get mostFirst(): readonly FailureGroup<T>[] {
    return this.list.toSorted((a, b) => b.count - a.count)
  }
}
