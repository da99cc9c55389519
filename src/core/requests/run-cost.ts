import { isFiniteNumber } from '../json.ts'

/** The cost of a run from its turn ends (`TurnCompleted.costUsd`), in log order. */
export class RunCost {
  private total: number | null = null
  private last = 0

  /** Null: not stated. */
  get usd(): number | null {
    return this.total
  }

  /** Returns what a turn end adds; undefined if it states none. */
  add(costUsd: number | undefined): number | undefined {
    if (!isFiniteNumber(costUsd)) return undefined
    // Cumulative per process: a lower value means a new process.
    const added = costUsd >= this.last ? costUsd - this.last : costUsd
    this.total = (this.total ?? 0) + added
    this.last = costUsd
    return added
  }
}
