import type { Query } from '#core/query/query.ts'
import type { QueryError } from '#core/query/parse-query.ts'
import { firstHitFrom } from './find-hits.ts'
import type { LogColumns } from './log-columns.ts'
import { type FindState, noFind } from './log-find.ts'
import type { ShownRows } from './laid-lines.ts'

/** Which rows the timeline shows. */
export interface FilterState {
  /** The query as it is typed. */
  readonly text: string
  /** What is wrong with the text, and where; null: nothing. */
  readonly error: QueryError | null
  /** The query of the text, or of the last one without an error. Null: all rows. */
  readonly query: Query | null
  /** The search for the rows of `query`. */
  readonly search: FindState
}

export const noFilter: FilterState = { text: '', error: null, query: null, search: noFind }

export function isNoFilter({ query }: Pick<FilterState, 'query'>): boolean {
  return query === null
}

/** Keys that a call and its result answer alike; a query with others asks for the very rows. */
const keysOfCalls: ReadonlySet<string> = new Set([
  ...['tool', 'mcp', 'status', 'exit', 'dur', 'file', 'cmd', 'input', 'output', 'track', 'turn', 'at'],
  ...['model', 'in', 'out', 'tokens', 'ctx', 'agent', 'format', 'todo']
])

function asksForRows(query: Query): boolean {
  if (query.op === 'and' || query.op === 'or') return query.of.some(asksForRows)
  return query.op === 'text' || (query.op === 'term' && !keysOfCalls.has(query.key.split('.', 1)[0] ?? ''))
}

/** The rows of a query, as far as they are found. */
export class QueryRows implements ShownRows {
  readonly showsEach: boolean
  #search: FindState

  constructor(query: Query, search: FindState) {
    this.showsEach = asksForRows(query)
    this.#search = search
  }

  set search(search: FindState) {
    this.#search = search
  }

  /** Behind its last row, a search that is under way has found nothing yet. */
  get decided(): number {
    const { hits, searching } = this.#search
    return searching ? (hits.at(-1) ?? -1) + 1 : Infinity
  }

  mark(_columns: LogColumns, from: number, to: number, into: Uint8Array): void {
    const { hits } = this.#search
    let position = firstHitFrom(hits, from)
    for (let row = from; row < to; row++) {
      into[row - from] = hits[position] === row ? 1 : 0
      if (hits[position] === row) position++
    }
  }
}
