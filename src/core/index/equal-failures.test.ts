import { expect, test } from 'vitest'
import { equalFailures } from './equal-failures.ts'

test('failures of one tool that say the same stand where the first of them does', () => {
  const failure = (seq: number, text: string, tool = 'Bash') => ({ seq, tool, text })
  const [one, two, three, four] = [
    failure(3, 'no'),
    failure(5, 'not found'),
    failure(9, 'no'),
    failure(12, 'no', 'Edit')
  ]
  expect(equalFailures([one, two, three, four])).toEqual([
    { first: one, count: 2 },
    { first: two, count: 1 },
    { first: four, count: 1 }
  ])
  expect(equalFailures([])).toEqual([])
})
