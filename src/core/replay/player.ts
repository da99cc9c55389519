export const playerRates = [1, 2, 8, 60] as const
export type PlayerRate = (typeof playerRates)[number]

/** A longer pause in the log is played as one of this many milliseconds. */
export const longestPauseMs = 2000

/** How long the step to an event takes that states no time, or none later than the event before. */
export const tickMs = 100

/** Where playback stands. */
export interface PlayerState {
  readonly playing: boolean
  /** Log time per time. */
  readonly rate: PlayerRate
  /** The event the playhead is on. */
  readonly seq: number
  /** Milliseconds of log time already waited for the event after it. */
  readonly waitedMs: number
}

export type PlayerEvent =
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly seq: number }
  | { readonly type: 'rate'; readonly rate: PlayerRate }
  /** Time has passed, in milliseconds of the clock on the wall. */
  | { readonly type: 'advance'; readonly elapsedMs: number }

/** The log that is played. It may have grown since the last event. */
export interface PlayerContext {
  /** Seq of the last event; -1 for a log without events. */
  readonly lastSeq: number
  /** Milliseconds since the epoch; null where the event's time is not known. */
  timeOf(seq: number): number | null
}

export const stoppedPlayer: PlayerState = { playing: false, rate: 1, seq: 0, waitedMs: 0 }

/**
 * What becomes of playback. The clock is the caller's: it says how much time has passed.
 *
 * | event   | paused                                  | playing                                             |
 * | ------- | --------------------------------------- | --------------------------------------------------- |
 * | play    | plays; at the last event from the first | nothing                                             |
 * | pause   | nothing                                 | pauses                                              |
 * | seek    | moves                                   | moves and plays on from there                       |
 * | rate    | changes the rate                        | changes the rate                                    |
 * | advance | nothing                                 | moves past all events that are due; at the last one |
 * |         |                                         | pauses                                              |
 */
export function transition(state: PlayerState, event: PlayerEvent, context: PlayerContext): PlayerState {
  switch (event.type) {
    case 'play':
      return play(state, context)
    case 'pause':
      return state.playing ? { ...state, playing: false } : state
    case 'seek':
      return { ...state, seq: clampedSeq(event.seq, context), waitedMs: 0 }
    case 'rate':
      return { ...state, rate: event.rate }
    case 'advance':
      return state.playing ? advance(state, event.elapsedMs, context) : state
  }
}

function play(state: PlayerState, { lastSeq }: PlayerContext): PlayerState {
  if (state.playing || lastSeq < 0) return state
  return state.seq >= lastSeq ? { ...state, playing: true, seq: 0, waitedMs: 0 } : { ...state, playing: true }
}

function advance(state: PlayerState, elapsedMs: number, context: PlayerContext): PlayerState {
  let { seq } = state
  let waitedMs = state.waitedMs + Math.max(0, elapsedMs) * state.rate
  for (; seq < context.lastSeq; seq++) {
    const step = stepMs(seq, context)
    if (waitedMs < step) return { ...state, seq, waitedMs }
    waitedMs -= step
  }
  return { ...state, playing: false, seq, waitedMs: 0 }
}

/** Log time between an event and the next. Timestamps may go backwards (formats.md 1.6). */
function stepMs(seq: number, { timeOf }: PlayerContext): number {
  const from = timeOf(seq)
  const to = timeOf(seq + 1)
  if (from === null || to === null || to <= from) return tickMs
  return Math.min(to - from, longestPauseMs)
}

function clampedSeq(seq: number, { lastSeq }: PlayerContext): number {
  return Math.max(0, Math.min(Math.floor(seq), lastSeq))
}
