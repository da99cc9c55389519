import { expect, it } from 'vitest'
import { quantityOf } from '#core/query/quantities.ts'
import { durationTerm } from './row-terms.ts'

it('asks for calls at least as long as shown: the call itself is one', () => {
  for (let ms = 0; ms < 8_000_000; ms += ms < 70_000 ? 7 : 1013) {
    const least = quantityOf((durationTerm(ms) ?? '').slice('dur:>='.length), 'duration') ?? Infinity
    if (least > ms || ms - least >= 60_000) expect({ ms, least }).toBeNull()
  }
  expect([350, 4100, 65_000, 3_725_000].map(durationTerm)).toEqual([
    'dur:>=350ms',
    'dur:>=4.1s',
    'dur:>=1m5s',
    'dur:>=1h2m'
  ])
  expect([NaN, -5].map(durationTerm)).toEqual([null, null])
})
