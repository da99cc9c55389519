import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillRanges, isInRanges, quantityRanges, timeStretches } from './number-match.ts'
import type { Comparison, QueryTest } from './query.ts'

const comparisons: Readonly<Record<Comparison, (value: number, to: number) => boolean>> = {
  '<': (value, to) => value < to,
  '<=': (value, to) => value <= to,
  '>': (value, to) => value > to,
  '>=': (value, to) => value >= to,
  '=': (value, to) => value === to
}
const comparison = fc.constantFrom(...(Object.keys(comparisons) as Comparison[]))
const values = fc.oneof(fc.integer({ min: -5, max: 50 }), fc.double({ min: -5, max: 50 }), fc.constant(NaN))

test('ranges hold the numbers that a comparison asks for, whether one is asked about or many', () => {
  fc.assert(
    fc.property(comparison, fc.nat(40), fc.array(values, { maxLength: 20 }), (by, to, numbers) => {
      const ranges = quantityRanges({ type: 'compare', by, to: String(to) }, 'count')
      const expected = numbers.map((value) => comparisons[by](value, to))
      expect(numbers.map((value) => isInRanges(ranges, value))).toEqual(expected)
      const into = new Uint8Array(numbers.length)
      fillRanges(ranges, Float64Array.from(numbers), into, 0, 3)
      expect([...into]).toEqual(expected.map((holds) => (holds ? 3 : 0)))
    })
  )
})

test('one of several numbers, and a range with both its ends', () => {
  const word = (text: string) => ({ type: 'word' as const, text })
  const some = quantityRanges({ type: 'any', values: [word('1'), word('5'), word('2k')] }, 'count')
  expect([0, 1, 2, 5, 2000, NaN].filter((value) => isInRanges(some, value))).toEqual([1, 5, 2000])
  const into = new Uint8Array(4)
  fillRanges(some, Uint32Array.of(5, 6, 2000, 1), into, 0, 3)
  expect([...into]).toEqual([3, 0, 3, 3])
  const range = quantityRanges({ type: 'range', from: '1s', to: '2s' }, 'duration')
  expect([999, 1000, 2000, 2001].filter((value) => isInRanges(range, value))).toEqual([1000, 2000])
})

const minuteMs = 60_000
const clock = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const moment = fc.nat(27).map((day) => `2026-03-${String(day + 1).padStart(2, '0')}`)
const time = fc.oneof(clock, moment)
const timeTest: fc.Arbitrary<QueryTest> = fc.oneof(
  fc.tuple(comparison, time).map(([by, to]): QueryTest => ({ type: 'compare', by, to })),
  fc.tuple(time, time).map(([from, to]): QueryTest => ({ type: 'range', from, to })),
  fc.array(time, { minLength: 1, maxLength: 3 }).map((words): QueryTest => {
    return { type: 'any', values: words.map((text) => ({ type: 'word', text })) }
  })
)

test('a test of a time has one answer all through a stretch, and stretches meet without a gap', () => {
  const first = Date.parse('2026-03-10T00:00')
  fc.assert(
    fc.property(
      timeTest,
      fc.nat(3 * 24 * 60),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (asked, minutes, part) => {
        const stretchAt = timeStretches(asked)
        const ms = first + minutes * minuteMs
        const { from, to, holds } = stretchAt(ms)
        expect([from <= ms, ms < to]).toEqual([true, true])
        const [low, high] = [Math.max(from, ms - 9 * minuteMs), Math.min(to, ms + 9 * minuteMs)]
        // Another one, made anew, is asked: nothing is remembered.
        expect(timeStretches(asked)(low).holds).toBe(holds)
        expect(timeStretches(asked)(low + Math.floor((high - low) * part)).holds).toBe(holds)
        if (Number.isFinite(to)) expect(stretchAt(to).from).toBe(to)
      }
    )
  )
})

test('a time of day is the same on each day', () => {
  const word = { type: 'word' as const, text: '14:05' }
  const stretchAt = timeStretches({ type: 'any', values: [word] })
  for (const day of ['2026-01-05', '2026-07-05']) {
    const at = Date.parse(`${day}T14:05`)
    expect(stretchAt(at)).toEqual({ from: at, to: at + minuteMs, holds: true })
    expect([stretchAt(at - 1).holds, stretchAt(at + minuteMs).holds]).toEqual([false, false])
  }
  expect(stretchAt(NaN).holds).toBe(false)
})
