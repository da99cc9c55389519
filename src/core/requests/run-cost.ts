import { isFiniteNumber } from '../json.ts'

/** What a run cost, while the ends of its turns come in log order (`TurnCompleted.costUsd`). */
export class RunCost {
  private total: number | null = null
  private last = 0

  /** Null: no turn states it. */
  get usd(): number | null {
    return this.total
  }

  add(costUsd: number | undefined): void {
    if (!isFiniteNumber(costUsd)) return
    // It is cumulative over a process: where it falls, another one began.
    this.total = (this.total ?? 0) + (costUsd >= this.last ? costUsd - this.last : costUsd)
    this.last = costUsd
  }
}
