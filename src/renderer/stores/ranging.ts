import { allOf, partsOf } from '#core/query/query-choices.ts'
import type { Query } from '#core/query/query.ts'
import type { Filtering, FilteringState } from './filtering.ts'
import type { LogAccess } from './log-access.ts'

/** Events `from` … `to`, both included. */
export interface EventRange {
  readonly from: number
  readonly to: number
}

export interface RangingState {
  /** What a person marked on an axis and has not zoomed into yet. */
  readonly selection: EventRange | null
}

/**
 * The ranges of a query: its terms `seq:A..B` at the top level, from the outermost to the one in force. A number means one
 * event exactly; times may be missing, equal, or go back.
 */
export function rangesOf(query: Query | null): readonly EventRange[] {
  return partsOf(query).flatMap((part) => rangeOfTerm(part) ?? [])
}

/** What all ranges have in common; null: the whole session. `from` after `to`: nothing. */
export function rangeInForce(query: Query | null): EventRange | null {
  const ranges = rangesOf(query)
  if (ranges.length === 0) return null
  return { from: Math.max(...ranges.map(({ from }) => from)), to: Math.min(...ranges.map(({ to }) => to)) }
}

/** The query without its ranges. */
export function besideRanges(query: Query | null): Query | null {
  return allOf(partsOf(query).filter((part) => rangeOfTerm(part) === null))
}

/** Only the ranges of the query. */
export function onlyRanges(query: Query | null): Query | null {
  return allOf(partsOf(query).filter((part) => rangeOfTerm(part) !== null))
}

/** The query with one more range. */
export function withRange(query: Query | null, { from, to }: EventRange): Query | null {
  const test = { type: 'range', from: String(from), to: String(to) } as const
  return allOf([...partsOf(query), { op: 'term', key: 'seq', test }])
}

/** The query with only its first `count` ranges. */
export function withRanges(query: Query | null, count: number): Query | null {
  let seen = 0
  return allOf(partsOf(query).filter((part) => rangeOfTerm(part) === null || seen++ < count))
}

function rangeOfTerm(part: Query): EventRange | null {
  if (part.op !== 'term' || part.key !== 'seq' || part.test.type !== 'range') return null
  const { from, to } = part.test
  const isPlain = /^\d{1,15}$/.test(from) && /^\d{1,15}$/.test(to)
  return isPlain ? { from: Number(from), to: Number(to) } : null
}

/** Narrows the page to parts of the session. The ranges are terms of its query, so links, reloads and all views have them. */
export class Ranging {
  readonly #log: LogAccess<RangingState & FilteringState>
  readonly #filtering: Pick<Filtering, 'change'>

  constructor(log: LogAccess<RangingState & FilteringState>, filtering: Pick<Filtering, 'change'>) {
    this.#log = log
    this.#filtering = filtering
  }

  /** Marks a range, or none. */
  select(selection: EventRange | null): void {
    this.#log.set({ selection })
  }

  /** Shows only a range: the marked one, if none is given. False if none is marked. */
  zoomIn(range = this.#log.get().selection): boolean {
    if (range === null) return false
    this.#log.set({ selection: null })
    this.#filtering.change(withRange(this.#query, range))
    return true
  }

  /** Takes the mark away, else the innermost range. False if there is neither. */
  widen(): boolean {
    const { selection } = this.#log.get()
    const { length } = rangesOf(this.#query)
    if (selection !== null) this.select(null)
    else if (length > 0) this.widenTo(length - 1)
    else return false
    return true
  }

  /** Keeps the `count` outermost ranges; 0: the whole session. */
  widenTo(count: number): void {
    this.#log.set({ selection: null })
    this.#filtering.change(withRanges(this.#query, count))
  }

  get #query(): Query | null {
    return this.#log.get().filter.query
  }
}
