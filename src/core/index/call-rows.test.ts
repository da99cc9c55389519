import { expect, test } from 'vitest'
import { CallRows } from './call-rows.ts'

test('a call is found by its id, the latest of those that share one', () => {
  const calls = new CallRows()
  for (let row = 0; row < 2000; row++) calls.set(`toolu_${row % 1500}`, row)
  expect([0, 499, 500, 1499].map((id) => calls.rowOf(`toolu_${id}`))).toEqual([1500, 1999, 500, 1499])
  expect(calls.rowOf('toolu_1500')).toBe(-1)
})
