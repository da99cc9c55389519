import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Usage } from '#contract/methods.ts'
import { RangeUsages, type RowRange } from './range-usages.ts'

const totals = {
  requests: 1,
  input: 1,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: null,
  understatedRequests: 0,
  outputByText: null
}

/** Answers with the rows of the range as its output. */
const usageOf = ({ from, to }: { from: number; to: number }): Usage => ({
  ...totals,
  output: from * 1000 + to,
  byTrack: [],
  byModel: [],
  spent: []
})

const log = (to: number): RowRange => ({ of: 'log', from: 0, to })
const turn = (from: number, to: number): RowRange => ({ of: 'turn', from, to })

let asked: string[][] = []

function usages(answer: (range: { from: number; to: number }) => Usage | null = usageOf): RangeUsages {
  return new RangeUsages(async (ranges) => {
    asked.push(ranges.map(({ from, to }) => `${from}-${to}`))
    return ranges.map(answer)
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
})
afterEach(() => vi.useRealTimers())

it('loads each range once for all components, and notifies them', async () => {
  const store = usages()
  let changes = 0
  store.changes.subscribe(() => changes++)
  store.request('a', [log(10), turn(0, 4)])
  store.request('b', [log(10)])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toEqual([['0-10', '0-4']])
  expect([store.get(log(10))?.output, store.get(turn(0, 4))?.output, changes]).toEqual([10, 4, 1])
})

it('shows the value of a range before it grew, but not of another range with its start', async () => {
  const store = usages()
  store.request('a', [log(10), turn(0, 4)])
  await vi.advanceTimersByTimeAsync(1000)
  expect([store.get(log(12))?.output, store.get(turn(0, 6))?.output]).toEqual([10, 4])
})

it('drops values that were taken back, also in a running request', async () => {
  const answers: ((usages: Usage[]) => void)[] = []
  const store = new RangeUsages(() => new Promise((resolve) => answers.push(resolve)))
  store.request('a', [log(10)])
  await vi.advanceTimersByTimeAsync(10)
  store.forget()
  answers[0]?.([usageOf({ from: 0, to: 99 })])
  await vi.advanceTimersByTimeAsync(2000)
  expect(store.get(log(10))).toBeUndefined()
  answers[1]?.([usageOf({ from: 0, to: 10 })])
  await vi.advanceTimersByTimeAsync(2000)
  expect(store.get(log(10))?.output).toBe(10)
})

it('retries with growing delays', async () => {
  let calls = 0
  const store = new RangeUsages(async () => {
    calls++
    throw new Error('gone')
  })
  store.request('a', [log(10)])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(calls).toBeLessThan(9)
  store.dispose()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(calls).toBeLessThan(9)
})

it('loads one batch at a time until all are loaded', async () => {
  const store = usages()
  store.request(
    'a',
    Array.from({ length: 450 }, (_, at) => turn(at, at + 1))
  )
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked.map((batch) => batch.length)).toEqual([200, 200, 50])
})
