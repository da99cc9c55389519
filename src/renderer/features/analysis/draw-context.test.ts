import { expect, test } from 'vitest'
import type { ContextRequest } from '#contract/analysis.ts'
import { barOf, compactionWords, contextBars, contextSize, requestAtX, windowOf } from './draw-context.ts'
import { costGaps } from '../../../../test/costs.ts'

const request = (of: Partial<ContextRequest> = {}): ContextRequest => ({
  ...{ request: 0, of: 'request', track: 0, model: null, rowFirst: 0, rowLast: 0, begin: null, end: null },
  ...{ cacheRead: 100, cacheWrite: null, input: 20, output: 3, outputIs: 'stated', outputByText: null, window: null },
  ...{ added: [], cost: { cost: null, gaps: costGaps() } },
  ...of
})

test('a request has a bar, as long as there is room for it', () => {
  const few = contextBars([request(), request()], 400)
  expect(few.map(({ x, width, shown }) => ({ x, width, shown }))).toEqual([
    { x: 52, width: 23, shown: 0 },
    { x: 76, width: 23, shown: 1 }
  ])
  expect([40, 60, 75.5, 80, 200].map((x) => requestAtX(few, x))).toEqual([-1, 0, 0, 1, -1])
})

test('where there is not, a bar is the largest of several', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => request({ cacheRead: at === 5003 ? 1e6 : 10 }))
  const bars = contextBars(many, 400)
  expect(bars.length).toBeLessThanOrEqual((400 - 64) / 3)
  expect(bars.at(-1)?.last).toBe(10_000)
  expect(barOf(bars, 5000)?.shown).toBe(5003)
  expect(contextBars([], 400)).toEqual([])
})

test('sizes are the sums of what is stated', () => {
  expect(contextSize(request())).toBe(123)
  expect(contextSize(request({ cacheRead: null, output: null }))).toBe(20)
  expect([windowOf([request()]), windowOf([request({ window: 200_000 }), request()])]).toEqual([null, 200_000])
})

test('a compaction says what is not known', () => {
  expect([compactionWords(84_000, 31_000), compactionWords(null, 5)]).toEqual([
    'compacted 84.0k → 31.0k',
    'compacted ? → 5'
  ])
})
