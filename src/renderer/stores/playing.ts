import { type PlayerEvent, type PlayerRate, type PlayerState, transition } from '#core/replay/player.ts'
import type { LogAccess } from './log-access.ts'
import type { Playhead } from './playhead.ts'

/** Plays the run: lets the player decide, and moves the playhead with it. */
export class Playing {
  readonly #log: LogAccess
  readonly #playhead: Playhead

  constructor(log: LogAccess, playhead: Playhead) {
    this.#log = log
    this.#playhead = playhead
  }

  toggle(): void {
    this.#play({ type: this.#player.playing ? 'pause' : 'play' })
  }

  pause(): void {
    if (this.#player.playing) this.#play({ type: 'pause' })
  }

  advance(elapsedMs: number): void {
    this.#play({ type: 'advance', elapsedMs })
  }

  setRate(rate: PlayerRate): void {
    this.#play({ type: 'rate', rate })
  }

  get #player(): PlayerState {
    return this.#log.get().player
  }

  #play(event: PlayerEvent): void {
    const { columns, set } = this.#log
    const context = { lastSeq: columns.events - 1, timeOf: (seq: number) => columns.timeOfSeq(seq) }
    const player = this.#player
    const next = transition(player, event, context)
    if (next.seq !== player.seq) this.#playhead.placeEvent(next.seq)
    set({ player: next })
  }
}
