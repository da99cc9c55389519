import { isFiniteNumber, type JsonValue } from '../json.ts'

/** More than any run costs; larger values are not dollars. */
const maxUsd = 1e6

/** Whether a value that a log states can be a cost in US dollars. */
export function isUsd(value: JsonValue | undefined): value is number {
  return isFiniteNumber(value) && value >= 0 && value <= maxUsd
}

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
    if (!isUsd(costUsd)) return undefined
    // Cumulative per process: a lower value means a new process.
    const added = costUsd >= this.last ? costUsd - this.last : costUsd
    this.total = (this.total ?? 0) + added
    this.last = costUsd
    return added
  }
}
