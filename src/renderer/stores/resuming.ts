import type { LogStatus } from '#contract/methods.ts'
import type { Filtering, FilteringState } from './filtering.ts'
import type { Finding, FindingState } from './finding.ts'
import type { Following } from './following.ts'
import type { InspectingState } from './inspecting.ts'
import type { LogAccess, LogContents } from './log-access.ts'
import type { Place } from './place.ts'
import type { Playhead, PlayheadState } from './playhead.ts'
import type { PlayingState } from './playing.ts'
import { isSameRow, type PlaceInLog, placeOfRow, Resume, sameRow } from './resume.ts'
import type { Reviewing, ReviewingState } from './reviewing.ts'
import { isNoFilter } from './row-filter.ts'

export interface ResumingState {
  /** Why this generation began, until the person dismisses it. */
  readonly generationNote: string | null
  /** The person has dismissed that logs of subagents are missing. */
  readonly missingSeen: boolean
}

type ResumedLog = LogAccess<PlayheadState & PlayingState & InspectingState & ResumingState>

interface ResumedParts {
  readonly playhead: Playhead
  readonly following: Following
  readonly filtering: Filtering
  readonly finding: Finding
  readonly reviewing: Reviewing
}

/** The log as it was in the generation before. */
interface LogBefore
  extends
    Pick<LogContents, 'columns' | 'layout' | 'summaries'>,
    FilteringState,
    FindingState,
    InspectingState,
    PlayingState,
    ReviewingState,
    ResumingState {
  readonly key: string
  readonly status: LogStatus
  readonly resuming: Resuming
}

/** Goes on in a generation of a log where the person was in the one before. */
export class Resuming {
  readonly #log: ResumedLog
  readonly #key: string
  readonly #parts: ResumedParts
  /** Where the person was, until they are there again. */
  #resume: Resume | null = null
  /** Nothing of the log was shown before. */
  #isNew = false

  constructor(log: ResumedLog, key: string, parts: ResumedParts) {
    this.#log = log
    this.#key = key
    this.#parts = parts
    parts.playhead.onPersonMoves(() => (this.#resume = null))
  }

  /** Goes on where the person was in the generation before, which was shown until now. */
  resumeFrom(before: LogBefore): void {
    const { columns, layout, summaries, get, set } = this.#log
    const { filtering, finding, reviewing } = this.#parts
    const { inspectorTab, missingSeen } = before
    const { status, player } = get()
    const { generationNote } = status
    const place = before.resuming.whereabouts()
    this.#isNew = before.key !== this.#key
    this.#resume = place === null ? null : new Resume(place)
    const { rate, atIssues } = before.player
    set({ inspectorTab, missingSeen, generationNote, player: { ...player, rate, atIssues } })
    reviewing.resumeFrom(before.review)
    const { text, regex, caseSensitive } = before.find
    finding.setQuery({ text, regex, caseSensitive })
    if (!isNoFilter(before.filter)) filtering.set(before.filter)
    if (generationNote === null) {
      const now = { columns, status }
      if (before.layout.recordsShown) layout.showRecords(true)
      layout.singleOut([...before.layout.singled].map((row) => sameRow(before, row, now)))
      layout.closeTurns([...before.layout.closedTurns].map((row) => sameRow(before, row, now)))
      summaries.adopt(before.summaries, (row) => isSameRow(before, row, now))
    }
    this.goBack()
  }

  /** Goes where the person was when they left the page, as soon as that is loaded, and searches for what they searched for. */
  resumeAt({ seq, row, following, tab, find, filter }: Place): void {
    this.#isNew = true
    this.#resume = seq === null && !following ? null : new Resume({ seq: seq ?? -1, row, line: null, following })
    this.#log.set({ inspectorTab: tab })
    this.#parts.finding.setQuery(find)
    this.#parts.filtering.set(filter)
    this.goBack()
  }

  /** To where the person was, as soon as that is loaded. */
  goBack(): void {
    const { columns, get } = this.#log
    const { playhead, following } = this.#parts
    const { status } = get()
    const row = this.#resume?.rowIn(columns, status) ?? -1
    const follow = this.#resume?.place.following === true
    if (this.#resume?.isOver === true) this.#resume = null
    // If nothing was lost, nothing moves.
    if (row < 0) return
    const placing = { byPerson: false, onTurn: true, reveal: this.#isNew || status.generationNote !== null }
    if (follow) following.toEnd(placing)
    else playhead.place(row, { ...placing, follow: false })
  }

  /** Where the person is, or will be as soon as that is loaded; null if they have not been anywhere yet. */
  whereabouts(): PlaceInLog | null {
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
