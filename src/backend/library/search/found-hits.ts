import type { FoundLines, ExcerptOfLine, RecordPlace, WantedLine } from './scan-jobs.ts'
import type { LinePlace } from './place-jobs.ts'

/** What was found in one log, and what is known of it. */
export class LogHits {
  readonly path: string
  /** By line, ascending; undefined: it was not asked for. */
  readonly excerpts = new Map<number, ExcerptOfLine | null>()
  /** By line. */
  readonly places = new Map<number, LinePlace>()
  readonly #offsets: number[] = []
  readonly #records: RecordPlace[] = []
  /** A line whose number is known. */
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

  /** Adds at most `most` lines; how many were new. A line that lies in two pieces is found twice. */
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

  /** The lines of some hits whose texts are not known. */
  missing(from: number, count: number): WantedLine[] {
    return this.#offsets.slice(from, from + count).flatMap((offset, i) => {
      if (this.excerpts.has(offset)) return []
      return [{ offset, record: this.#records[from + i] ?? null }]
    })
  }

  /** From which line on those from `offset` on can be counted. */
  knownBefore(offset: number): { readonly offset: number; readonly line: number } {
    return this.#known.offset <= offset ? this.#known : { offset: 0, line: 1 }
  }

  excerpt(offset: number, excerpt: ExcerptOfLine | null): void {
    this.excerpts.set(offset, excerpt)
    if (excerpt !== null && this.#records.length === 0) this.#known = { offset, line: excerpt.line }
  }
}
