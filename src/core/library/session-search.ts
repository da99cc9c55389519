import { allOf, partsOf } from '../query/query-choices.ts'
import type { Query, QueryValue } from '../query/query.ts'

/** A query about sessions in the two parts that answer it. */
export interface SessionSearch {
  /** About the cards of sessions; null: all sessions. */
  readonly cards: Query | null
  /** Texts that a line of a session holds; none: lines are not searched. */
  readonly texts: readonly QueryValue[]
  /** Texts that this line does not hold. */
  readonly without: readonly QueryValue[]
}

/** `query`: as `parseQuery` reads it for sessions, so no text stands where lines cannot be searched for it. */
export function sessionSearchOf(query: Query | null): SessionSearch {
  const cards: Query[] = []
  const texts: QueryValue[] = []
  const without: QueryValue[] = []
  const add = (part: Query): void => {
    if (part.op === 'and') part.of.forEach(add)
    else if (part.op === 'text' && !isEmpty(part.value)) texts.push(part.value)
    else if (part.op === 'not' && part.of.op === 'text' && !isEmpty(part.of.value)) without.push(part.of.value)
    else cards.push(part)
  }
  partsOf(query).forEach(add)
  return { cards: allOf(cards), texts, without }
}

/** The texts as terms; null: none. */
export function textPart({ texts, without }: Pick<SessionSearch, 'texts' | 'without'>): Query | null {
  const terms = (values: readonly QueryValue[]) => values.map((value): Query => ({ op: 'text', value }))
  return allOf([...terms(texts), ...terms(without).map((of): Query => ({ op: 'not', of }))])
}

/** In every line, and in every name. */
function isEmpty(value: QueryValue): boolean {
  return value.type !== 'regex' && value.text === ''
}
