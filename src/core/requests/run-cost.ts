import { isFiniteNumber } from '../json.ts'

/** The cost of a run from its turn ends (`TurnCompleted.costUsd`), in log order. */
export class RunCost {
  private total: number | null = null
  private last = 0

  /** Null: not stated. */
  get usd(): number | null {
    return this.total
  }

  add(costUsd: number | undefined): void {
    if (!isFiniteNumber(costUsd)) return
    // Cumulative per process: a lower value means a new process.
    this.total = (this.total ?? 0) + (costUsd >= this.last ? costUsd - this.last : costUsd)
    this.last = costUsd
  }
}
