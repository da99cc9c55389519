import type { Following } from './following.ts'
import type { LogAccess } from './log-access.ts'
import type { LogState } from './log-store.ts'
import type { Place } from './place.ts'
import type { Playhead } from './playhead.ts'
import { isSameRow, type PlaceInLog, placeOfRow, Resume, sameRow } from './resume.ts'
import { isNoFilter } from './row-filter.ts'

/** Goes on in a generation of a log where the person was in the one before. */
export class Resuming {
  readonly #log: LogAccess
  readonly #playhead: Playhead
  readonly #following: Following
  /** Where the person was, until they are there again. */
  #resume: Resume | null = null
  /** Nothing of the log was on the screen before. */
  #isNew = false

  constructor(log: LogAccess, playhead: Playhead, following: Following) {
    this.#log = log
    this.#playhead = playhead
    this.#following = following
    playhead.onPersonMoves(() => (this.#resume = null))
  }

  /** Takes what the person had of the generation before. */
  takeOver(before: LogState): void {
    const { columns, layout, get, set } = this.#log
    const { text, regex, caseSensitive } = before.find
    const place = before.whereabouts()
    const { generationNote } = get().status
    this.#isNew = before.key !== get().key
    this.#resume = place === null ? null : new Resume(place)
    const player = { ...get().player, rate: before.player.rate, atIssues: before.player.atIssues }
    const { inspectorTab, missingSeen } = before
    set({ inspectorTab, missingSeen, player, noteRead: generationNote === null })
    get().reviewing.takeOver(before.review)
    get().setFind({ text, regex, caseSensitive })
    if (!isNoFilter(before.filter)) get().setFilter(before.filter)
    if (generationNote === null) {
      const now = { columns, status: get().status }
      if (before.layout.recordsShown) layout.showRecords(true)
      layout.singleOut([...before.layout.singled].map((row) => sameRow(before, row, now)))
      layout.closeTurns([...before.layout.closedTurns].map((row) => sameRow(before, row, now)))
      get().summaries.adopt(before.summaries, (row) => isSameRow(before, row, now))
    }
    this.goBack()
  }

  /** As `LogState.comeBack`. */
  comeBack({ seq, row, following, tab, find, filter }: Place): void {
    const { get, set } = this.#log
    this.#isNew = true
    this.#resume = seq === null && !following ? null : new Resume({ seq: seq ?? -1, row, line: null, following })
    set({ inspectorTab: tab })
    get().setFind(find)
    get().setFilter(filter)
    this.goBack()
  }

  /** To where the person was, as soon as that is here. */
  goBack(): void {
    const { columns, get } = this.#log
    const { status } = get()
    const row = this.#resume?.rowIn(columns, status) ?? -1
    const follow = this.#resume?.place.following === true
    if (this.#resume?.isOver === true) this.#resume = null
    // Where nothing was lost, nothing moves.
    if (row < 0) return
    const placing = { byPerson: false, onTurn: true, reveal: this.#isNew || status.generationNote !== null }
    if (follow) this.#following.toEnd(placing)
    else this.#playhead.place(row, { ...placing, follow: false })
  }

  /** As `LogState.whereabouts`. */
  whereabouts(): PlaceInLog | null {
    const { row, moved, following, status } = this.#log.get()
    if (this.#resume !== null) return this.#resume.place
    return moved && row >= 0 ? placeOfRow(this.#log.columns, status, row, following) : null
  }
}
