import { firstWhere } from '#core/first-where.ts'
import type { LineRun } from '#contract/files.ts'
import type { FileText } from '../../stores/file-text.ts'

export type KnownRun = NonNullable<LineRun['known']>

/** A row of the content: a known line, or lines after each other that are not known. Lines count from 0. */
export type FileRow =
  | {
      readonly kind: 'line'
      readonly line: number
      readonly known: KnownRun
      /** The first line of those with the same origin. */
      readonly isFirst: boolean
    }
  /** `to`: exclusive; null: the length of the file is not known. */
  | { readonly kind: 'unknown'; readonly from: number; readonly to: number | null }

interface Stretch {
  readonly row: number
  readonly line: number
  readonly run: LineRun
}

/** The rows of a content: lines that are not known take one row together. */
export class FileRows {
  readonly count: number
  readonly #stretches: readonly Stretch[]
  readonly #length: number
  /** The rest of the file is not known. */
  readonly #isOpen: boolean

  constructor({ runs, length, total, deleted }: Pick<FileText, 'runs' | 'length' | 'total' | 'deleted'>) {
    const stretches: Stretch[] = []
    let row = 0
    let line = 0
    for (const run of runs) {
      stretches.push({ row, line, run })
      row += run.known === null ? 1 : run.count
      line += run.count
    }
    this.#stretches = stretches
    this.#length = length
    this.#isOpen = total === null && !deleted
    this.count = row + (this.#isOpen ? 1 : 0)
  }

  at(row: number): FileRow | undefined {
    if (row < 0 || row >= this.count) return undefined
    if (this.#isOpen && row === this.count - 1) return { kind: 'unknown', from: this.#length, to: null }
    const stretch = this.#stretches[firstWhere(this.#stretches.length, (at) => this.#rowOf(at) > row) - 1]
    if (stretch === undefined) return undefined
    const { known, count } = stretch.run
    if (known === null) return { kind: 'unknown', from: stretch.line, to: stretch.line + count }
    const offset = row - stretch.row
    return { kind: 'line', line: stretch.line + offset, known, isFirst: offset === 0 }
  }

  /** The row of a line, or of those not known that hold it. */
  rowOf(line: number): number {
    const stretch = this.#stretches[firstWhere(this.#stretches.length, (at) => this.#lineOf(at) > line) - 1]
    if (stretch === undefined || line >= this.#length) return Math.max(0, this.count - 1)
    return stretch.run.known === null ? stretch.row : stretch.row + (line - stretch.line)
  }

  #rowOf(at: number): number {
    return this.#stretches[at]?.row ?? 0
  }

  #lineOf(at: number): number {
    return this.#stretches[at]?.line ?? 0
  }
}
