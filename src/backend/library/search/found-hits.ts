import type { FoundLines, ExcerptOfLine, RecordPlace, WantedLine } from './scan-jobs.ts'
import type { LinePlace } from './place-jobs.ts'

/** The hits in one log. */
export class LogHits {
  readonly path: string
  /** By offset, ascending; null: unreadable; absent: not read yet. */
  readonly excerpts = new Map<number, ExcerptOfLine | null>()
  /** By offset. */
  readonly places = new Map<number, LinePlace>()
  readonly #offsets: number[] = []
  readonly #records: RecordPlace[] = []
  /** The last line whose number was counted. */
  #known = { offset: 0, line: 1 }

  constructor(path: string) {
    this.path = path
  }

  get count(): number {
    return this.#offsets.length
  }

  get offsets(): readonly number[] {
    return this.#offsets
  }

  /** Adds at most `most` lines and returns how many were new. Two pieces may both report a line. */
  add({ offsets, records }: FoundLines, most: number): number {
    let added = 0
    for (const [i, offset] of offsets.entries()) {
      if (offset <= (this.#offsets.at(-1) ?? -1)) continue
      if (added >= most) break
      this.#offsets.push(offset)
      const record = records?.[i]
      if (record !== undefined) this.#records.push(record)
      added++
    }
    return added
  }

  /** The lines of these hits that have no excerpt yet. */
  missing(from: number, count: number): WantedLine[] {
    return this.#offsets.slice(from, from + count).flatMap((offset, i) => {
      if (this.excerpts.has(offset)) return []
      return [{ offset, record: this.#records[from + i] ?? null }]
    })
  }

  /** Where to start counting line numbers for `offset`. */
  knownBefore(offset: number): { readonly offset: number; readonly line: number } {
    return this.#known.offset <= offset ? this.#known : { offset: 0, line: 1 }
  }

  excerpt(offset: number, excerpt: ExcerptOfLine | null): void {
    this.excerpts.set(offset, excerpt)
    if (excerpt !== null && this.#records.length === 0) this.#known = { offset, line: excerpt.line }
  }
}
