import { describe, expect, it } from 'vitest'
import { parseGoTo, timeOf } from './go-to.ts'

const ms = (hours: number, minutes: number, seconds = 0, millis = 0) =>
  ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis

describe('parseGoTo', () => {
  it.each([
    ['128', { kind: 'line', line: 128 }],
    [' line 1,204 ', { kind: 'line', line: 1204 }],
    ['L7', { kind: 'line', line: 7 }],
    ['event 40', { kind: 'event', seq: 40 }],
    ['#40', { kind: 'event', seq: 40 }],
    ['event #0', { kind: 'event', seq: 0 }],
    ['12:04', { kind: 'time', day: null, msOfDay: ms(12, 4) }],
    ['9:04:33.5', { kind: 'time', day: null, msOfDay: ms(9, 4, 33, 500) }],
    ['2026-11-19 12:04:33', { kind: 'time', day: { year: 2026, month: 11, date: 19 }, msOfDay: ms(12, 4, 33) }]
  ])('reads %j', (text, target) => expect(parseGoTo(text)).toEqual(target))

  it.each(['', 'line', 'twelve', '24:00', '12:60', '-3', '1.5', '12:4', '#'])('does not guess %j', (text) =>
    expect(parseGoTo(text)).toBeNull()
  )
})

describe('timeOf', () => {
  const first = new Date(2026, 10, 19, 22, 30, 15, 400).getTime()
  const at = (text: string) => {
    const target = parseGoTo(text)
    return target?.kind === 'time' ? timeOf(target, first) : NaN
  }

  it('is on the day of the session, or the next day if before its start', () => {
    expect(at('22:31')).toBe(new Date(2026, 10, 19, 22, 31).getTime())
    expect(at('00:10')).toBe(new Date(2026, 10, 20, 0, 10).getTime())
  })

  it('accepts the second of the start', () => {
    expect(at('22:30:15')).toBe(new Date(2026, 10, 19, 22, 30, 15).getTime())
  })

  it('keeps a date', () => {
    expect(at('2026-11-18 10:00')).toBe(new Date(2026, 10, 18, 10, 0).getTime())
  })
})
