import type { LogStatus } from '#contract/methods.ts'
import type { Filtering, FilteringState } from './filtering.ts'
import type { Finding, FindingState } from './finding.ts'
import type { Following } from './following.ts'
import type { FileViewingState } from './file-viewing.ts'
import type { InspectingState } from './inspecting.ts'
import type { LogAccess, LogContents } from './log-access.ts'
import type { Place } from './place.ts'
import type { Playhead, PlayheadState } from './playhead.ts'
import type { PlayingState } from './playing.ts'
import { isSameRow, type PlaceInLog, placeOfRow, Resume, sameRow } from './resume.ts'
import type { Reviewing, ReviewingState } from './reviewing.ts'

export interface ResumingState {
  /** Why this generation began, until it is dismissed. */
  readonly generationNote: string | null
  /** The person has dismissed the note about missing subagent logs. */
  readonly missingSeen: boolean
}

type ResumedLog = LogAccess<PlayheadState & PlayingState & InspectingState & FileViewingState & ResumingState>

interface ResumedParts {
  readonly playhead: Playhead
  readonly following: Following
  readonly filtering: Filtering
  readonly finding: Finding
  readonly reviewing: Reviewing
}

/** The previous generation. */
interface LogBefore
  extends
    Pick<LogContents, 'columns' | 'layout' | 'summaries'>,
    FilteringState,
    FindingState,
    InspectingState,
    FileViewingState,
    PlayingState,
    ReviewingState,
    ResumingState {
  readonly key: string
  readonly status: LogStatus
  readonly resuming: Resuming
}

/** Restores the person's place in a new generation of the log. */
export class Resuming {
  readonly #log: ResumedLog
  readonly #key: string
  readonly #parts: ResumedParts
  /** The place to restore; null if done. */
  #resume: Resume | null = null
  /** No earlier generation was shown. */
  #isNew = false

  constructor(log: ResumedLog, key: string, parts: ResumedParts) {
    this.#log = log
    this.#key = key
    this.#parts = parts
    parts.playhead.onPersonMoves(() => (this.#resume = null))
  }

  /** Continues at the place in the previous generation, which was shown until now. */
  resumeFrom(before: LogBefore): void {
    const { columns, layout, summaries, get, set } = this.#log
    const { filtering, finding, reviewing } = this.#parts
    const { inspectorTab, viewedFile, missingSeen } = before
    const { status, player } = get()
    const { generationNote } = status
    const place = before.resuming.currentPlace()
    this.#isNew = before.key !== this.#key
    this.#resume = place === null ? null : new Resume(place)
    const { rate, atIssues } = before.player
    set({ inspectorTab, viewedFile, missingSeen, generationNote, player: { ...player, rate, atIssues } })
    reviewing.resumeFrom(before.review)
    const { text, regex, caseSensitive } = before.find
    finding.setQuery({ text, regex, caseSensitive })
    if (before.filter.text !== '') filtering.set(before.filter.text)
    if (generationNote === null) {
      const now = { columns, status }
      if (before.layout.recordsShown) layout.showRecords(true)
      layout.singleOut([...before.layout.singled].map((row) => sameRow(before, row, now)))
      layout.closeTurns([...before.layout.closedTurns].map((row) => sameRow(before, row, now)))
      summaries.adopt(before.summaries, (row) => isSameRow(before, row, now))
    }
    this.restore()
  }

  /** Restores the stored place when it is loaded, with its search. */
  resumeAt({ seq, row, following, tab, find, filter, file }: Place): void {
    this.#isNew = true
    this.#resume = seq === null && !following ? null : new Resume({ seq: seq ?? -1, row, line: null, following })
    this.#log.set({ inspectorTab: tab, viewedFile: file === null ? null : { ...file, row: null } })
    this.#parts.finding.setQuery(find)
    this.#parts.filtering.set(filter)
    this.restore()
  }

  /** Restores the place, if it is loaded. */
  restore(): void {
    const { columns, get } = this.#log
    const { playhead, following } = this.#parts
    const { status } = get()
    const row = this.#resume?.rowIn(columns, status) ?? -1
    const follow = this.#resume?.place.following === true
    if (this.#resume?.isOver === true) this.#resume = null
    // If no rows were lost, nothing moves.
    if (row < 0) return
    const placing = { byPerson: false, onTurn: true, reveal: this.#isNew || status.generationNote !== null }
    if (follow) following.toEnd(placing)
    else playhead.place(row, { ...placing, follow: false })
  }

  /** The current place, or the one to restore; null if the person has not moved. */
  currentPlace(): PlaceInLog | null {
    const { row, moved, following, status } = this.#log.get()
    if (this.#resume !== null) return this.#resume.place
    return moved && row >= 0 ? placeOfRow(this.#log.columns, status, row, following) : null
  }

  dismissNote(): void {
    this.#log.set({ generationNote: null })
  }

  dismissMissing(): void {
    this.#log.set({ missingSeen: true })
  }
}
