import { literalPatterns } from '#queries/find/literal-patterns.ts'
import { isMeant, type Pattern } from '#queries/find/pattern.ts'
import { GuardedExpression } from '#queries/find/guarded-expression.ts'
import { EndlessMatch, type MatchGuard } from '#queries/find/match-guard.ts'
import type { Query } from '#queries/find/search.ts'
import { VectorScanner } from '../../find/vector-scanner.ts'
import type { LineQuery } from './scan-jobs.ts'

/** A line, with its offset in the log. */
export interface LineToMatch {
  readonly offset: number
  readonly bytes: Buffer
}

/** The byte range of a match in a line, or null. */
type MatchRange = readonly [from: number, to: number] | null

/** The first match in each of some lines. Many are matched at once, as guarding each costs more than matching it. */
export type FindMatches = (lines: readonly LineToMatch[]) => readonly MatchRange[]

/** Matches as the search does that found the lines. Throws `EndlessMatch`. */
export function lineMatcher(query: Query, guard: MatchGuard): FindMatches {
  if (!query.regex) {
    const find = literalMatcher(literalPatterns(query.text, query.caseSensitive))
    return (lines) => lines.map(({ bytes }) => find(bytes))
  }
  const guarded = new GuardedExpression(query, guard)
  return (lines) => {
    const found: MatchRange[] = []
    let next = 0
    const isDone = guarded.run(
      lines.reduce((sum, { bytes }) => sum + bytes.length, 0),
      (expression) => {
        for (; next < lines.length; next++) {
          expression.lastIndex = 0
          const text = lines[next]?.bytes.toString() ?? ''
          const match = expression.exec(text)
          const from = match === null ? 0 : Buffer.byteLength(text.slice(0, match.index))
          // The line may be matched again, if its match was ended here.
          found[next] = match === null ? null : [from, from + Buffer.byteLength(match[0])]
        }
      }
    )
    if (!isDone) throw new EndlessMatch(lines[next]?.offset ?? 0)
    return found
  }
}

/** Tests lines that hold the main text of a query for its other texts. */
export class LineTests {
  readonly #also: readonly FindMatches[]
  readonly #without: readonly FindMatches[]

  constructor({ also, without }: LineQuery, guard: MatchGuard) {
    this.#also = also.map((query) => lineMatcher(query, guard))
    this.#without = without.map((query) => lineMatcher(query, guard))
  }

  get isEmpty(): boolean {
    return this.#also.length === 0 && this.#without.length === 0
  }

  /** Those that pass, in order. Throws `EndlessMatch`. */
  passing(lines: readonly LineToMatch[]): readonly LineToMatch[] {
    const those = (found: readonly LineToMatch[], find: FindMatches, isIn: boolean): readonly LineToMatch[] => {
      const matches = find(found)
      return found.filter((_, i) => (matches[i] !== null) === isIn)
    }
    const held = this.#also.reduce((found, find) => those(found, find, true), lines)
    return this.#without.reduce((found, find) => those(found, find, false), held)
  }
}

function literalMatcher(patterns: readonly Pattern[]): (line: Buffer) => MatchRange {
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
