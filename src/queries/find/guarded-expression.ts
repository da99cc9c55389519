import type { Expression } from '#core/query/linear-regex.ts'
import { expressionOf } from './expression.ts'
import type { MatchGuard } from './match-guard.ts'
import type { Query } from './search.ts'

/** The time that an expression may be slow before it is matched in linear time. */
const patienceMs = 250

/** An expression that is matched by JavaScript's engine, and once that is slow in linear time, if it can be. */
export class GuardedExpression {
  readonly #query: Query
  readonly #guard: MatchGuard | null
  #expression: Expression
  /** Whether there is no other engine to change to. */
  #isLast = false

  /** `guard`: null where nothing can end a match. Throws a SyntaxError if the text is not a regular expression. */
  constructor(query: Query, guard: MatchGuard | null) {
    this.#query = query
    this.#guard = guard
    this.#expression = expressionOf(query)
  }

  get isGuarded(): boolean {
    return this.#guard !== null
  }

  /** Calls `work`, which matches so many bytes, and again when it was ended: it goes on where it was. False: its time is over. */
  run(bytes: number, work: (expression: Expression) => void): boolean {
    const guard = this.#guard
    if (guard === null) {
      work(this.#expression)
      return true
    }
    if (guard.isSlow) this.#change(guard)
    for (let ordinary = bytes; ;) {
      const slowMs = this.#isLast ? guard.leftMs : Math.min(patienceMs, guard.leftMs)
      if (guard.run(ordinary, slowMs, () => work(this.#expression))) return true
      if (this.#isLast && guard.leftMs === 0) return false
      const former = this.#expression
      this.#change(guard)
      // The same engine has had the time of ordinary work.
      if (this.#expression === former) ordinary = 0
    }
  }

  #change(guard: MatchGuard): void {
    if (this.#isLast) return
    this.#expression = guard.linear(this.#query.text, !this.#query.caseSensitive) ?? this.#expression
    this.#isLast = true
  }
}
