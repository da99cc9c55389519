import { type ResultClass, resultClasses, type StepClass, stepClasses } from '#core/compare/compare-sessions.ts'
import type { LogComparison } from '#contract/compare.ts'
import { firstWhere } from '#core/first-where.ts'
import type { EventScale } from '#core/replay/event-scale.ts'

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
  readonly #byEvent: Readonly<Record<Side, Int32Array>>

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
    return Math.max(0, firstWhere(this.starts.length, (section) => (this.starts[section] ?? 0) > row) - 1)
  }

  /** The number of rows of a section that are differences of the path. */
  differencesIn(section: number): number {
    return this.#differs
      .subarray(this.starts[section], this.starts[section + 1])
      .reduce((sum, differs) => sum + differs, 0)
  }

  /** The places of a side's events on a line that draws the rows of the main agents, each with a length of 1. */
  scaleOf(side: Side): EventScale {
    const total = this.starts[1] ?? this.rows
    const rows = this.#byEvent[side].filter((row) => row < total)
    // Parallel calls have an order of their own; places ascend with the events.
    const places = rows.slice()
    for (let at = 1; at < places.length; at++) places[at] = Math.max(places[at - 1] ?? 0, places[at] ?? 0)
    const seqAt = (at: number): number => this.seqAt(side, rows[at] ?? 0)
    return {
      total: Math.max(1, total),
      least: 24,
      placeOf: (seq) => (places[firstWhere(rows.length, (at) => seqAt(at) > seq) - 1] ?? -0.5) + 0.5,
      seqAt: (place) =>
        rows.length === 0 ? -1 : seqAt(Math.max(0, firstWhere(rows.length, (at) => (places[at] ?? 0) > place) - 1))
    }
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
    return rows[firstWhere(rows.length, (at) => this.seqAt(side, rows[at] ?? 0) > seq) - 1] ?? -1
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

function rowsByEvent(seqs: Int32Array): Int32Array {
  // One number for event and row sorts a million of them without a function.
  const rows = Math.max(1, seqs.length)
  const keys = Float64Array.from(seqs, (seq, row) => (seq < 0 ? -1 : seq * rows + row)).filter((key) => key >= 0)
  return Int32Array.from(keys.sort(), (key) => key % rows)
}

/** A line of the list: a row, the head of a section, or rows without a difference on one line. */
export type ComparedLine =
  | { readonly kind: 'row'; readonly row: number }
  /** `from`: its first row. */
  | { readonly kind: 'section'; readonly section: number; readonly from: number }
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
    if (starts.length > 1) lines.push({ kind: 'section', section, from: start })
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
  const firstOf = (line: ComparedLine | undefined): number => (line?.kind === 'row' ? line.row : (line?.from ?? 0))
  const at = firstWhere(lines.length, (line) => firstOf(lines[line]) > row) - 1
  const line = lines[at]
  return line === undefined || line.kind === 'section' || row < 0 ? -1 : at
}
