import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evenScale, longestGap, TimeScale, type TimedColumns } from './event-scale.ts'

class Columns implements TimedColumns {
  events = 0
  time = new Float64Array(600)
  rowOfSeq = new Int32Array(600)

  take(times: readonly number[], count = times.length): void {
    for (const time of times.slice(this.events, this.events + count)) {
      this.rowOfSeq[this.events] = this.events
      this.time[this.events++] = time
    }
  }
}

function scaleOf(...times: number[]): TimeScale {
  const columns = new Columns()
  columns.take(times)
  const scale = new TimeScale(columns)
  scale.extend()
  return scale
}

const placesOf = (scale: TimeScale, events: number) => Array.from({ length: events }, (_, seq) => scale.placeOf(seq))

describe('time scale', () => {
  test('puts events as far apart as in time, a long pause cut short', () => {
    expect(placesOf(scaleOf(5000, 6000, 6500, 9_000_000, 9_000_100), 5)).toEqual([
      0,
      1000,
      1500,
      1500 + longestGap,
      1600 + longestGap
    ])
    expect(scaleOf(5000, 6000, 6500, 9_000_000, 9_000_100).gaps(0, 5, 10)).toEqual([3])
  })

  test('leaves pauses as long as they were where nothing is to be cut short', () => {
    const columns = new Columns()
    columns.take([5000, 6000, 9_000_000])
    const scale = new TimeScale(columns, Infinity)
    scale.extend()
    expect(placesOf(scale, 3)).toEqual([0, 1000, 8_995_000])
    expect(scale.gaps(0, 3, 10)).toEqual([])
  })

  test('draws a long pause as wide as it is told to', () => {
    const columns = new Columns()
    columns.take([5000, 6000, 9_000_000, 9_001_000])
    const scale = new TimeScale(columns, longestGap, 300)
    scale.extend()
    expect(placesOf(scale, 4)).toEqual([0, 1000, 1300, 2300])
    expect(scale.gaps(0, 4, 10)).toEqual([2])
  })

  test('gives each event a place of its own, whatever its time', () => {
    expect(placesOf(scaleOf(100, 100, NaN, 50, 200), 5)).toEqual([0, 20, 40, 60, 160])
    expect(placesOf(scaleOf(NaN, NaN, 7), 3)).toEqual([0, 20, 40])
  })

  test('finds the event in force at a place', () => {
    const scale = scaleOf(0, 1000, 3000)
    expect([-1, 0, 999, 1000, 2999, 3000, 1e9].map((place) => scale.seqAt(place))).toEqual([0, 0, 0, 1, 1, 2, 2])
    expect(scaleOf().seqAt(5)).toBe(-1)
  })

  const times = fc.array(fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 500_000 })), { maxLength: 400 })

  test('finds every event at its own place, and tells all gaps', () => {
    fc.assert(
      fc.property(times, fc.nat(400), (all, from) => {
        const scale = scaleOf(...all)
        const places = placesOf(scale, all.length)
        expect(places.map((place) => scale.seqAt(place))).toEqual(all.map((_, seq) => seq))
        const gaps = scale.gaps(from, all.length, 1000)
        // Two events after an unknown time tell of no pause.
        for (const seq of gaps) expect((places[seq] ?? 0) - (places[seq - 1] ?? 0)).toBe(longestGap)
        expect(gaps).toEqual(scale.gaps(0, all.length, 1000).filter((seq) => seq >= from))
      })
    )
  })

  test('is the same however events came, and after some were taken back', () => {
    const step = fc.record({ more: fc.nat(150), back: fc.nat(100) })
    fc.assert(
      fc.property(times, fc.array(step), (all, steps) => {
        const columns = new Columns()
        const scale = new TimeScale(columns)
        for (const { more, back } of steps) {
          columns.take(all, more)
          scale.extend()
          columns.events = Math.max(0, columns.events - back)
          scale.truncate(columns.events)
        }
        columns.take(all)
        scale.extend()
        const whole = scaleOf(...all)
        expect(placesOf(scale, all.length)).toEqual(placesOf(whole, all.length))
        expect(scale.gaps(0, all.length, 1000)).toEqual(whole.gaps(0, all.length, 1000))
        expect(scale.total).toBe(whole.total)
      })
    )
  })
})

test('the even scale gives each event a stretch of length 1', () => {
  const scale = evenScale(3)
  expect([0, 1, 2].map((seq) => scale.placeOf(seq))).toEqual([0.5, 1.5, 2.5])
  expect([-4, 0, 0.9, 1, 2.9, 7].map((place) => scale.seqAt(place))).toEqual([0, 0, 0, 1, 2, 2])
  expect([evenScale(0).seqAt(0), evenScale(0).total]).toEqual([-1, 1])
})

test('a time has a place between its events, also within a shortened pause', () => {
  const scale = scaleOf(5000, 6000, 6000, 8000, 1_008_000)
  expect([4000, 5000, 5500, 6000].map((time) => scale.placeAtTime(time))).toEqual([0, 0, 500, 1020])
  expect(scale.placeAtTime(7000)).toBeCloseTo(2020)
  expect(scale.placeAtTime(508_000)).toBeCloseTo((scale.placeOf(3) + scale.placeOf(4)) / 2)
  expect(scale.placeAtTime(1_009_000)).toBe(scale.placeOf(4) + 1000)
  expect(scaleOf().placeAtTime(5000)).toBeNaN()
  expect(scaleOf(NaN, NaN).placeAtTime(5000)).toBeNaN()
  expect(scaleOf(NaN, 5000, 7000).placeAtTime(6000)).toBe(1020)
})

test('the places of many times are in the order of the times', () => {
  const times = Array.from({ length: 500 }, (_, at) => at * 700 + (at % 7) * 40)
  const scale = scaleOf(...times)
  const places = Array.from({ length: 1000 }, (_, at) => scale.placeAtTime(at * 351))
  expect(places.toSorted((a, b) => a - b)).toEqual(places)
})
