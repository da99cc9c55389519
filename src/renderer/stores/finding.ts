import type { FindProgress } from '#contract/methods.ts'
import type { Filtering } from './filtering.ts'
import { hitFrom } from './find-hits.ts'
import type { LogAccess } from './log-access.ts'
import { type FindQuery, type FindState, LogFind } from './log-find.ts'
import type { Playhead, PlayheadState } from './playhead.ts'
import type { Playing } from './playing.ts'

export interface FindingState {
  readonly find: FindState
}

type SearchedLog = LogAccess<FindingState & PlayheadState>

/** Searches the log for what the find field says, and goes from hit to hit. */
export class Finding {
  readonly #log: SearchedLog
  readonly #playhead: Playhead
  readonly #filtering: Filtering
  readonly #playing: Playing
  readonly #finder: LogFind
  /** Where to go when the search has found what there is. */
  #hitWanted: 1 | -1 | null = null
  /** The text of the search that was ended. */
  #endedText = ''

  constructor(log: SearchedLog, playhead: Playhead, filtering: Filtering, playing: Playing) {
    this.#log = log
    this.#playhead = playhead
    this.#filtering = filtering
    this.#playing = playing
    const settledRows = () => log.get().status.settled.rows
    this.#finder = new LogFind(log.host, log.id, settledRows, (change, hitsFrom) => {
      const find = { ...log.get().find, ...change }
      log.set({ find })
      filtering.onHits(find, hitsFrom)
      const wanted = this.#hitWanted
      this.#hitWanted = null
      if (wanted !== null) this.#goToHit(wanted)
    })
  }

  /** What `change` leaves out stays as it is. */
  setQuery(change: Partial<FindQuery>): void {
    this.#hitWanted = null
    this.#endedText = ''
    const { text, regex, caseSensitive } = this.#log.get().find
    this.#finder.setQuery({ text, regex, caseSensitive, ...change })
  }

  /** Stops the search; its hits stay. */
  stop(): void {
    this.#hitWanted = null
    if (this.#log.get().find.searching) this.#finder.stop()
  }

  /** Ends the search: its hits are no longer marked. `next` searches for the same text again. */
  end(): void {
    const { text } = this.#log.get().find
    this.setQuery({ text: '' })
    this.#endedText = text
  }

  /** To the next hit; while the log is searched, as soon as it is known. */
  next(direction: 1 | -1): void {
    this.#playing.pause()
    if (this.#log.get().find.text === '' && this.#endedText !== '') this.setQuery({ text: this.#endedText })
    this.#goToHit(direction)
  }

  onFound(progress: FindProgress): void {
    this.#finder.onFound(progress)
  }

  /** Rows from `row` on are loaded again. */
  truncate(row: number): void {
    this.#finder.truncate(row)
  }

  /** Searches again: notices were missed while the connection was lost. */
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
    // Until the host has answered, the hits are those of the search before.
    const index = find.searching && find.found === null ? -1 : hitFrom(find, row, direction, isShown)
    if (index < 0) this.#hitWanted = find.searching ? direction : null
    else this.#playhead.place(find.hits[index] ?? -1)
  }
}
