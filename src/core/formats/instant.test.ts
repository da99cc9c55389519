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
