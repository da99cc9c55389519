import { expect, test } from 'vitest'
import { EqualFailures } from './equal-failures.ts'

const failure = (seq: number, text: string, tool = 'Bash') => ({ seq, tool, text })

test('failures of one tool that say the same stand where the first of them does, or those of most failures first', () => {
  const failures = new EqualFailures<ReturnType<typeof failure>>(10)
  expect(failures.list).toEqual([])
  const all = [failure(3, 'gone'), failure(5, 'no'), failure(9, 'no'), failure(12, 'no', 'Edit')] as const
  for (const each of all) failures.add(each)
  expect(failures.list).toEqual([
    { first: all[0], count: 1 },
    { first: all[1], count: 2 },
    { first: all[3], count: 1 }
  ])
  expect(failures.mostFirst.map(({ first: { seq } }) => seq)).toEqual([5, 3, 12])
  expect(failures.further).toBe(0)
})

test('of more groups than it keeps the failures are counted', () => {
  const failures = new EqualFailures(1)
  for (const text of ['a', 'b', 'b', 'a', 'c']) failures.add(failure(0, text))
  expect(failures.list).toEqual([{ first: failure(0, 'a'), count: 2 }])
  expect(failures.further).toBe(3)
})
