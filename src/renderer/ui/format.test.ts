import { describe, expect, it } from 'vitest'
import {
  formatBytes,
  formatClock,
  formatCost,
  formatCount,
  formatDay,
  formatDuration,
  formatElapsed,
  formatFullTime,
  formatLarge,
  formatPercent,
  formatPlural,
  formatShortDuration,
  formatTime,
  formatWhen
} from './format.ts'

/** Local times, so that the tests pass in every time zone. */
const at = (...parts: [number, number, number, number?, number?, number?, number?]) => new Date(...parts).getTime()

describe('counts', () => {
  it('groups thousands', () => {
    expect(formatCount(0)).toBe('0')
    expect(formatCount(1204)).toBe('1,204')
    expect(formatCount(3_200_000)).toBe('3,200,000')
  })

  it('uses singular and plural', () => {
    expect(formatPlural(1, 'line')).toBe('1 line')
    expect(formatPlural(0, 'line')).toBe('0 lines')
    expect(formatPlural(2318, 'entry', 'entries')).toBe('2,318 entries')
  })

  it('rounds large counts', () => {
    expect(formatLarge(950)).toBe('950')
    expect(formatLarge(9999)).toBe('9,999')
    expect(formatLarge(332_400)).toBe('332k')
    expect(formatLarge(14_020_000)).toBe('14.0M')
    expect(formatLarge(10_000)).toBe('10.0k')
    expect(formatLarge(3_204_000)).toBe('3.2M')
    expect(formatLarge(999_800)).toBe('1.0M')
  })

  it('reaches 100% only at the end', () => {
    expect(formatPercent(0)).toBe('0%')
    expect(formatPercent(0.614)).toBe('61%')
    expect(formatPercent(0.9999)).toBe('99%')
    expect(formatPercent(1)).toBe('100%')
  })
})

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [612, '612 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [51_200, '51 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [9_431_040, '9.4 MB'],
    [9_960_000, '10 MB'],
    [1_500_000_000, '1.5 GB']
  ])('%i is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})

describe('times', () => {
  const time = at(2026, 10, 19, 12, 4, 33, 120)

  it('shows the local time of day with milliseconds', () => {
    expect(formatTime(time)).toBe('12:04:33.120')
    expect(formatClock(time)).toBe('12:04:33')
    expect(formatDay(time)).toBe('2026-11-19')
  })

  it('shows date and zone in tooltips', () => {
    expect(formatFullTime(time)).toMatch(/^2026-11-19 12:04:33\.120 [+-]\d\d:\d\d$/)
  })

  it('shows nothing for unknown or invalid times', () => {
    for (const unknown of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      expect([formatTime(unknown), formatDay(unknown), formatFullTime(unknown)]).toEqual(['', '', ''])
    }
  })

  it('uses today and yesterday', () => {
    const now = at(2026, 10, 20, 9)
    expect(formatWhen(at(2026, 10, 20, 8, 5), now)).toBe('today 08:05')
    expect(formatWhen(at(2026, 10, 19, 22, 1), now)).toBe('yesterday 22:01')
    expect(formatWhen(at(2026, 10, 14, 9, 40), now)).toBe('2026-11-14 09:40')
  })
})

describe('durations', () => {
  it.each([
    [0, '0 ms', '0 ms'],
    [79, '79 ms', '79 ms'],
    [999.4, '999 ms', '999 ms'],
    [999.6, '1.0 s', '1.0 s'],
    [1240, '1.2 s', '1.2 s'],
    [14_200, '14.2 s', '14.2 s'],
    [59_960, '1 min', '1m 00s'],
    [372_000, '6 min 12 s', '6m 12s'],
    [2_820_000, '47 min', '47m 00s'],
    [7_500_000, '2 h 05 min', '2h 05m'],
    [7_200_000, '2 h', '2h 00m'],
    [172_800_000, '2 d', '2d 0h'],
    [200_000_000, '2 d 8 h', '2d 8h'],
    [-452, '−452 ms', '−452 ms']
  ])('%d ms is %s, short %s', (ms, text, short) => {
    expect(formatDuration(ms)).toBe(text)
    expect(formatShortDuration(ms)).toBe(short)
  })

  it('shows nothing for an unknown duration', () => {
    expect(formatDuration(Number.NaN)).toBe('')
    expect(formatShortDuration(Number.NaN)).toBe('')
  })
})

describe('cost', () => {
  it('is in dollars, with more digits for small amounts', () => {
    expect(formatCost(0)).toBe('$0.00')
    expect(formatCost(0.0123)).toBe('$0.0123')
    expect(formatCost(1.5)).toBe('$1.50')
  })
})

describe('running durations', () => {
  it.each([
    [-5000, '0:00'],
    [999, '0:00'],
    [42_000, '0:42'],
    [725_999, '12:05'],
    [3_753_000, '1:02:33'],
    [100 * 3_600_000, '100:00:00']
  ])('%d ms', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text)
  })
})
