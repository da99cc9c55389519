import { type ResultClass, resultClasses, type StepClass, stepClasses } from '#core/compare/compare-sessions.ts'
import type { LogComparison } from '#contract/compare.ts'

export type Side = 'a' | 'b'

const mirrored: Readonly<Record<StepClass, StepClass>> = {
  same: 'same',
  changed: 'changed',
  'only-a': 'only-b',
  'only-b': 'only-a',
  moved: 'moved'
}
const mirroredResult: Readonly<Partial<Record<ResultClass, ResultClass>>> = {
  'a-failed': 'b-failed',
  'b-failed': 'a-failed'
}

/** The comparison of two logs, as the page shows it. */
export class Comparison {
  readonly answer: LogComparison
  readonly rows: number
  /** By section: its first row. */
  readonly starts: readonly number[]
  /** Number of rows that are differences of the path. */
  readonly differences: number
  readonly #seqs: Readonly<Record<Side, Int32Array>>
  readonly #classes: Uint8Array
  readonly #results: Uint8Array
  readonly #others: Int32Array
  readonly #differs: Uint8Array
  /** Rows with a step of the side, by the event of the step. */
  readonly #byEvent: Readonly<Record<Side, readonly number[]>>

  constructor(answer: LogComparison) {
    this.answer = answer
    this.#seqs = { a: new Int32Array(answer.seqA), b: new Int32Array(answer.seqB) }
    this.#classes = new Uint8Array(answer.class)
    this.#results = new Uint8Array(answer.result)
    this.#others = new Int32Array(answer.other)
    this.#differs = new Uint8Array(answer.differs)
    this.rows = this.#classes.length
    this.differences = this.#differs.reduce((sum, differs) => sum + differs, 0)
    let next = 0
    this.starts = answer.sections.map(({ rows }) => (next += rows) - rows)
    this.#byEvent = { a: rowsByEvent(this.#seqs.a), b: rowsByEvent(this.#seqs.b) }
  }

  /** The event of a side's step in a row; -1 for none. */
  seqAt(side: Side, row: number): number {
    return this.#seqs[side][row] ?? -1
  }

  classAt(row: number): StepClass {
    return stepClasses[this.#classes[row] ?? 0] ?? 'same'
  }

  /** Null: no pair of calls. */
  resultAt(row: number): ResultClass | null {
    return resultClasses[(this.#results[row] ?? 0) - 1] ?? null
  }

  /** Of a moved step: the event in the other session; -1 for other rows. */
  otherAt(row: number): number {
    return this.#others[row] ?? -1
  }

  isDifference(row: number): boolean {
    return this.#differs[row] === 1
  }

  sectionAt(row: number): number {
    return Math.max(
      0,
      this.starts.findLastIndex((start) => start <= row)
    )
  }

  /** The event of a side at a row: of its step, else of the last step before. -1 if there is none. */
  eventAt(side: Side, row: number): number {
    const start = this.starts[this.sectionAt(row)] ?? 0
    for (let at = row; at >= start; at--) if (this.seqAt(side, at) >= 0) return this.seqAt(side, at)
    return -1
  }

  /** The row of the last step of a side up to an event; -1 before the first. */
  rowOfEvent(side: Side, seq: number): number {
    const rows = this.#byEvent[side]
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.seqAt(side, rows[middle] ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return rows[low - 1] ?? -1
  }

  /** The next difference from a row; -1 for none. */
  nextDifference(row: number, direction: 1 | -1): number {
    for (let at = row + direction; at >= 0 && at < this.rows; at += direction) if (this.isDifference(at)) return at
    return -1
  }

  /** A becomes B. Nothing else changes. */
  get swapped(): Comparison {
    const { answer } = this
    const { counts, files, todos, lastAnswer } = answer
    const classes = this.#classes.map((_, row) => stepClasses.indexOf(mirrored[this.classAt(row)]))
    const results = this.#results.map((number, row) => {
      const mirror = mirroredResult[this.resultAt(row) ?? 'same']
      return mirror === undefined ? number : resultClasses.indexOf(mirror) + 1
    })
    return new Comparison({
      ...answer,
      sections: answer.sections.map(({ a, b, rows }) => ({ a: b, b: a, rows })),
      seqA: answer.seqB,
      seqB: answer.seqA,
      class: classes.buffer,
      result: results.buffer,
      counts: { ...counts, 'only-a': counts['only-b'], 'only-b': counts['only-a'] },
      a: answer.b,
      b: answer.a,
      files: files.map(({ path, a, b }) => ({ path, a: b, b: a })),
      lastAnswer: { ...lastAnswer, a: lastAnswer.b, b: lastAnswer.a },
      todos: todos.map(({ text, a, b }) => ({ text, a: b, b: a }))
    })
  }
}

function rowsByEvent(seqs: Int32Array): readonly number[] {
  return Array.from(seqs.keys())
    .filter((row) => (seqs[row] ?? -1) >= 0)
    .toSorted((one, other) => (seqs[one] ?? 0) - (seqs[other] ?? 0) || one - other)
}

/** A line of the list: a row, the head of a section, or rows without a difference on one line. */
export type ComparedLine =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'section'; readonly section: number }
  | { readonly kind: 'equal'; readonly from: number; readonly count: number }

/** Rows shown around a difference. */
const context = 3
/** Fewer rows than this are not folded. */
const fewest = 3

/** The lines to show. `opened`: the first rows of folds that a person opened. One section alone has no head. */
export function comparedLines(
  comparison: Comparison,
  foldsEqual: boolean,
  opened: ReadonlySet<number>
): readonly ComparedLine[] {
  const lines: ComparedLine[] = []
  const { starts, rows } = comparison
  for (const [section, start] of starts.entries()) {
    const end = starts[section + 1] ?? rows
    if (starts.length > 1) lines.push({ kind: 'section', section })
    const shown = new Uint8Array(end - start)
    for (let row = start; row < end; row++) {
      if (!foldsEqual || comparison.isDifference(row)) {
        shown.fill(1, Math.max(0, row - start - context), row - start + context + 1)
      }
    }
    for (let row = start; row < end;) {
      let to = row
      while (to < end && shown[to - start] === 0) to++
      const isFold = to - row >= fewest && !opened.has(row)
      if (isFold) lines.push({ kind: 'equal', from: row, count: to - row })
      else for (let at = row; at < Math.max(to, row + 1); at++) lines.push({ kind: 'row', row: at })
      row = Math.max(to, row + 1)
    }
  }
  return lines
}

/** The line that shows a row. */
export function lineOfRow(lines: readonly ComparedLine[], row: number): number {
  return lines.findIndex(
    (line) =>
      (line.kind === 'row' && line.row === row) ||
      (line.kind === 'equal' && row >= line.from && row < line.from + line.count)
  )
}
