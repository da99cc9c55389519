import type { LogStatus } from '#contract/methods.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import type { RowsRule } from '#core/replay/review.ts'
import { firstHitFrom } from './find-hits.ts'
import type { LogColumns } from './log-columns.ts'
import { RowList } from './row-list.ts'

/** The rows of a rule: of its kinds and tools, and with a text those of a search. Two look-ups per row. */
export class RuleRows {
  readonly #rule: RowsRule
  readonly #columns: LogColumns
  readonly #kinds: Uint8Array
  readonly #tools: Uint8Array
  readonly #found = new RowList()
  #knownTools = 0
  #seen = 0
  #hits: Uint32Array = new Uint32Array()

  constructor(rule: RowsRule, columns: LogColumns, { tools }: Pick<LogStatus, 'tools'>) {
    this.#rule = rule
    this.#columns = columns
    this.#kinds = new Uint8Array(256).fill(rule.kinds.length === 0 ? 1 : 0)
    rowKinds.forEach((kind, index) => rule.kinds.includes(kind) && (this.#kinds[index] = 1))
    this.#tools = new Uint8Array(65_536).fill(rule.tools.length === 0 ? 1 : 0)
    this.onStatus({ tools })
  }

  /** Ascending. Valid until the next change. */
  get rows(): Uint32Array {
    return this.#found.rows
  }

  /** Adds new names of tools. */
  onStatus({ tools }: Pick<LogStatus, 'tools'>): void {
    let isOther = false
    for (; this.#knownTools < tools.length; this.#knownTools++) {
      if (!this.#rule.tools.includes(tools[this.#knownTools] ?? '')) continue
      this.#tools[this.#knownTools + 1] = 1
      isOther = true
    }
    if (isOther) this.onGrown(0)
  }

  /** Rows from `row` on are new or replaced. */
  onGrown(row: number): void {
    this.#found.truncate(row)
    this.#seen = Math.min(this.#seen, row)
    const { rows } = this.#columns
    if (this.#rule.text === null) for (let at = this.#seen; at < rows; at++) this.#add(at)
    else {
      const hits = this.#hits
      for (let at = firstHitFrom(hits, this.#seen); (hits[at] ?? rows) < rows; at++) this.#add(hits[at] ?? 0)
    }
    this.#seen = rows
  }

  /** Sets the matches, new from row `from` on. */
  setHits(hits: Uint32Array, from: number): void {
    this.#hits = hits
    if (from < Infinity) this.onGrown(from)
  }

  #add(row: number): void {
    const { kind, tool } = this.#columns
    if (this.#kinds[kind[row] ?? 0] === 1 && this.#tools[tool[row] ?? 0] === 1) this.#found.push(row)
  }
}
