import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evenScale, TimeScale } from '#core/replay/event-scale.ts'
import { firstSeqAt, following, panned, type AxisView, seqAtX, wholeView, xOfSeq, zoomed } from './axis-view.ts'

const width = 1000

/** Events at these times, in ms. */
function timeScale(...times: number[]): TimeScale {
  const scale = new TimeScale({
    events: times.length,
    time: Float64Array.from(times),
    rowOfSeq: Int32Array.from(times, (_, seq) => seq)
  })
  scale.extend()
  return scale
}

describe('positions', () => {
  it('map an event to a pixel and back', () => {
    for (const events of [1, 7, 900, 1_000_000]) {
      const scale = evenScale(events)
      const whole = wholeView(scale.total)
      for (const seq of [0, Math.floor(events / 2), events - 1]) {
        expect(seqAtX(scale, xOfSeq(scale, seq, whole, width), whole, width)).toBe(seq)
      }
    }
  })

  it('stay within loaded events', () => {
    expect(seqAtX(evenScale(50), 900, wholeView(100), width)).toBe(49)
    expect(seqAtX(evenScale(50), -5, wholeView(100), width)).toBe(0)
    expect(seqAtX(evenScale(0), 5, wholeView(1), width)).toBe(-1)
    // At the edge: the visible event, not the next one, which is invisible.
    expect([0, width].map((x) => seqAtX(evenScale(100), x, { from: 50, to: 75.2 }, width))).toEqual([50, 74])
  })

  it('on a time scale extend each event to the next one', () => {
    const scale = timeScale(0, 1000, 4000, 4980)
    const whole = wholeView(scale.total)
    expect([0, 199, 201, 799, 801, 999].map((x) => seqAtX(scale, x, whole, width))).toEqual([0, 0, 1, 1, 2, 3])
    // Earlier events are chosen only if no visible one starts there.
    expect(seqAtX(scale, 0, { from: 2000, to: 4500 }, width)).toBe(2)
    expect(seqAtX(scale, 0, { from: 2000, to: 3500 }, width)).toBe(1)
    expect([0, 1, 1000, 1001, 9999].map((place) => firstSeqAt(scale, place))).toEqual([0, 1, 1, 2, 4])
  })
})

describe('zoom', () => {
  const total = 1_000_000
  const scale = evenScale(total)

  it('keeps the place under the pointer, between the whole session and a few events', () => {
    let view: AxisView = wholeView(total)
    const x = xOfSeq(scale, 123_456, view, width)
    for (let step = 0; step < 100; step++) view = zoomed(view, scale, 123_456.5, 0.8) ?? view
    expect(view.to - view.from).toBeCloseTo(24)
    expect(xOfSeq(scale, 123_456, view, width)).toBeCloseTo(x, 3)
    let out: AxisView | null = view
    for (let step = 0; step < 100 && out !== null; step++) out = zoomed(out, scale, 123_456.5, 1.25)
    expect(out).toBeNull()
  })

  it('stays within the session', () => {
    const step = fc.oneof(
      fc.record({
        at: fc.double({ min: 0, max: total, noNaN: true }),
        factor: fc.double({ min: 0.1, max: 5, noNaN: true })
      }),
      fc.record({ by: fc.double({ min: -2 * total, max: 2 * total, noNaN: true }) }),
      fc.record({ to: fc.nat(total - 1) })
    )
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let view = wholeView(total)
        for (const done of steps) {
          if ('at' in done) view = zoomed(view, scale, done.at, done.factor) ?? wholeView(total)
          else if ('by' in done) view = panned(view, total, done.by)
          else {
            view = following(view, total, done.to + 0.5)
            expect(view.from).toBeLessThanOrEqual(done.to + 0.5)
            expect(view.to).toBeGreaterThanOrEqual(done.to + 0.5)
            expect(seqAtX(scale, xOfSeq(scale, done.to, view, width), view, width)).toBe(done.to)
          }
          expect(view.from).toBeGreaterThanOrEqual(0)
          expect(view.to).toBeLessThanOrEqual(total + 1e-6)
          expect(view.to - view.from).toBeGreaterThan(23.9)
        }
      })
    )
  })

  it('turns the page when the playhead leaves it', () => {
    const view = { from: 1000, to: 1100 }
    expect(following(view, total, 1099.5)).toBe(view)
    expect(following(view, total, 1100.5).from).toBeCloseTo(1090.5)
    expect(following(view, total, 999.5).to).toBeCloseTo(1009.5)
    expect(following(view, total, 500_000.5)).toEqual({ from: 499_950.5, to: 500_050.5 })
  })
})
