import type { AgentEvent } from '../events/agent-event.ts'
import type { RowFacts } from '../index/row-facts.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import type { RunIndex } from '../index/run-index.ts'
import type { MatchesNumber } from './number-match.ts'

/** Whether a row meets a term, as far as the index tells: `maybe` is decided by reading the log. `and` takes the least, `or` the greatest. */
export const no = 0
export const maybe = 1
export const yes = 2

/** A row that was read again. */
export interface ReadRow {
  readonly event: AgentEvent | null
  readonly facts: RowFacts
}

/** A term of a query, made ready for one index. */
export interface RowTerm {
  /** Writes `no`, `maybe` or `yes` for each row from `from` on. */
  fill(from: number, into: Uint8Array): void
  /** The row to read where `fill` said `maybe`, and what decides then. Absent: no row is `maybe`, or a search decides. */
  readonly reads?: { rowFor(row: number): number; decide(read: ReadRow): boolean }
}

/** A log whose rows are asked about. */
export interface QueriedRun {
  readonly index: RunIndex
  /** Id of its format. */
  readonly format: string
}

/** The number of a kind of row. */
export const kindOf = (name: RowKind): number => rowKinds.indexOf(name)

/** Where the first of `rows`, which ascend, stands that is not below `row`. */
export function firstFrom(rows: ArrayLike<number>, row: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle] ?? Infinity) < row) low = middle + 1
    else high = middle
  }
  return low
}

export function ofRow(holds: (row: number) => boolean): RowTerm {
  return {
    fill(from, into) {
      for (let i = 0; i < into.length; i++) into[i] = holds(from + i) ? yes : no
    }
  }
}

/** Each of `members` is tested once. */
export function ofTable<T>(
  members: readonly T[],
  matches: (member: T) => boolean,
  numberAt: (row: number) => number
): RowTerm {
  const table = Uint8Array.from(members, (member) => (matches(member) ? yes : no))
  return {
    fill(from, into) {
      for (let i = 0; i < into.length; i++) into[i] = table[numberAt(from + i)] ?? no
    }
  }
}

/** `bounds`: ascending rows; from the first on the term holds, from the second on not, and so on. */
export function ofIntervals(bounds: readonly number[]): RowTerm {
  return {
    fill(from, into) {
      let next = firstFrom(bounds, from + 1)
      for (let i = 0; i < into.length; i++) {
        while (next < bounds.length && (bounds[next] ?? 0) <= from + i) next++
        into[i] = next % 2 === 1 ? yes : no
      }
    }
  }
}

/** `rowFor`: the row to read for a row; -1 where the term cannot hold. */
export function read(rowFor: (row: number) => number, decide: (read: ReadRow) => boolean): RowTerm {
  return {
    fill(from, into) {
      for (let i = 0; i < into.length; i++) into[i] = rowFor(from + i) >= 0 ? maybe : no
    },
    reads: { rowFor, decide }
  }
}

/** `least`: smaller numbers mean that there is none. */
export function ofNumber(matches: MatchesNumber, numberAt: (row: number) => number, least: number): RowTerm {
  return ofRow((row) => {
    const value = numberAt(row)
    return value >= least && matches(value)
  })
}
