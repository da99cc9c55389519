import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allSteps } from '../steps.ts'
import { CallTable, type CountedCall, type GroupOrder } from './call-table.ts'
import { costGaps, statedCost } from '../../../test/costs.ts'

const groupsOf = (table: CallTable, by: GroupOrder = 'name', descending = false) =>
  allSteps(table.sorted(by, descending))
const allOf = (table: CallTable) => allSteps(table.all())

type CallMore = Partial<CountedCall>
const call = (row: number, durationMs: number | undefined, more: CallMore = {}): CountedCall => ({
  ...{ row, failed: false, durationMs, isStated: false, belowMs: 0, bytes: 10, tokens: null, paid: null },
  ...more
})

test('a group has its numbers, with unknown lengths apart', () => {
  const table = new CallTable()
  table.add(call(1, 100, { failed: true, belowMs: 30, isStated: true, tokens: { tokens: 7, atLeast: false } }), ['a'])
  table.add(call(2, 300), ['a', 'b'])
  table.add(call(3, undefined), ['b'])
  const [a, b] = groupsOf(table)
  expect(a).toEqual({
    ...{ name: 'a', calls: 2, failed: 1, unknownLengths: 0, statedLengths: 1, totalMs: 400, selfMs: 370 },
    ...{ longestMs: 300, longestRow: 2, p50Ms: 100, p95Ms: 300, bytesOut: 20, tokensOut: 7, tokensAtLeast: true },
    cost: { cost: null, gaps: costGaps({ lacking: 2 }) }
  })
  expect(b).toMatchObject({ calls: 2, unknownLengths: 1, totalMs: 300, tokensOut: null, tokensAtLeast: false })
  expect(allOf(table)).toMatchObject({ calls: 3, totalMs: 400, bytesOut: 30 })
})

test('a group costs what the requests of its calls do, and groups without a known cost are last', () => {
  const table = new CallTable()
  const usd = (dollars: number): CallMore => ({
    paid: { answer: { cost: statedCost(dollars), gaps: null }, calls: 2 }
  })
  table.add(call(1, 5, usd(1)), ['a'])
  table.add(call(2, 5, usd(1)), ['a'])
  table.add(call(3, 5, usd(8)), ['b'])
  table.add(call(4, 5), ['c'])
  const costs = (descending: boolean) =>
    groupsOf(table, 'cost', descending).map(({ name, cost }) => [name, cost.cost?.usd ?? null])
  expect(costs(true)).toEqual([
    ['b', 4],
    ['a', 1],
    ['c', null]
  ])
  expect(costs(false).at(-1)).toEqual(['c', null])
  expect(allOf(table).cost).toMatchObject({ cost: { usd: 5, atLeast: true }, gaps: { lacking: 1 } })
})

test('a group without a known length has no times, never 0', () => {
  const table = new CallTable()
  table.add(call(1, undefined), ['a'])
  expect(allOf(table)).toMatchObject({ totalMs: null, selfMs: null, longestMs: null, p50Ms: null, p95Ms: null })
})

test('half and 95 % of the calls are at or under the nearest rank', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }), (lengths) => {
      const table = new CallTable()
      for (const [row, ms] of lengths.entries()) table.add(call(row, ms), ['a'])
      for (const [share, value] of [[0.5, allOf(table).p50Ms] as const, [0.95, allOf(table).p95Ms] as const]) {
        const under = (limit: number): number => lengths.filter((ms) => ms <= limit).length / lengths.length
        expect(lengths).toContain(value)
        expect(under(value ?? -1)).toBeGreaterThanOrEqual(share)
        for (const ms of lengths) if (ms < (value ?? 0)) expect(under(ms)).toBeLessThan(share)
      }
    })
  )
})

test('unknown numbers are last in both orders, and turns are in the order of their numbers', () => {
  const table = new CallTable()
  for (const name of ['10', '9', null]) table.add(call(1, name === '9' ? undefined : 5), [name])
  const order = (by: 'name' | 'totalMs', down: boolean) => groupsOf(table, by, down).map(({ name }) => name)
  expect(order('name', false)).toEqual(['9', '10', null])
  expect(order('name', true)).toEqual(['10', '9', null])
  expect(order('totalMs', true)).toEqual(['10', null, '9'])
  expect(order('totalMs', false)).toEqual(['10', null, '9'])
})

test('numbers are before words, in one order whatever the groups', () => {
  const names = ['9', '5x', '10', 'Infinity', '', 'a', null]
  for (let i = 0; i < names.length; i++) {
    const table = new CallTable()
    for (const name of [...names.slice(i), ...names.slice(0, i)]) table.add(call(1, 5), [name])
    expect(groupsOf(table).map(({ name }) => name)).toEqual(['', '9', '10', '5x', 'Infinity', 'a', null])
  }
})

test('groups beyond 100,000 are one, and the table is made in steps', () => {
  const table = new CallTable()
  for (let row = 0; row < 100_500; row++) table.add(call(row, row % 7), [`f${row}`])
  let steps = 0
  const sorting = table.sorted('totalMs', true)
  for (let step = sorting.next(); ; step = sorting.next()) {
    if (step.done === true) {
      expect(step.value).toHaveLength(100_000)
      expect(step.value[0]).toMatchObject({ name: 'further groups', calls: 501 })
      break
    }
    steps++
  }
  expect(steps).toBeGreaterThan(200)
  expect(allOf(table).calls).toBe(100_500)
})
