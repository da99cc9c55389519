import { expect, test } from 'vitest'
import { LaterCalls } from './later-calls.ts'

test('a text is linked to the call that comes after it, and a call that comes again changes nothing', () => {
  const calls = new LaterCalls()
  calls.await('a', 1)
  calls.await('b', 2)
  calls.await('a', 3)
  expect([1, 2, 3].map((text) => calls.of(text))).toEqual([-1, -1, -1])
  calls.arrive('b', 4)
  calls.arrive('a', 5)
  calls.arrive('a', 6)
  calls.arrive('c', 7)
  expect([1, 2, 3, 4].map((text) => calls.of(text))).toEqual([5, 4, 5, -1])
})

test('what is awaited is bounded: the newest calls, and a hundred texts of each', () => {
  const calls = new LaterCalls()
  for (let text = 0; text < 5000; text++) calls.await(`call ${text}`, text)
  for (let text = 5000; text < 6000; text++) calls.await('one', text)
  for (let text = 0; text < 5000; text++) calls.arrive(`call ${text}`, 6000 + text)
  calls.arrive('one', 20_000)
  const linked = (from: number, to: number): number =>
    Array.from({ length: to - from }, (_, i) => calls.of(from + i)).filter((call) => call >= 0).length
  expect([linked(0, 4000), linked(5000, 6000)]).toEqual([0, 100])
  expect(linked(4001, 5000)).toBe(999)
})
