import { firstHitFrom } from './find-hits.ts'
import { grown } from './grown.ts'

/** Rows in ascending order, added and removed at the end. */
export class RowList {
  #rows = new Uint32Array(16)
  #count = 0

  /** Valid until the list changes. */
  get rows(): Uint32Array {
    return this.#rows.subarray(0, this.#count)
  }

  /** `row` must be above all others. */
  push(row: number): void {
    if (this.#count === this.#rows.length) this.#rows = grown(this.#rows, new Uint32Array(this.#count * 2))
    this.#rows[this.#count++] = row
  }

  /** Removes the rows from `row` on. */
  truncate(row: number): void {
    this.#count = firstHitFrom(this.rows, row)
  }
}
