import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instantOf } from './instant.ts'

test('ISO dates are instants, in UTC where no zone is stated', () => {
  const noon = Date.UTC(2026, 10, 21, 12)
  for (const text of [
    '2026-11-21T12:00:00.000Z',
    '2026-11-21T12:00:00',
    '2026-11-21 12:00',
    '2026-11-21T13:00:00+01:00'
  ]) {
    expect(instantOf(text)).toBe(noon)
  }
  expect(instantOf('2026-11-21')).toBe(Date.UTC(2026, 10, 21))
  expect(instantOf('2026-11-21T12:00:00.123456789Z')).toBe(noon + 123)
})

test('anything else is no time', () => {
  for (const value of [
    '[trimmed for fixture]',
    '',
    '1',
    'Nov 21 2026',
    '2026-13-40T99:00:00Z',
    1763726400000,
    null,
    undefined,
    {}
  ]) {
    expect(instantOf(value)).toBeUndefined()
  }
})

test('every date an agent writes is the instant the platform reads', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
      expect(instantOf(date.toISOString())).toBe(date.getTime())
    })
  )
})

test('a date that is one character off is read as the platform does, or not at all', () => {
  const usual = '2026-11-28T23:59:59.999Z'
  for (let at = 0; at < usual.length; at += 1) {
    for (const other of '0359:-T.Z /a') {
      const text = usual.slice(0, at) + other + usual.slice(at + 1)
      const instant = instantOf(text)
      if (instant !== undefined) expect(instant).toBe(Date.parse(text.replace(' ', 'T')))
    }
  }
  for (const text of ['2026-13-01T00:00:00.000Z', '2026-01-01T24:00:01.000Z', '2026-01-01T00:60:00.000Z']) {
    expect(instantOf(text)).toBeUndefined()
  }
})

test('a date without ms that is one character off is read as the platform does, or not at all', () => {
  const usual = '2026-11-28T23:59:59Z'
  expect(instantOf(usual)).toBe(Date.parse(usual))
  for (let at = 0; at < usual.length; at += 1) {
    for (const other of '0359:-T.Z /a') {
      const text = usual.slice(0, at) + other + usual.slice(at + 1)
      const instant = instantOf(text)
      if (instant !== undefined) expect(instant).toBe(Date.parse(text.replace(' ', 'T')))
    }
  }
})
