import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sinceTime } from './since-time.ts'

// A Sunday, twenty minutes past midnight, by the clocks of whatever machine this is.
const now = new Date(2026, 10, 22, 0, 20).getTime()

test.each([
  ['7d', now - 7 * 86_400_000],
  ['2w', now - 14 * 86_400_000],
  ['1h30m', now - 5_400_000],
  ['today', new Date(2026, 10, 22).getTime()],
  ['yesterday', new Date(2026, 10, 21).getTime()],
  ['2026-11-20', new Date(2026, 10, 20).getTime()],
  ['2026-11-20T14:30', new Date(2026, 10, 20, 14, 30).getTime()],
  ['2026-11-20 14:30:05', new Date(2026, 10, 20, 14, 30, 5).getTime()],
  ['2026-11-20T14:30:05.250Z', Date.UTC(2026, 10, 20, 14, 30, 5)],
  ['2026-11-20T14:30+02:00', Date.UTC(2026, 10, 20, 12, 30)],
  ['2026-11-20T14:30-0530', Date.UTC(2026, 10, 20, 20)]
])('%s', (text, time) => expect(sinceTime(text, now)).toBe(time))

test.each([
  '',
  'soon',
  '7',
  'd',
  '-7d',
  '7 d',
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '2026-01-01T24:00',
  '2026-01-01T10:60',
  '2026-01-01T',
  '20260101',
  `${'9'.repeat(400)}d`
])('%s is no time', (text) => expect(sinceTime(text, now)).toBeNull())

test('every time that a machine writes is that time', () => {
  const date = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true
  })
  fc.assert(
    fc.property(date, (time) => {
      expect(sinceTime(time.toISOString(), now)).toBe(Math.floor(time.getTime() / 1000) * 1000)
    })
  )
})
