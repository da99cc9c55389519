/** `step`: events at a fixed interval. A number: log time per real time. */
export const playerRates = ['step', 1, 2, 8, 60] as const
export type PlayerRate = (typeof playerRates)[number]

/** Limit of a pause in ms of log time. */
export const longestPauseMs = 2000

/** Longer pauses are idle time. Their shortened pause is long enough to be read at any rate. */
export const idleFromMs = 60_000

/** Minimum of a played idle time, in ms of real time. */
export const shortestIdleMs = 500

/** Pause before an event without a time, or not later than the previous one. */
export const tickMs = 100

/** Time of an event at the rate `step`. */
export const stepMs = 400

/** Why playback stopped before the end. */
export interface PlayerStop {
  readonly reason: 'issue' | 'breakpoint' | 'row'
  /** The row of an event, or of a record after event `seq`. */
  readonly row: number
  /** The event of the row, or the last one before it. */
  readonly seq: number
  /** The id, if the reason is a breakpoint. */
  readonly breakpoint?: string
}

export interface PlayerState {
  readonly playing: boolean
  readonly rate: PlayerRate
  /** The event at the playhead. */
  readonly seq: number
  /** Time waited for the next event, in ms of log time; at the rate `step` of real time. */
  readonly waitedMs: number
  /** Whether playback stops at lines with issues. */
  readonly atIssues: boolean
  /** The row that is played to; null: to the end. */
  readonly to: number | null
  /** The last stop; null after play or seek. */
  readonly stop: PlayerStop | null
  /** Playing, but waiting until it is known whether to stop at the next event. */
  readonly held: boolean
}

export type PlayerEvent =
  | { readonly type: 'play' }
  /** Plays to a row after the playhead. */
  | { readonly type: 'run'; readonly to: number }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly seq: number }
  | { readonly type: 'rate'; readonly rate: PlayerRate }
  | { readonly type: 'at-issues'; readonly on: boolean }
  /** `elapsedMs`: real time. */
  | { readonly type: 'advance'; readonly elapsedMs: number }

/** The played log. It may grow between two events. */
export interface PlayerContext {
  /** Seq of the last event; -1 for a log without events. */
  readonly lastSeq: number
  /** Ms since the epoch; null if unknown. */
  timeOf(seq: number): number | null
  /**
   * The next played event after event `seq` (-1: the first one); hidden events are not played. Null: none. `unknown`:
   * still being searched.
   */
  nextOf(seq: number): number | 'unknown' | null
  /**
   * The first stop after event `seq` and after the playhead, up to the next played event, or to the end of the log
   * after the last one. `to`: the row that is played to. Null: none. `unknown`: breakpoints are still being searched.
   */
  stopAfter(seq: number, { atIssues, to }: Pick<PlayerState, 'atIssues' | 'to'>): PlayerStop | 'unknown' | null
}

export const stoppedPlayer: PlayerState = {
  playing: false,
  rate: 1,
  seq: 0,
  waitedMs: 0,
  atIssues: false,
  to: null,
  stop: null,
  held: false
}

/**
 * The state after an event. The caller has the clock and passes the elapsed time. A seek costs the same for any
 * distance. Pauses come from `pauseBetween`, so playback depends only on the position, not on how it was reached.
 *
 * | event     | paused                                   | playing                                             |
 * | --------- | ---------------------------------------- | --------------------------------------------------- |
 * | play      | plays on; at the last event, from the    | nothing                                             |
 * |           | first; nothing if there is no event      |                                                     |
 * | run       | plays on, up to a row                    | the same                                            |
 * | pause     | nothing                                  | pauses; keeps the time waited                       |
 * | seek      | moves; clears the time waited and `stop` | the same, and plays on                              |
 * | rate      | changes the rate; the time waited is cut | the same                                            |
 * |           | to the new pause                         |                                                     |
 * | at-issues | sets whether to stop at issues           | the same                                            |
 * | advance   | nothing                                  | waits; moves past all events due; pauses at a stop  |
 * |           |                                          | or at the last event, including new ones; is held   |
 * |           |                                          | while the next event is being searched              |
 */
export function transition(state: PlayerState, event: PlayerEvent, context: PlayerContext): PlayerState {
  switch (event.type) {
    case 'play':
      return play(state, context)
    case 'run':
      return { ...state, playing: true, to: event.to, stop: null }
    case 'pause':
      return state.playing ? { ...state, playing: false, to: null, held: false } : state
    case 'seek':
      return { ...state, seq: clampedSeq(event.seq, context), waitedMs: 0, to: null, stop: null, held: false }
    case 'rate':
      return changeRate(state, event.rate, context)
    case 'at-issues':
      return { ...state, atIssues: event.on }
    case 'advance':
      return state.playing ? advance(state, event.elapsedMs, context) : state
  }
}

/** A played pause between two events. */
export interface Pause {
  /** Time in the log in ms; null if unknown. */
  readonly logMs: number | null
  /** Time to wait, in the unit of `PlayerState.waitedMs`. */
  readonly waitMs: number
  /** Whether `waitMs` is less than `logMs`. */
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
  // Otherwise the time waited in a long pause would make many events due at once.
  return { ...state, rate, waitedMs: Math.min(state.waitedMs, waitAfter(state.seq, rate, context)) }
}

function advance(state: PlayerState, elapsedMs: number, context: PlayerContext): PlayerState {
  const { rate } = state
  let { seq } = state
  let waitedMs = state.waitedMs + Math.max(0, elapsedMs) * (rate === 'step' ? 1 : rate)
  for (;;) {
    const next = context.nextOf(seq)
    const waitMs = waitAfter(seq, rate, context)
    if (waitedMs < waitMs) return { ...state, seq, waitedMs, held: false }
    const stop = next === 'unknown' ? next : context.stopAfter(seq, state)
    // No time passes while held; otherwise many events would be due at once.
    if (stop === 'unknown') return { ...state, seq, waitedMs: waitMs, held: true }
    const stopped = { ...state, playing: false, waitedMs: 0, to: null, stop, held: false }
    if (stop !== null) return { ...stopped, seq: stop.seq }
    if (next === null) return { ...stopped, seq }
    waitedMs -= waitMs
    seq = Number(next)
  }
}

/** The time of event `seq` in the unit of `PlayerState.waitedMs`; 0 if the next one is unknown or missing. */
function waitAfter(seq: number, rate: PlayerRate, context: PlayerContext): number {
  const next = context.nextOf(seq)
  return typeof next === 'number' ? pauseBetween(seq, next, rate, context).waitMs : 0
}

function clampedSeq(seq: number, { lastSeq }: PlayerContext): number {
  return Math.max(0, Math.min(Math.floor(seq), lastSeq))
}
