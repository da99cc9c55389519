import type { FindProgress, Host } from '#contract/methods.ts'

export interface FindState {
  text: string
  caseSensitive: boolean
  /** Rows whose line holds the text, ascending. */
  hits: Uint32Array
  /** The hit the playhead is on, as a position in `hits`; -1 none. */
  active: number
  searching: boolean
  error: string | null
}

const noHits = new Uint32Array()
const typingPause = 150

/** Searches as one types: the host is asked when the typing pauses, and an answer to an older text is dropped. */
export class LogFind {
  readonly #host: Host
  readonly #log: string
  readonly #report: (change: Partial<FindState>) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0
  #find = 0

  constructor(host: Host, log: string, report: (change: Partial<FindState>) => void) {
    this.#host = host
    this.#log = log
    this.#report = report
  }

  setText(text: string, caseSensitive: boolean): void {
    this.dispose()
    if (text === '') {
      this.#report({ text, caseSensitive, hits: noHits, searching: false, error: null })
      return
    }
    this.#report({ text, caseSensitive, searching: true, error: null })
    this.#timer = setTimeout(() => this.search(text, caseSensitive), typingPause)
  }

  search(text: string, caseSensitive: boolean): void {
    void this.#search(text, caseSensitive)
  }

  /** What was asked for is not wanted any more. */
  dispose(): void {
    clearTimeout(this.#timer)
    this.#asked++
  }

  async #search(text: string, caseSensitive: boolean): Promise<void> {
    const asked = ++this.#asked
    this.#report({ searching: true })
    try {
      const { find } = await this.#host.call('log.find', { log: this.#log, text, regex: false, caseSensitive })
      if (asked === this.#asked) this.#find = find
    } catch (error) {
      if (asked !== this.#asked) return
      const message = error instanceof Error ? error.message : String(error)
      this.#report({ hits: noHits, searching: false, error: message })
    }
  }

  /** The host tells how far the search is. */
  async found(progress: FindProgress): Promise<void> {
    if (progress.searching) return
    const asked = this.#asked
    if (progress.find < this.#find) return
    const { rows } = await this.#host.call('log.hits', {
      log: this.#log,
      find: progress.find,
      from: 0,
      count: 1_000_000
    })
    if (asked === this.#asked) this.#report({ hits: new Uint32Array(rows), searching: false, error: null })
  }
}

/** The hit to go to from `row`, going round at the ends. */
export function hitFrom(hits: Uint32Array, row: number, direction: 1 | -1): number {
  const next = direction > 0 ? firstFrom(hits, row + 1) : firstFrom(hits, row) - 1
  return (next + hits.length) % hits.length
}

/** The position of `row` among the hits, -1 if it is none. */
export function hitAt(hits: Uint32Array, row: number): number {
  const position = firstFrom(hits, row)
  return hits[position] === row ? position : -1
}

/** Whether any row from `from` up to `to` (exclusive) is a hit. */
export function hasHitIn(hits: Uint32Array, from: number, to: number): boolean {
  return (hits[firstFrom(hits, from)] ?? Infinity) < to
}

/** The position of the first hit at or after `row`. */
function firstFrom(hits: Uint32Array, row: number): number {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hits[middle] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return low
}
