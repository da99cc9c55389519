import { HostError } from '#contract/host-error.ts'
import type { Query } from './search.ts'

/** The expression of a query. Throws a SyntaxError if invalid. */
export function expressionOf({ text, caseSensitive }: Query): RegExp {
  return new RegExp(text, caseSensitive ? 'gu' : 'giu')
}

/** Throws `bad-params` with the reason for an invalid regular expression. */
export function refuseNoExpression(query: Query): void {
  try {
    if (query.regex) expressionOf(query)
  } catch (error) {
    // V8's message ends with the reason, after the last colon.
    const reason = error instanceof Error ? error.message.split(': ').at(-1) : undefined
    throw new HostError('bad-params', `Invalid regular expression: ${reason ?? 'it cannot be read'}.`)
  }
}
