import { literalPatterns } from '#queries/find/literal-patterns.ts'
import { isMeant, type Pattern } from '#queries/find/pattern.ts'
import { expressionOf } from '#queries/find/regex-search.ts'
import type { Query } from '#queries/find/search.ts'
import { VectorScanner } from '../../find/vector-scanner.ts'
import type { LineQuery } from './scan-jobs.ts'

/** The byte range of the first match in a line, or null. */
export type FindMatch = (line: Buffer) => readonly [from: number, to: number] | null

/** Matches as the search does that found the line. */
export function lineMatcher(query: Query): FindMatch {
  if (!query.regex) return literalMatcher(literalPatterns(query.text, query.caseSensitive))
  const expression = expressionOf(query)
  return (line) => {
    expression.lastIndex = 0
    const text = line.toString()
    const match = expression.exec(text)
    if (match === null) return null
    const from = Buffer.byteLength(text.slice(0, match.index))
    return [from, from + Buffer.byteLength(match[0])]
  }
}

/** Tests lines that hold the main text of a query for its other texts. */
export class LineTests {
  readonly #also: readonly FindMatch[]
  readonly #without: readonly FindMatch[]

  constructor({ also, without }: LineQuery) {
    this.#also = also.map(lineMatcher)
    this.#without = without.map(lineMatcher)
  }

  get isEmpty(): boolean {
    return this.#also.length === 0 && this.#without.length === 0
  }

  passes(line: Buffer): boolean {
    return this.#also.every((find) => find(line) !== null) && !this.#without.some((find) => find(line) !== null)
  }
}

function literalMatcher(patterns: readonly Pattern[]): FindMatch {
  let scanner = new VectorScanner(patterns, 1 << 16)
  return (line) => {
    if (line.length > scanner.window.length) scanner = new VectorScanner(patterns, line.length)
    scanner.window.set(line)
    let best: readonly [number, number] | null = null
    for (const [number, pattern] of patterns.entries()) {
      const length = pattern.bytes.length
      for (let at = scanner.next(number, 0, line.length); at >= 0; at = scanner.next(number, at + 1, line.length)) {
        if (!isMeant(pattern, scanner.window, at)) continue
        if (best === null || at < best[0]) best = [at, at + length]
        break
      }
    }
    return best
  }
}
