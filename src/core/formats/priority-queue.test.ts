import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PriorityQueue } from './priority-queue.ts'

const drained = (queue: PriorityQueue<number[]>): number[][] => {
  const given: number[][] = []
  for (let first = queue.first; first !== undefined; first = queue.first) {
    given.push(first)
    queue.removeFirst()
  }
  return given
}
const before = ([a = 0, i = 0]: number[], [b = 0, j = 0]: number[]): boolean => (a === b ? i < j : a < b)
const inOrder = (items: readonly number[][]): number[][] => [...items].sort((a, b) => (before(a, b) ? -1 : 1))

test('the first item is first, in any order of adding', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (keys) => {
      const items = keys.map((key, i) => [key, i])
      const queue = new PriorityQueue(before)
      for (const item of items) queue.add(item)
      expect(drained(queue)).toEqual(inOrder(items))
    })
  )
})

test('a first item that moves back is reordered', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), fc.nat(12), (keys, later) => {
      const items = keys.map((key, i) => [key, i])
      const queue = new PriorityQueue(before)
      for (const item of items) queue.add(item)
      const { first } = queue
      if (first !== undefined) first[0] = (first[0] ?? 0) + later
      queue.firstIsLater()
      expect(drained(queue)).toEqual(inOrder(items))
    })
  )
})
