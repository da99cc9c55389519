/** Secrets with a known form, in any context. */
export interface SecretFormat {
  readonly kind: string
  /** The documentation of the form. */
  readonly source: string
  /** Exact prefixes. */
  readonly starts: readonly string[]
  /** The rest. Sticky, and never unbounded before an optional part: hostile text causes no repeated scans. */
  readonly rest: RegExp
  /** Could occur in base64, as it has no `-`, `_` or `.`: a `+` or `/` before it means part of base64. */
  readonly plain?: true
  /** The fixed length of the rest; further characters are not part of it. */
  readonly full?: number
}
