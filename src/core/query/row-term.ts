import type { AgentEvent } from '../events/agent-event.ts'
import type { RowFacts } from '../index/row-facts.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import type { RunIndex } from '../index/run-index.ts'
import type { PlaceInRun } from '../replay/review.ts'
import { fillRanges, type NumberRanges, type TimeStretch } from './number-match.ts'
import type { RowBlock } from './row-block.ts'

/** Whether a row meets a term, as far as the index tells: `maybe` is decided by reading the log. Bits: `and` is `&`, `or` is `|`. */
export const no = 0
export const maybe = 1
export const yes = 3

/** A row that was read again. */
export interface ReadRow {
  readonly event: AgentEvent | null
  readonly facts: RowFacts
  /** Of the session; null: not stated. */
  readonly folder: string | null
}

/** A term of a query, made ready for one index. */
export interface RowTerm {
  /** Writes `no`, `maybe` or `yes` for each row of a block. */
  fill(block: RowBlock, into: Uint8Array): void
  /**
   * Where `fill` said `maybe`, the row to read for each row of a block, and what decides then. Absent: no row is `maybe`, or a search decides.
   */
  readonly reads?: { rowsFor(block: RowBlock): Int32Array; decide(read: ReadRow): boolean }
}

/** A log whose rows are asked about. */
export interface QueriedRun {
  readonly index: RunIndex
  /** Id of its format. */
  readonly format: string
  /** Where its bookmarks are; absent: unknown, as none. */
  readonly bookmarks?: readonly PlaceInRun[]
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

/** Holds for all rows, or for none. */
export function ofAll(holds: boolean): RowTerm {
  return { fill: (_, into) => void into.fill(holds ? yes : no) }
}

/** `rows`: ascending. */
export function ofRows(rows: readonly number[]): RowTerm {
  return {
    fill({ from }, into) {
      into.fill(no)
      for (let at = firstFrom(rows, from); ; at++) {
        const row = rows[at] ?? Infinity
        if (row >= from + into.length) return
        into[row - from] = yes
      }
    }
  }
}

/** `column`: for each row the number of one of `members`. Each member is tested once. */
export function ofTable<T>(
  members: readonly T[],
  matches: (member: T) => boolean,
  column: (block: RowBlock) => Uint8Array | Uint16Array
): RowTerm {
  const table = Uint8Array.from(members, (member) => (matches(member) ? yes : no))
  return { fill: (block, into) => fillTable(table, column(block), into) }
}

function fillTable(table: Uint8Array, numbers: Uint8Array | Uint16Array, into: Uint8Array): void {
  for (let i = 0; i < into.length; i++) into[i] = table[numbers[i] ?? 0] ?? no
}

/** `bounds`: ascending rows; from the first on the term holds, from the second on not, and so on. */
export function ofIntervals(bounds: readonly number[]): RowTerm {
  return {
    fill({ from }, into) {
      let next = firstFrom(bounds, from + 1)
      for (let at = 0; at < into.length; next++) {
        const end = Math.min(into.length, (bounds[next] ?? Infinity) - from)
        into.fill(next % 2 === 1 ? yes : no, at, end)
        at = end
      }
    }
  }
}

/** `rowsFor`: for each row the row to read; -1 where the term cannot hold. */
export function read(rowsFor: (block: RowBlock) => Int32Array, decide: (read: ReadRow) => boolean): RowTerm {
  return {
    fill(block, into) {
      const rows = rowsFor(block)
      for (let i = 0; i < into.length; i++) into[i] = (rows[i] ?? -1) >= 0 ? maybe : no
    },
    reads: { rowsFor, decide }
  }
}

/** Reads the rows of some kinds. `isOf`: by kind. */
export function readKinds(isOf: readonly boolean[], decide: (read: ReadRow) => boolean): RowTerm {
  const rowsFor = ({ kinds, from }: RowBlock): Int32Array => {
    const rows = new Int32Array(kinds.length)
    for (let i = 0; i < kinds.length; i++) rows[i] = isOf[kinds[i] ?? 0] === true ? from + i : -1
    return rows
  }
  return read(rowsFor, decide)
}

export function ofNumber(
  ranges: NumberRanges,
  column: (block: RowBlock) => Int32Array | Uint32Array | Float64Array
): RowTerm {
  return { fill: (block, into) => fillRanges(ranges, column(block), into, no, yes) }
}

/** `stretchAt`: of `timeStretches`. */
export function ofTime(stretchAt: (ms: number) => TimeStretch): RowTerm {
  return {
    fill({ times }, into) {
      let since = Infinity
      let until = -Infinity
      let now: number = no
      for (let i = 0; i < into.length; i++) {
        const time = times[i] ?? NaN
        if (time >= since && time < until) {
          into[i] = now
        } else if (Number.isNaN(time)) {
          into[i] = no
        } else {
          const { from, to, holds } = stretchAt(time)
          since = from
          until = to
          into[i] = now = holds ? yes : no
        }
      }
    }
  }
}
