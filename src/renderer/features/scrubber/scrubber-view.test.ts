import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { following, panned, type ScrubberView, seqAtX, wholeView, xOfSeq, zoomed } from './scrubber-view.ts'

const width = 1000

describe('positions', () => {
  it('lead from an event to its pixel and back', () => {
    for (const events of [1, 7, 900, 1_000_000]) {
      for (const seq of [0, Math.floor(events / 2), events - 1]) {
        expect(seqAtX(xOfSeq(seq, wholeView(events), width), wholeView(events), width, events)).toBe(seq)
      }
    }
  })

  it('stay on what is read', () => {
    expect(seqAtX(900, wholeView(100), width, 50)).toBe(49)
    expect(seqAtX(-5, wholeView(100), width, 50)).toBe(0)
    expect(seqAtX(5, wholeView(0), width, 0)).toBe(-1)
    // At the edge of what is shown: the event there, and not the next one, of which nothing is seen.
    expect([0, width].map((x) => seqAtX(x, { from: 50, to: 75.2 }, width, 100))).toEqual([50, 74])
  })
})

describe('zoom', () => {
  const total = 1_000_000

  it('keeps what is under the pointer there, and ends at the whole run and at a handful of events', () => {
    let view: ScrubberView = wholeView(total)
    const x = xOfSeq(123_456, view, width)
    for (let step = 0; step < 100; step++) view = zoomed(view, total, 123_456.5, 0.8) ?? view
    expect(view.to - view.from).toBeCloseTo(24)
    expect(xOfSeq(123_456, view, width)).toBeCloseTo(x, 3)
    let out: ScrubberView | null = view
    for (let step = 0; step < 100 && out !== null; step++) out = zoomed(out, total, 123_456.5, 1.25)
    expect(out).toBeNull()
  })

  it('does not leave the run, whatever is done', () => {
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
          if ('at' in done) view = zoomed(view, total, done.at, done.factor) ?? wholeView(total)
          else if ('by' in done) view = panned(view, total, done.by)
          else {
            view = following(view, total, done.to)
            expect(view.from).toBeLessThanOrEqual(done.to + 0.5)
            expect(view.to).toBeGreaterThanOrEqual(done.to + 0.5)
            expect(seqAtX(xOfSeq(done.to, view, width), view, width, total)).toBe(done.to)
          }
          expect(view.from).toBeGreaterThanOrEqual(0)
          expect(view.to).toBeLessThanOrEqual(total + 1e-6)
          expect(view.to - view.from).toBeGreaterThan(23.9)
        }
      })
    )
  })

  it('turns the page when the playhead leaves it, and not before', () => {
    const view = { from: 1000, to: 1100 }
    expect(following(view, total, 1099)).toBe(view)
    expect(following(view, total, 1100).from).toBeCloseTo(1090.5)
    expect(following(view, total, 999).to).toBeCloseTo(1009.5)
    expect(following(view, total, 500_000)).toEqual({ from: 499_950.5, to: 500_050.5 })
  })
})
