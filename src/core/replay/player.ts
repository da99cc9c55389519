/** `step`: one event a tick, whatever time lay between; a number: so much log time per time. */
export const playerRates = ['step', 1, 2, 8, 60] as const
export type PlayerRate = (typeof playerRates)[number]

/** A longer pause in the log is played as one of this many milliseconds of log time. */
export const longestPauseMs = 2000

/** From this pause on the run was idle, and its shortened pause is long enough to be read about, at any rate. */
export const idleFromMs = 60_000

/** What a pause lasts at least where the run was idle, in milliseconds of the clock on the wall. */
export const shortestIdleMs = 500

/** How long the step to an event takes that states no time, or none later than the event before. */
export const tickMs = 100

/** How long an event is shown at the rate `step`. */
export const stepMs = 400

/** Why playback stopped before the end. */
export interface PlayerStop {
  readonly reason: 'issue' | 'breakpoint'
  /** Where: an event, or a record after event `seq`. */
  readonly row: number
  /** The event at the row, or the last one before it. */
  readonly seq: number
  /** Which breakpoint, for that reason. */
  readonly breakpoint?: string
}

/** Where playback stands. */
export interface PlayerState {
  readonly playing: boolean
  readonly rate: PlayerRate
  /** The event the playhead is on. */
  readonly seq: number
  /** Milliseconds already waited for the event after it: of log time, at the rate `step` of the clock on the wall. */
  readonly waitedMs: number
  /** Play stops at lines with issues. */
  readonly atIssues: boolean
  /** What stopped it last; null once it is played again or put elsewhere. */
  readonly stop: PlayerStop | null
  /** It plays, and stays where it is until it is known whether to stop at what comes next. */
  readonly held: boolean
}

export type PlayerEvent =
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly seq: number }
  | { readonly type: 'rate'; readonly rate: PlayerRate }
  | { readonly type: 'at-issues'; readonly on: boolean }
  /** Time has passed, in milliseconds of the clock on the wall. */
  | { readonly type: 'advance'; readonly elapsedMs: number }

/** The log that is played. It may have grown since the last event. */
export interface PlayerContext {
  /** Seq of the last event; -1 for a log without events. */
  readonly lastSeq: number
  /** Milliseconds since the epoch; null where the event's time is not known. */
  timeOf(seq: number): number | null
  /**
   * The event that is played after event `seq` (-1: the first one): not all of them are, where others are hidden. Null: none.
   * `unknown`: that is still being looked for.
   */
  nextOf(seq: number): number | 'unknown' | null
  /**
   * The first place to stop at after event `seq` and after where the playhead is, up to the event that is played after it; after the last
   * one up to the end of the log. Null: none. `unknown`: there may be one, breakpoints are still being looked for.
   */
  stopAfter(seq: number, atIssues: boolean): PlayerStop | 'unknown' | null
}

export const stoppedPlayer: PlayerState = {
  playing: false,
  rate: 1,
  seq: 0,
  waitedMs: 0,
  atIssues: false,
  stop: null,
  held: false
}

/**
 * What becomes of playback. The clock is the caller's: it says how much time has passed. To go to an event costs the same wherever it
 * is, and a pause is one of `pauseBetween`, so that what is played is told by where it is and not by how it came there.
 *
 * | event     | paused                                   | playing                                            |
 * | --------- | ---------------------------------------- | -------------------------------------------------- |
 * | play      | plays, on from where it waited; at the   | nothing                                            |
 * |           | last event from the first; nothing where |                                                    |
 * |           | no event is to be played                 |                                                    |
 * | pause     | nothing                                  | pauses, and remembers how long it has waited       |
 * | seek      | moves; has not waited there, and was not | the same, and plays on from there                  |
 * |           | stopped by anything                      |                                                    |
 * | rate      | changes the rate; what was waited counts | the same                                           |
 * |           | as far as the wait is as long            |                                                    |
 * | at-issues | stops at issues from now on, or not      | the same                                           |
 * | advance   | nothing                                  | waits; moves past all events that are due; pauses  |
 * |           |                                          | at the first issue, if asked, or breakpoint it     |
 * |           |                                          | comes to; pauses at the last event. One that came  |
 * |           |                                          | meanwhile is played as well. Where what is next is |
 * |           |                                          | still looked for, it is held                       |
 */
export function transition(state: PlayerState, event: PlayerEvent, context: PlayerContext): PlayerState {
  switch (event.type) {
    case 'play':
      return play(state, context)
    case 'pause':
      return state.playing ? { ...state, playing: false, held: false } : state
    case 'seek':
      return { ...state, seq: clampedSeq(event.seq, context), waitedMs: 0, stop: null, held: false }
    case 'rate':
      return changeRate(state, event.rate, context)
    case 'at-issues':
      return { ...state, atIssues: event.on }
    case 'advance':
      return state.playing ? advance(state, event.elapsedMs, context) : state
  }
}

/** A pause between an event and the next, as it is played. */
export interface Pause {
  /** As long as it was in the log, in ms; null where that is not known. */
  readonly logMs: number | null
  /** As long as it is waited, in the unit of `PlayerState.waitedMs`. */
  readonly waitMs: number
  /** It is waited for less long than it was. */
  readonly shortened: boolean
}

/** The pause between event `seq` and event `next`, at `rate`. A step back in time takes a tick: docs/formats/README.md#times-may-go-backwards. */
export function pauseBetween(
  seq: number,
  next: number,
  rate: PlayerRate,
  { timeOf }: Pick<PlayerContext, 'timeOf'>
): Pause {
  const from = timeOf(seq)
  const to = timeOf(next)
  const logMs = from === null || to === null || to <= from ? null : to - from
  if (rate === 'step') return { logMs, waitMs: stepMs, shortened: false }
  if (logMs === null) return { logMs, waitMs: tickMs, shortened: false }
  const longest = logMs < idleFromMs ? longestPauseMs : Math.max(longestPauseMs, shortestIdleMs * rate)
  return { logMs, waitMs: Math.min(logMs, longest), shortened: logMs > longest }
}

function play(state: PlayerState, context: PlayerContext): PlayerState {
  const first = context.nextOf(-1)
  if (state.playing || first === null) return state
  const again = context.nextOf(state.seq) === null && first !== 'unknown'
  return { ...state, playing: true, stop: null, ...(again && { seq: first, waitedMs: 0 }) }
}

function changeRate(state: PlayerState, rate: PlayerRate, context: PlayerContext): PlayerState {
  // Otherwise what was waited of a long pause would be events that are due at once.
  return { ...state, rate, waitedMs: Math.min(state.waitedMs, waitAfter(state.seq, rate, context)) }
}

function advance(state: PlayerState, elapsedMs: number, context: PlayerContext): PlayerState {
  const { rate, atIssues } = state
  let { seq } = state
  let waitedMs = state.waitedMs + Math.max(0, elapsedMs) * (rate === 'step' ? 1 : rate)
  for (;;) {
    const next = context.nextOf(seq)
    const waitMs = waitAfter(seq, rate, context)
    if (waitedMs < waitMs) return { ...state, seq, waitedMs, held: false }
    const stop = next === 'unknown' ? next : context.stopAfter(seq, atIssues)
    // As long as it is held no time passes: what is due then would be many events at once.
    if (stop === 'unknown') return { ...state, seq, waitedMs: waitMs, held: true }
    if (stop !== null) return { ...state, playing: false, seq: stop.seq, waitedMs: 0, stop, held: false }
    if (next === null) return { ...state, playing: false, seq, waitedMs: 0, stop, held: false }
    waitedMs -= waitMs
    seq = Number(next)
  }
}

/** How long event `seq` is shown, as `PlayerState.waitedMs`; 0 where it is not known what comes after it, or nothing does. */
function waitAfter(seq: number, rate: PlayerRate, context: PlayerContext): number {
  const next = context.nextOf(seq)
  return typeof next === 'number' ? pauseBetween(seq, next, rate, context).waitMs : 0
}

function clampedSeq(seq: number, { lastSeq }: PlayerContext): number {
  return Math.max(0, Math.min(Math.floor(seq), lastSeq))
}
