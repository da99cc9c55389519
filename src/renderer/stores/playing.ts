import {
  type PlayerContext,
  type PlayerEvent,
  type PlayerRate,
  playerRates,
  type PlayerState,
  type PlayerStop,
  transition
} from '#core/replay/player.ts'
import type { Direction } from '#core/replay/steps.ts'
import type { Filtering } from './filtering.ts'
import type { LogAccess } from './log-access.ts'
import type { Playhead, PlayheadState } from './playhead.ts'
import type { Reviewing } from './reviewing.ts'
import { nextShownSeq } from './shown-events.ts'

export interface PlayingState {
  /** Its `seq` is that of the playhead; 0 before the first event. */
  readonly player: PlayerState
}

type PlayedLog = LogAccess<PlayingState & PlayheadState>

/** Plays the session: moves the playhead as the player decides. With a filter, only matching rows are played. */
export class Playing {
  readonly #log: PlayedLog
  readonly #playhead: Playhead
  readonly #filtering: Filtering
  readonly #reviewing: Reviewing

  constructor(log: PlayedLog, playhead: Playhead, filtering: Filtering, reviewing: Reviewing) {
    this.#log = log
    this.#playhead = playhead
    this.#filtering = filtering
    this.#reviewing = reviewing
    playhead.onMoved(() => {
      const { player, seq } = log.get()
      log.set({ player: { ...player, seq: Math.max(0, seq), waitedMs: 0, to: null, stop: null, held: false } })
    })
  }

  toggle(): void {
    this.#play({ type: this.#player.playing ? 'pause' : 'play' })
  }

  pause(): void {
    if (this.#player.playing) this.#play({ type: 'pause' })
  }

  /** Plays to a row, or to the first stop before it. To an earlier row, the playhead moves at once. */
  runTo(row: number): void {
    if (row > this.#log.get().row) return this.#play({ type: 'run', to: row })
    this.pause()
    this.#playhead.place(row)
  }

  /** Plays on for `elapsedMs` of real time. */
  advance(elapsedMs: number): void {
    this.#play({ type: 'advance', elapsedMs })
  }

  setRate(rate: PlayerRate): void {
    this.#play({ type: 'rate', rate })
  }

  /** Changes to the next rate. */
  changeRate(direction: Direction): void {
    const rate = playerRates[playerRates.indexOf(this.#player.rate) + direction]
    if (rate !== undefined) this.setRate(rate)
  }

  stopAtIssues(on: boolean): void {
    this.#play({ type: 'at-issues', on })
  }

  get #player(): PlayerState {
    return this.#log.get().player
  }

  #play(event: PlayerEvent): void {
    const player = this.#player
    const next = transition(player, event, this.#context)
    if (next.stop !== null && next.stop !== player.stop) this.#playhead.place(next.stop.row)
    else if (next.seq !== player.seq) this.#playhead.placeEvent(next.seq)
    this.#log.set({ player: next })
  }

  get #context(): PlayerContext {
    const { columns, layout } = this.#log
    return {
      lastSeq: columns.events - 1,
      timeOf: (seq) => columns.timeOfSeq(seq),
      nextOf: (seq) => nextShownSeq(layout, columns, seq),
      stopAfter: (seq, stops) => this.#stopAfter(seq, stops)
    }
  }

  #stopAfter(seq: number, { atIssues, to }: Pick<PlayerState, 'atIssues' | 'to'>): PlayerStop | 'unknown' | null {
    const { columns, layout, get } = this.#log
    const { player, row: selected } = get()
    const after = nextShownSeq(layout, columns, seq)
    const end = typeof after === 'number' ? (columns.rowOfSeq[after] ?? -1) + 1 : columns.rows
    // The playhead may be on a record after the event, or before the first event.
    const first = (seq === player.seq ? selected : (columns.rowOfSeq[seq] ?? -1)) + 1
    if (first >= end) return null
    const breakpoint = this.#firstBreakpointIn(first, end)
    const issue = atIssues ? this.#firstIssueIn(first, end) : -1
    // Of reasons to stop at one row, the first one counts.
    const stops: Omit<PlayerStop, 'seq'>[] = []
    if (breakpoint !== null) stops.push({ reason: 'breakpoint', row: breakpoint.row, breakpoint: breakpoint.id })
    if (issue >= 0) stops.push({ reason: 'issue', row: issue })
    if (to !== null && to >= first && to < end) stops.push({ reason: 'row', row: to })
    const stop = stops.toSorted((one, other) => one.row - other.row)[0]
    // The search may still find an earlier breakpoint.
    if (this.#reviewing.breakpoints.knownTo <= (stop?.row ?? end - 1)) return 'unknown'
    return stop === undefined ? null : { ...stop, seq: Math.max(0, columns.seqAtOrBefore(stop.row)) }
  }

  #firstBreakpointIn(from: number, to: number) {
    const { breakpoints } = this.#reviewing
    let place = breakpoints.firstIn(from, to)
    while (place !== null && !this.#filtering.isShown(place.row)) place = breakpoints.firstIn(place.row + 1, to)
    return place
  }

  #firstIssueIn(from: number, to: number): number {
    const { severity } = this.#log.columns
    for (let row = from; row < to; row++) if ((severity[row] ?? 0) > 0 && this.#filtering.isShown(row)) return row
    return -1
  }
}
