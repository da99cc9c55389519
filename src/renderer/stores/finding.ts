import type { FindProgress } from '#contract/methods.ts'
import type { Filtering } from './filtering.ts'
import { hitFrom } from './find-hits.ts'
import type { LogAccess } from './log-access.ts'
import { type FindQuery, type FindState, LogFind } from './log-find.ts'
import type { Playhead, PlayheadState } from './playhead.ts'
import type { Playing } from './playing.ts'

/** Matches in a text that is shown instead of the timeline. */
export interface TextHits {
  readonly count: number
  /** The index of the current one; -1: none. */
  readonly at: number
}

export interface FindingState {
  readonly find: FindState
  /** Null: no such text is shown. */
  readonly textHits: TextHits | null
}

type SearchedLog = LogAccess<FindingState & PlayheadState>

/** The search of the find field, and moves between its matches. */
export class Finding {
  readonly #log: SearchedLog
  readonly #playhead: Playhead
  readonly #filtering: Filtering
  readonly #playing: Playing
  readonly #finder: LogFind
  /** The direction of a requested move, made when the search ends. */
  #wantedMove: 1 | -1 | null = null
  /** Goes to the next match in a text that is shown instead of the timeline. */
  #nextInText: ((direction: 1 | -1) => void) | null = null
  /** The text of the search that was ended. */
  #endedText = ''

  constructor(log: SearchedLog, playhead: Playhead, filtering: Filtering, playing: Playing) {
    this.#log = log
    this.#playhead = playhead
    this.#filtering = filtering
    this.#playing = playing
    const settledRows = () => log.get().status.settled.rows
    this.#finder = new LogFind(log.host, log.id, settledRows, (change) => {
      const find = { ...log.get().find, ...change }
      log.set({ find })
      const wanted = this.#wantedMove
      this.#wantedMove = null
      if (wanted !== null) this.#goToHit(wanted)
    })
  }

  /** Members missing in `change` stay the same. */
  setQuery(change: Partial<FindQuery>): void {
    this.#wantedMove = null
    this.#endedText = ''
    const { text, regex, caseSensitive } = this.#log.get().find
    this.#finder.setQuery({ text, regex, caseSensitive, ...change })
  }

  /** Stops the search; its matches stay. */
  stop(): void {
    this.#wantedMove = null
    if (this.#log.get().find.searching) this.#finder.stop()
  }

  /** Ends the search and removes its matches. `next` searches for the same text again. */
  end(): void {
    const { text } = this.#log.get().find
    this.setQuery({ text: '' })
    this.#endedText = text
  }

  /** Moves to the next match; during a search, as soon as it is known. */
  next(direction: 1 | -1): void {
    this.#playing.pause()
    if (this.#log.get().find.text === '' && this.#endedText !== '') this.setQuery({ text: this.#endedText })
    if (this.#nextInText === null) this.#goToHit(direction)
    else this.#nextInText(direction)
  }

  /** A text is shown instead of the timeline, with matches of its own. Null: not any more. */
  lookInText(hits: TextHits | null, next: ((direction: 1 | -1) => void) | null): void {
    this.#nextInText = next
    const { textHits } = this.#log.get()
    if (textHits?.count !== hits?.count || textHits?.at !== hits?.at) this.#log.set({ textHits: hits })
  }

  onFound(progress: FindProgress): void {
    this.#finder.onFound(progress)
  }

  /** Rows from `row` on are loaded again. */
  truncate(row: number): void {
    this.#finder.truncate(row)
  }

  /** Searches again, because notices were missed while the connection was lost. */
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
    // Until the host answers, the matches are those of the previous search.
    const index = find.searching && find.found === null ? -1 : hitFrom(find, row, direction, isShown)
    if (index < 0) this.#wantedMove = find.searching ? direction : null
    else this.#playhead.place(find.hits[index] ?? -1)
  }
}
