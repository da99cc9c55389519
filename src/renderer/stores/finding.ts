import type { FindProgress } from '#contract/methods.ts'
import type { Filtering } from './filtering.ts'
import { hitAt, hitFrom } from './find-hits.ts'
import type { LogAccess } from './log-access.ts'
import { type FindQuery, LogFind } from './log-find.ts'
import type { Playhead } from './playhead.ts'
import type { Playing } from './playing.ts'

/** What the find field looks for, and the way from hit to hit. */
export class Finding {
  readonly #log: LogAccess
  readonly #playhead: Playhead
  readonly #filtering: Filtering
  readonly #playing: Playing
  readonly #finder: LogFind
  /** Where to go once the search that is under way has found what there is. */
  #hitWanted: 1 | -1 | null = null
  /** What the search that was ended had looked for. */
  #endedText = ''

  constructor(log: LogAccess, playhead: Playhead, filtering: Filtering, playing: Playing) {
    this.#log = log
    this.#playhead = playhead
    this.#filtering = filtering
    this.#playing = playing
    const { get, set } = log
    const settledRows = () => get().status.settled.rows
    this.#finder = new LogFind(log.host, log.id, settledRows, (change, hitsFrom) => {
      const find = { ...get().find, ...change }
      set({ find: { ...find, active: hitAt(find.hits, get().row) } })
      this.#filtering.setHits(find, hitsFrom)
      const wanted = this.#hitWanted
      this.#hitWanted = null
      if (wanted !== null) this.#goToHit(wanted)
    })
  }

  /** What is left out stays as it is. */
  setQuery(change: Partial<FindQuery>): void {
    this.#hitWanted = null
    this.#endedText = ''
    const { text, regex, caseSensitive } = this.#log.get().find
    this.#finder.setQuery({ text, regex, caseSensitive, ...change })
  }

  stop(): void {
    this.#hitWanted = null
    if (this.#log.get().find.searching) this.#finder.stop()
  }

  end(): void {
    const { text } = this.#log.get().find
    this.setQuery({ text: '' })
    this.#endedText = text
  }

  next(direction: 1 | -1): void {
    this.#playing.pause()
    if (this.#log.get().find.text === '' && this.#endedText !== '') this.setQuery({ text: this.#endedText })
    this.#goToHit(direction)
  }

  hear(progress: FindProgress): void {
    this.#finder.hear(progress)
  }

  /** Rows from `row` on were taken back, and come again as they are now. */
  truncate(row: number): void {
    this.#finder.truncate(row)
  }

  /** What was found while the connection was lost was not heard. */
  reload(): void {
    const { stopped, error } = this.#log.get().find
    if (!stopped && error?.invalid !== true) this.#finder.searchAgain()
  }

  dispose(): void {
    this.#finder.dispose()
  }

  #goToHit(direction: 1 | -1): void {
    const { find, row } = this.#log.get()
    const isShown = (hit: number) => this.#filtering.isShown(hit)
    // Until the host has said something of this search the hits are those of the one before.
    const index = find.searching && find.found === null ? -1 : hitFrom(find, row, direction, isShown)
    if (index < 0) this.#hitWanted = find.searching ? direction : null
    else this.#playhead.place(find.hits[index] ?? -1)
  }
}
