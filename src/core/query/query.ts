/**
 * A question about the rows of a log: which of them? The text form is described in docs/query.md; `parseQuery` reads it and `printQuery`
 * writes it. A tree has no positions, so equal questions are equal trees.
 */
export type Query =
  | { readonly op: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly op: 'not'; readonly of: Query }
  | { readonly op: 'text'; readonly value: QueryValue }
  | { readonly op: 'term'; readonly key: string; readonly test: QueryTest }

/**
 * What is compared. A word equals a whole value, whatever its case, with `*` for any characters; as bare text, it is looked for inside the
 * row's line. A quoted text is looked for inside a value. A regular expression has the syntax of JavaScript, with the flag `u`.
 */
export type QueryValue =
  | { readonly type: 'word' | 'quoted'; readonly text: string }
  | { readonly type: 'regex'; readonly source: string; readonly ignoreCase: boolean }

export type Comparison = '<' | '<=' | '>' | '>=' | '='

/**
 * The condition on a key's value. `any`: one of these. `compare` and `range` are for keys of a quantity or a time; both ends of a range count.
 * `todo`: the text of an item and its status, either of them null where any will do.
 */
export type QueryTest =
  | { readonly type: 'any'; readonly values: readonly QueryValue[] }
  | { readonly type: 'compare'; readonly by: Comparison; readonly to: string }
  | { readonly type: 'range'; readonly from: string; readonly to: string }
  | { readonly type: 'todo'; readonly text: QueryValue | null; readonly status: string | null }

/** So deep may brackets and negations be nested. */
export const maxQueryDepth = 100
/** So many characters of a query are read. */
export const maxQueryLength = 10_000
