import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  longestPauseMs,
  type PlayerContext,
  type PlayerEvent,
  playerRates,
  type PlayerState,
  stoppedPlayer,
  tickMs,
  transition
} from './player.ts'

/** A log whose events happen at these times. */
function log(...times: (number | null)[]): PlayerContext {
  return { lastSeq: times.length - 1, timeOf: (seq) => times[seq] ?? null }
}

function after(context: PlayerContext, ...events: PlayerEvent[]): PlayerState {
  return events.reduce((state, event) => transition(state, event, context), stoppedPlayer)
}

const play: PlayerEvent = { type: 'play' }
const pause: PlayerEvent = { type: 'pause' }
const seek = (seq: number): PlayerEvent => ({ type: 'seek', seq })
const wait = (elapsedMs: number): PlayerEvent => ({ type: 'advance', elapsedMs })

const steady = log(0, 1000, 2000, 3000)

describe('playback', () => {
  test('stands still until it is played', () => {
    expect(after(steady, wait(10_000))).toEqual(stoppedPlayer)
  })

  test('reaches each event when it happened', () => {
    expect(after(steady, play, wait(999)).seq).toBe(0)
    expect(after(steady, play, wait(999), wait(1)).seq).toBe(1)
    expect(after(steady, play, wait(2500)).seq).toBe(2)
  })

  test('goes at its rate', () => {
    expect(after(steady, { type: 'rate', rate: 8 }, play, wait(125)).seq).toBe(1)
    expect(after(steady, play, wait(500), { type: 'rate', rate: 2 }, wait(250)).seq).toBe(1)
  })

  test('does not wait out a long pause of the log', () => {
    const idle = log(0, 3_600_000, 3_600_500)
    expect(after(idle, play, wait(longestPauseMs - 1)).seq).toBe(0)
    expect(after(idle, play, wait(longestPauseMs)).seq).toBe(1)
    expect(after(idle, play, wait(longestPauseMs + 500)).seq).toBe(2)
  })

  test('steps through events without a time, and through times that do not go on', () => {
    for (const context of [log(null, null, null), log(0, null, 5), log(7, 7, 7), log(9000, 5000, 1000)]) {
      expect(after(context, play, wait(tickMs - 1)).seq).toBe(0)
      expect(after(context, play, wait(tickMs)).seq).toBe(1)
    }
  })

  test('stops at the last event', () => {
    expect(after(steady, play, wait(100_000))).toEqual({ ...stoppedPlayer, seq: 3 })
  })

  test('played at the last event, starts from the first', () => {
    expect(after(steady, seek(3), play)).toMatchObject({ playing: true, seq: 0 })
  })

  test('goes on where it was paused, also between two events', () => {
    const paused = [play, wait(1600), pause, wait(10_000)]
    expect(after(steady, ...paused)).toMatchObject({ playing: false, seq: 1 })
    expect(after(steady, ...paused, play, wait(400)).seq).toBe(2)
  })

  test('goes on from where it is put while it plays', () => {
    expect(after(steady, play, wait(900), seek(2))).toMatchObject({ playing: true, seq: 2 })
    expect(after(steady, play, wait(900), seek(2), wait(999)).seq).toBe(2)
    expect(after(steady, play, wait(900), seek(2), wait(1000)).seq).toBe(3)
  })

  test('stays within the log', () => {
    expect(after(steady, seek(99)).seq).toBe(3)
    expect(after(steady, seek(-1)).seq).toBe(0)
    expect(after(log(), seek(5), play, wait(100))).toEqual(stoppedPlayer)
    expect(after(log(5), play, wait(1))).toEqual(stoppedPlayer)
  })

  test('goes on into what a log has grown by', () => {
    const state = after(log(0, 1000), play, wait(900))
    expect(transition(state, wait(1100), log(0, 1000, 2000))).toMatchObject({ playing: false, seq: 2 })
  })
})

describe('any playback', () => {
  test('is the same in many small steps of time as in one', () => {
    const times = fc.array(fc.option(fc.integer({ min: 0, max: 10_000 })), { minLength: 1, maxLength: 20 })
    const elapsed = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 10 })
    fc.assert(
      fc.property(times, elapsed, fc.constantFrom(...playerRates), (at, steps, rate) => {
        const context = log(...at)
        const total = steps.reduce((sum, step) => sum + step, 0)
        const start: PlayerEvent[] = [{ type: 'rate', rate }, play]
        expect(after(context, ...start, ...steps.map(wait)).seq).toBe(after(context, ...start, wait(total)).seq)
      })
    )
  })
})
