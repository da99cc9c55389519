import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  idleFromMs,
  longestPauseMs,
  pauseBetween,
  type PlayerContext,
  type PlayerEvent,
  playerRates,
  type PlayerState,
  type PlayerStop,
  shortestIdleMs,
  stepMs,
  stoppedPlayer,
  tickMs,
  transition
} from './player.ts'

/** A log whose events happen at these times, each in the row of its number. */
function log(...times: (number | null)[]): PlayerContext {
  const nextOf = (seq: number) => (seq + 1 < times.length ? seq + 1 : null)
  return { lastSeq: times.length - 1, timeOf: (seq) => times[seq] ?? null, nextOf, stopAfter: () => null }
}

/** With a breakpoint, or an issue, at some of its events. */
function stopping(context: PlayerContext, at: readonly number[], reason: PlayerStop['reason']): PlayerContext {
  return {
    ...context,
    stopAfter: (seq, { atIssues }) =>
      seq < context.lastSeq && at.includes(seq + 1) && (reason === 'breakpoint' || atIssues)
        ? { reason, row: seq + 1, seq: seq + 1 }
        : null
  }
}

function after(context: PlayerContext, ...events: PlayerEvent[]): PlayerState {
  return events.reduce((state, event) => transition(state, event, context), stoppedPlayer)
}

const play: PlayerEvent = { type: 'play' }
const pause: PlayerEvent = { type: 'pause' }
const atIssues: PlayerEvent = { type: 'at-issues', on: true }
const seek = (seq: number): PlayerEvent => ({ type: 'seek', seq })
const wait = (elapsedMs: number): PlayerEvent => ({ type: 'advance', elapsedMs })
const rate = (to: PlayerState['rate']): PlayerEvent => ({ type: 'rate', rate: to })

const steady = log(0, 1000, 2000, 3000)

describe('playback', () => {
  test('stands still until it is played', () => {
    expect(after(steady, wait(10_000))).toEqual(stoppedPlayer)
  })

  test('paused, is not paused any more by a pause', () => {
    expect(after(steady, pause)).toEqual(stoppedPlayer)
  })

  test('that goes on is not begun again', () => {
    expect(after(steady, play, wait(1500), play)).toEqual(after(steady, play, wait(1500)))
  })

  test('reaches each event when it happened', () => {
    expect(after(steady, play, wait(999)).seq).toBe(0)
    expect(after(steady, play, wait(999), wait(1)).seq).toBe(1)
    expect(after(steady, play, wait(2500)).seq).toBe(2)
  })

  test('goes at its rate', () => {
    expect(after(steady, rate(8), play, wait(125)).seq).toBe(1)
    expect(after(steady, play, wait(500), rate(2), wait(249)).seq).toBe(0)
    expect(after(steady, play, wait(500), rate(2), wait(250)).seq).toBe(1)
    expect(after(steady, rate(8))).toEqual({ ...stoppedPlayer, rate: 8 })
  })

  test('shows each event as long as any other, if asked', () => {
    const uneven = log(0, 5, 3_600_000, null, 10)
    for (const seq of [1, 2, 3, 4]) {
      expect(after(uneven, rate('step'), play, wait(seq * stepMs - 1)).seq).toBe(seq - 1)
      expect(after(uneven, rate('step'), play, wait(seq * stepMs)).seq).toBe(seq)
    }
  })

  test('has waited at another rate no longer than for the next event', () => {
    const slow = log(0, 2000, 4000, 6000, 8000)
    expect(after(slow, play, wait(1999), rate('step'), wait(0))).toMatchObject({ seq: 1, waitedMs: 0 })
    expect(after(slow, play, wait(100), rate('step'), wait(stepMs - 100)).seq).toBe(1)
    expect(after(slow, rate('step'), play, wait(100), rate(1), wait(1899)).seq).toBe(0)
    expect(after(slow, rate('step'), play, wait(100), rate(1), wait(1900)).seq).toBe(1)
  })

  test('does not wait out a long pause of the log', () => {
    const idle = log(0, 3_600_000, 3_600_500)
    expect(after(idle, play, wait(longestPauseMs - 1)).seq).toBe(0)
    expect(after(idle, play, wait(longestPauseMs)).seq).toBe(1)
    expect(after(idle, play, wait(longestPauseMs + 500)).seq).toBe(2)
  })

  test('waits at an idle run for long enough to read of it, at any rate', () => {
    const idle = log(0, 3_600_000)
    for (const known of playerRates.filter((each) => each !== 'step')) {
      const shortest = Math.max(shortestIdleMs, longestPauseMs / known)
      expect(after(idle, rate(known), play, wait(shortest - 1)).seq).toBe(0)
      expect(after(idle, rate(known), play, wait(shortest)).seq).toBe(1)
    }
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
    expect(after(steady, ...paused, play, wait(399)).seq).toBe(1)
    expect(after(steady, ...paused, play, wait(400)).seq).toBe(2)
  })

  test('goes on from where it is put while it plays', () => {
    expect(after(steady, play, wait(900), seek(2))).toMatchObject({ playing: true, seq: 2 })
    expect(after(steady, play, wait(900), seek(2), wait(999)).seq).toBe(2)
    expect(after(steady, play, wait(900), seek(2), wait(1000)).seq).toBe(3)
  })

  test('moves where it is put while it is paused, and has not waited there', () => {
    expect(after(steady, play, wait(900), pause, seek(1))).toEqual({ ...stoppedPlayer, seq: 1 })
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

  test('that has come to the end is played on from there when the log has grown', () => {
    const state = after(log(0, 1000), play, wait(5000))
    const grown = log(0, 1000, 2000)
    expect(transition(transition(state, play, grown), wait(1000), grown).seq).toBe(2)
  })
})

describe('a place to stop at', () => {
  const broken = stopping(steady, [2], 'breakpoint')
  const wrong = stopping(steady, [1, 3], 'issue')

  test('pauses playback when it is due, and says what it was', () => {
    expect(after(broken, play, wait(1999))).toMatchObject({ playing: true, seq: 1, stop: null })
    expect(after(broken, play, wait(2000))).toMatchObject({
      playing: false,
      seq: 2,
      stop: { reason: 'breakpoint', row: 2 }
    })
  })

  test('is not played past, however much time has passed', () => {
    expect(after(broken, rate(60), play, wait(100_000)).seq).toBe(2)
  })

  test('does not hold playback when it goes on', () => {
    const stopped = [play, wait(5000)]
    expect(after(broken, ...stopped, play)).toMatchObject({ playing: true, seq: 2, stop: null, waitedMs: 0 })
    expect(after(broken, ...stopped, play, wait(1000)).seq).toBe(3)
  })

  test('is forgotten when the playhead is put elsewhere, and kept by a pause', () => {
    expect(after(broken, play, wait(5000), seek(0)).stop).toBeNull()
    expect(after(broken, play, wait(5000), pause).stop).not.toBeNull()
  })

  test('counts for issues only if that was asked', () => {
    expect(after(wrong, play, wait(1000))).toMatchObject({ playing: true, seq: 1 })
    expect(after(wrong, atIssues, play, wait(1000))).toMatchObject({ playing: false, seq: 1 })
    expect(after(wrong, play, atIssues, wait(10_000))).toMatchObject({ playing: false, seq: 1 })
    const not: PlayerEvent = { type: 'at-issues', on: false }
    expect(after(wrong, atIssues, play, not, wait(10_000))).toEqual({ ...stoppedPlayer, seq: 3 })
  })

  test('is also the row that is played to, until something else stops or moves the playhead', () => {
    const run: PlayerEvent = { type: 'run', to: 3 }
    const reached: PlayerContext = {
      ...steady,
      stopAfter: (seq, { to }) => (seq + 1 === to ? { reason: 'row', row: 3, seq: 3 } : null)
    }
    expect(after(reached, run, wait(2999))).toMatchObject({ playing: true, seq: 2, to: 3 })
    expect(after(reached, run, wait(3000))).toMatchObject({ playing: false, seq: 3, to: null, stop: { reason: 'row' } })
    expect(after(broken, run, wait(10_000))).toMatchObject({ playing: false, seq: 2, to: null })
    expect(after(reached, run, pause)).toMatchObject({ playing: false, to: null })
    expect(after(reached, run, seek(0))).toMatchObject({ playing: true, seq: 0, to: null })
  })

  test('that may still be found holds playback before it, and no time passes meanwhile', () => {
    const sought: PlayerContext = { ...steady, stopAfter: (seq) => (seq < 1 ? null : 'unknown') }
    const held = after(sought, play, wait(50_000), wait(50_000))
    expect(held).toMatchObject({ playing: true, seq: 1, held: true, stop: null })
    expect(transition(held, wait(999), steady)).toMatchObject({ playing: true, seq: 2, held: false })
    expect(transition(held, wait(0), broken)).toMatchObject({ playing: false, seq: 2, held: false })
    expect(transition(held, pause, sought)).toMatchObject({ playing: false, seq: 1, held: false })
    expect(transition(held, seek(0), sought)).toMatchObject({ playing: true, seq: 0, held: false })
  })

  test('that may still be found holds playback at the last event too', () => {
    const sought: PlayerContext = { ...log(0), stopAfter: () => 'unknown' }
    expect(after(sought, play, wait(50_000))).toMatchObject({ playing: true, seq: 0, held: true })
  })

  test('may be a record after an event, also after the last one', () => {
    const record: PlayerStop = { reason: 'issue', row: 1, seq: 0 }
    const before: PlayerContext = { ...log(0, 1000), stopAfter: (seq) => (seq === 0 ? record : null) }
    expect(after(before, play, wait(1000))).toMatchObject({ playing: false, seq: 0, stop: record })
    const last: PlayerStop = { reason: 'issue', row: 2, seq: 1 }
    const behind: PlayerContext = { ...log(0, 1000), stopAfter: (seq) => (seq === 1 ? last : null) }
    expect(after(behind, play, wait(1000))).toMatchObject({ playing: false, seq: 1, stop: last })
  })
})

describe('where not all events are shown', () => {
  /** Only every third is. */
  const some: PlayerContext = {
    ...log(0, 1000, 2000, 3000, 4000, 5000, 6000),
    nextOf: (seq) => [0, 3, 6].find((each) => each > seq) ?? null
  }

  test('play goes from one that is shown to the next, in the time between them', () => {
    expect(after(some, rate(2), play, wait(999))).toMatchObject({ playing: true, seq: 0 })
    expect(after(some, play, wait(2000))).toMatchObject({ playing: true, seq: 3 })
    expect(after(some, seek(4), play, wait(2000))).toMatchObject({ seq: 6 })
    expect(after(some, play, wait(4001))).toMatchObject({ playing: false, seq: 6 })
    expect(after(some, seek(6), play)).toMatchObject({ playing: true, seq: 0 })
    expect(after({ ...some, nextOf: () => null }, play)).toEqual(stoppedPlayer)
  })

  test('play is held where the next one is still being looked for', () => {
    const sought: PlayerContext = { ...some, nextOf: (seq) => (seq < 3 ? some.nextOf(seq) : 'unknown') }
    const held = after(sought, play, wait(50_000))
    expect(held).toMatchObject({ playing: true, seq: 3, held: true })
    expect(transition(held, wait(0), some)).toMatchObject({ playing: true, seq: 3, held: false })
    expect(after({ ...some, nextOf: () => 'unknown' }, play, wait(1))).toMatchObject({ playing: true, held: true })
  })
})

describe('the pause after an event', () => {
  test('says how long it was where it is shortened', () => {
    expect(pauseBetween(0, 1, 1, log(0, 1500))).toEqual({ logMs: 1500, waitMs: 1500, shortened: false })
    expect(pauseBetween(0, 1, 1, log(0, 14_000))).toEqual({ logMs: 14_000, waitMs: longestPauseMs, shortened: true })
    expect(pauseBetween(0, 1, 60, log(0, idleFromMs))).toEqual({
      logMs: idleFromMs,
      waitMs: shortestIdleMs * 60,
      shortened: true
    })
  })

  test('is not a pause of the log where times are not known or go back', () => {
    for (const context of [log(null, 5), log(5, null), log(9, 5), log(5, 5)]) {
      expect(pauseBetween(0, 1, 2, context)).toEqual({ logMs: null, waitMs: tickMs, shortened: false })
    }
  })
})

const times = fc.array(fc.option(fc.integer({ min: 0, max: 300_000 })), { minLength: 1, maxLength: 20 })
const places = fc.array(fc.nat(20), { maxLength: 3 })
const anyRate = fc.constantFrom(...playerRates)

describe('any playback', () => {
  test('is the same in many small steps of time as in one', () => {
    const elapsed = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(times, places, elapsed, anyRate, (at, stops, steps, known) => {
        const context = stopping(log(...at), stops, 'breakpoint')
        const total = steps.reduce((sum, step) => sum + step, 0)
        const start: PlayerEvent[] = [rate(known), play]
        expect(after(context, ...start, ...steps.map(wait))).toEqual(after(context, ...start, wait(total)))
      })
    )
  })

  test('forwards, then put back to where it was, is as it was', () => {
    fc.assert(
      fc.property(
        times,
        places,
        anyRate,
        fc.nat(25),
        fc.array(fc.nat(25)),
        fc.nat(60_000),
        (at, stops, known, ...go) => {
          const [from, forwards, played] = go
          const context = stopping(log(...at), stops, 'breakpoint')
          const here = after(context, rate(known), seek(from))
          const away = forwards.map(seek)
          const back = [...away, play, wait(played), pause, seek(here.seq)].reduce<PlayerState>(
            (state, event) => transition(state, event, context),
            here
          )
          expect(back).toEqual(here)
        }
      )
    )
  })

  test('of a log that grows meanwhile never leaves it, and stops at the first place to stop at', () => {
    const growths = fc.array(fc.tuple(times, fc.nat(100_000)), { maxLength: 8 })
    fc.assert(
      fc.property(times, growths, places, anyRate, (first, growing, stops, known) => {
        let all = first
        let state = after(log(...all), rate(known), play)
        for (const [more, elapsed] of growing) {
          all = [...all, ...more]
          const before = state
          state = transition(state, wait(elapsed), stopping(log(...all), stops, 'breakpoint'))
          expect(state.seq).toBeGreaterThanOrEqual(before.seq)
          expect(state.seq).toBeLessThan(all.length)
          const passed = stops.filter((seq) => seq > before.seq && seq < state.seq)
          expect(passed).toEqual([])
          if (!state.playing) break
        }
      })
    )
  })
})
