/** A secret in a text, in UTF-16 code units. */
export interface SecretSpan {
  /** As in its mark, e.g. `GitHub token`. */
  readonly kind: string
  readonly start: number
  readonly end: number
  /** A further part of the previous secret; not counted again. */
  readonly continues?: true
  /** Of a secret of a fixed length: the number of characters that it lacks at its end. */
  readonly lacks?: number
}

/** Merges spans, ascending. Overlapping ones become one, of the kind that is earlier in `bySureness`. */
export function mergedSpans<S extends SecretSpan>(...bySureness: readonly (readonly S[])[]): S[] {
  if (bySureness.every((spans) => spans.length === 0)) return []
  const found = bySureness.flatMap((spans, doubt) => spans.map((span) => ({ span, doubt })))
  found.sort((a, b) => a.span.start - b.span.start || a.doubt - b.doubt)
  const merged: { span: S; doubt: number }[] = []
  for (const next of found) {
    const last = merged.at(-1)
    if (last === undefined || next.span.start >= last.span.end) {
      merged.push(next)
      continue
    }
    const { span, doubt } = next.doubt < last.doubt ? next : last
    const end = Math.max(last.span.end, next.span.end)
    merged[merged.length - 1] = { span: { ...span, start: last.span.start, end }, doubt }
  }
  return merged.map(({ span }) => span)
}
