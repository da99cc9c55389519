import { firstWhere } from '../first-where.ts'
import type { RunIndex } from '../index/run-index.ts'
import type { FileStep, RunFiles } from './run-files.ts'

/** The events about one file, in log order. They are found once, and read from the index when asked for: a file may have a million. */
export class FileSteps {
  readonly file: number
  readonly #files: RunFiles
  readonly #index: RunIndex
  /** Places in the index of files. */
  #places = new Uint32Array(64)
  #count = 0
  #looked = 0

  constructor(files: RunFiles, index: RunIndex, file: number) {
    this.#files = files
    this.#index = index
    this.file = file
  }

  /** All of them; more after the index has grown. */
  get count(): number {
    for (; this.#looked < this.#files.steps; this.#looked++) {
      if (!this.#files.isStepOf(this.#looked, this.file)) continue
      if (this.#count === this.#places.length) {
        const larger = new Uint32Array(2 * this.#count)
        larger.set(this.#places)
        this.#places = larger
      }
      this.#places[this.#count++] = this.#looked
    }
    return this.#count
  }

  /** How many of them are up to event `seq`. */
  upTo(seq: number): number {
    return firstWhere(this.count, (at) => this.seqOf(at) > seq)
  }

  /** How many of them are before a row. */
  before(row: number): number {
    return firstWhere(this.count, (at) => this.#files.rowOfStep(this.#places[at] ?? 0) >= row)
  }

  /** The event of the step `at`, from 0. */
  seqOf(at: number): number {
    return this.#index.rows.seqOf(this.#files.rowOfStep(this.#places[at] ?? 0))
  }

  /** The step `at`, from 0; undefined behind the last one. */
  at(at: number): FileStep | undefined {
    return at < this.count ? this.#files.stepAt(this.#places[at] ?? 0) : undefined
  }
}
