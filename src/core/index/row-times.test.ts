import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowTimes } from './row-times.ts'

const month = 30 * 24 * 3600 * 1000

test('each time is given again as it was: near, far, before 1970, with a fraction, or none', () => {
  const near = fc.integer({ min: 1_795_295_000_000 - month, max: 1_795_295_000_000 + month })
  const time = fc.oneof(
    { weight: 6, arbitrary: near },
    fc.double({ noDefaultInfinity: true, min: -8e15, max: 8e15 }).map((value) => value + 0),
    fc.integer({ min: -month, max: month }),
    fc.constant(NaN)
  )
  fc.assert(
    fc.property(fc.array(time, { maxLength: 200 }), fc.nat(5000), (times, before) => {
      const kept = new RowTimes()
      // Times share a base block by block.
      const all = [...Array<number>(before).fill(1_000), ...times]
      for (const each of all) kept.push(each)
      expect(times.map((_, row) => kept.at(before + row))).toEqual(times)
    })
  )
})
