import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TodoItem, todoStatuses } from '../events/todo.ts'
import { ItemLists } from './item-lists.ts'

const item = fc.record({
  text: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
  status: fc.constantFrom(...todoStatuses)
})
/** Changes a list: what stands from a place on gives way; or it is another one altogether. */
const step = fc.record({
  alike: fc.nat(),
  place: fc.nat(30),
  removed: fc.constantFrom(0, 1, 1, 1, 2, 100),
  added: fc.oneof({ weight: 5, arbitrary: fc.array(item, { maxLength: 2 }) }, fc.array(item, { maxLength: 30 }))
})

test('each list is given again as it was, however it was kept', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const lists = new ItemLists()
      const all: { readonly number: number; readonly items: readonly TodoItem[] }[] = []
      for (const { alike, place, removed, added } of steps) {
        // Most lists are like the one before.
        const former = alike % 5 === 0 ? all[alike % Math.max(1, all.length)] : all.at(-1)
        const items = [...(former?.items ?? [])]
        items.splice(Math.min(place, items.length), removed, ...added)
        const number = lists.add(items, former?.number ?? -1)
        all.push({ number, items })
      }
      for (const { number, items } of all) expect(lists.at(number)).toEqual(items)
    }),
    { numRuns: 300 }
  )
})

test('the same list has the same number, and there is none of any other number', () => {
  const lists = new ItemLists()
  const one = lists.add([{ text: 'a', status: 'pending' }], -1)
  expect(lists.add([{ text: 'a', status: 'pending' }], one)).toBe(one)
  expect(lists.add([{ text: 'a', status: 'completed' }], one)).not.toBe(one)
  expect([lists.at(-1), lists.at(7)]).toEqual([[], []])
})
