/** A call that the model's host made: a search, an image. */
export interface HostedCall {
  /** The item of the model, or an event of the interface about it. */
  readonly by: 'item' | 'event'
  /** The record has the id of the call. */
  readonly isNamed: boolean
  readonly toolName: string
  /** A hash of what was asked for; 0 if not stated. */
  readonly about: number
}

/** Limit of calls of a turn that wait for their other record. */
const mostCalls = 1000

/** Matches the two records of a call where one lacks its id: docs/formats/codex-rollout.md#a-search-is-recorded-twice. */
export class HostedCalls {
  private open: HostedCall[] = []

  /** Whether it is the second record of a call. */
  isSecond(call: HostedCall): boolean {
    const first = this.open.findIndex((other) => areOne(other, call))
    if (first >= 0) this.open.splice(first, 1)
    else this.open.push(call)
    if (this.open.length > mostCalls) this.open.shift()
    return first >= 0
  }

  /** A call whose records have one id, which tells the same. */
  drop(call: HostedCall): void {
    const first = this.open.findIndex(({ by, toolName, about }) => {
      return by !== call.by && toolName === call.toolName && about === call.about
    })
    if (first >= 0) this.open.splice(first, 1)
  }

  /** At turn boundaries. */
  clear(): void {
    this.open = []
  }
}

/** Two ids that differ are two calls. */
function areOne(a: HostedCall, b: HostedCall): boolean {
  const mayBe = a.by !== b.by && a.toolName === b.toolName && !(a.isNamed && b.isNamed)
  return mayBe && (a.about === b.about || a.about === 0 || b.about === 0)
}
