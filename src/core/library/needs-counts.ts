import type { Query } from '../query/query.ts'

/** Whether it asks for facts that only a whole log tells (`SessionCounts`). */
export function needsCounts(query: Query): boolean {
  switch (query.op) {
    case 'and':
    case 'or':
      return query.of.some(needsCounts)
    case 'not':
      return needsCounts(query.of)
    case 'text':
      return false
    case 'term':
      return ofCounts.has(query.key)
  }
}

const ofCounts: ReadonlySet<string> = new Set(
  'has finding dur calls failed turns todos open in out tokens cost'.split(' ')
)
