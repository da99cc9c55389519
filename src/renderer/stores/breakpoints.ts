import type { FindProgress } from '#contract/methods.ts'
import { stopOf } from '#core/query/rule-query.ts'
import type { Breakpoint, BreakpointRule } from '#core/replay/review.ts'
import { type BreakpointLog, BreakpointRows, type MatchState } from './breakpoint-rows.ts'

const noMatches: MatchState = { count: 0, searching: false, part: 1, error: null }

/** The rows of all breakpoints of a log. */
export class Breakpoints {
  readonly #log: BreakpointLog
  /** By id, in list order. */
  #rows = new Map<string, BreakpointRows>()

  constructor(log: BreakpointLog) {
    this.#log = log
  }

  /** Sets all breakpoints. Unchanged ones keep their rows. */
  set(breakpoints: readonly Breakpoint[]): void {
    const before = this.#rows
    this.#rows = new Map()
    // First end searches that are no longer needed: their number is limited.
    const kept = new Set(breakpoints.filter((each) => isSameSearch(before.get(each.id), each)).map(({ id }) => id))
    for (const [id, rows] of before) if (!kept.has(id)) rows.end()
    for (const breakpoint of breakpoints) {
      const known = kept.has(breakpoint.id) ? before.get(breakpoint.id) : undefined
      if (known !== undefined) known.breakpoint = breakpoint
      // Disabled breakpoints are not searched.
      if (known !== undefined || hasRows(breakpoint)) {
        this.#rows.set(breakpoint.id, known ?? new BreakpointRows(breakpoint, this.#log))
      }
    }
  }

  /** The breakpoint at a row, enabled ones first; null for none. */
  at(row: number): Breakpoint | null {
    let off: Breakpoint | null = null
    for (const rows of this.#rows.values()) {
      if (!rows.has(row)) continue
      if (rows.breakpoint.enabled) return rows.breakpoint
      off ??= rows.breakpoint
    }
    return off
  }

  /** The first row of an enabled breakpoint in `from` … `to` (exclusive); null for none. */
  firstIn(from: number, to: number): { readonly row: number; readonly id: string } | null {
    let first: { row: number; id: string } | null = null
    for (const { breakpoint, ...place } of this.#enabledRows((rows) => rows.firstFrom(from))) {
      if (place.row < to && place.row < (first?.row ?? Infinity)) first = { row: place.row, id: breakpoint.id }
    }
    return first
  }

  /** The rows of enabled breakpoints are known up to here (exclusive). */
  get knownTo(): number {
    let knownTo = Infinity
    for (const rows of this.#rows.values()) if (doesStop(rows.breakpoint)) knownTo = Math.min(knownTo, rows.knownTo)
    return knownTo
  }

  /** The nearest row of an enabled breakpoint in this direction that passes; -1 for none. */
  next(row: number, direction: 1 | -1, passes: (row: number) => boolean): number {
    let best = -1
    for (let from = row; ; from = best) {
      best = -1
      const places = this.#enabledRows((rows) => (direction > 0 ? rows.firstFrom(from + 1) : rows.lastBefore(from)))
      for (const place of places) {
        if (best < 0 || (place.row - best) * direction < 0) best = place.row
      }
      if (best < 0 || passes(best)) return best
    }
  }

  /** The next row of a breakpoint after `row`, then from the start; -1 for none. */
  nextOf(id: string, row: number): number {
    const rows = this.#rows.get(id)
    const next = rows?.firstFrom(row + 1) ?? -1
    return next >= 0 ? next : (rows?.firstFrom(0) ?? -1)
  }

  /** The rows of a breakpoint, as far as they are known. Ascending; valid until something changes. */
  rowsOf(id: string): Uint32Array {
    return this.#rows.get(id)?.rows ?? new Uint32Array()
  }

  /** The number of rows of a breakpoint, as far as known. */
  matchesOf(id: string): MatchState {
    return this.#rows.get(id)?.state ?? noMatches
  }

  onGrown(row: number, replaced: boolean): void {
    for (const rows of this.#rows.values()) rows.onGrown(row, replaced)
  }

  onFound(progress: FindProgress): void {
    for (const rows of this.#rows.values()) rows.onFound(progress)
  }

  onBookmarks(): void {
    for (const rows of this.#rows.values()) rows.onBookmarks()
  }

  searchAgain(): void {
    for (const rows of this.#rows.values()) rows.searchAgain()
  }

  dispose(): void {
    for (const rows of this.#rows.values()) rows.dispose()
  }

  *#enabledRows(rowOf: (rows: BreakpointRows) => number): Iterable<{ row: number; breakpoint: Breakpoint }> {
    for (const rows of this.#rows.values()) {
      const row = doesStop(rows.breakpoint) ? rowOf(rows) : -1
      if (row >= 0) yield { row, breakpoint: rows.breakpoint }
    }
  }
}

function doesStop({ enabled, stops = true }: Breakpoint): boolean {
  return enabled && stops
}

/** Whether the rows are found: those of a disabled text breakpoint would need a search. */
function hasRows({ enabled, rule }: Breakpoint): boolean {
  return enabled || !searchesText(rule)
}

/** Whether the log is searched for a text. */
export function searchesText(rule: BreakpointRule): boolean {
  const stop = stopOf(rule)
  return stop !== null && stop.at !== 'reach' && stop.hasText
}

function isSameSearch(before: BreakpointRows | undefined, now: Breakpoint): boolean {
  return before !== undefined && hasRows(now) && JSON.stringify(before.breakpoint.rule) === JSON.stringify(now.rule)
}
