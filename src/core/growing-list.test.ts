import { expect, test } from 'vitest'
import { GrowingList } from './growing-list.ts'
import { forkState } from './state/fork-state.ts'

test('returns what was added; a copy is independent', () => {
  const list = new GrowingList<string>()
  for (let i = 0; i < 1000; i++) list.push(`a${i}`)
  const copy = forkState(list)
  list.push('list')
  copy.push('copy')
  const places = [0, 255, 256, 999, 1000, 1001, -1]
  expect(places.map((at) => list.at(at))).toEqual(['a0', 'a255', 'a256', 'a999', 'list', undefined, undefined])
  expect([list.length, copy.length, copy.at(999), copy.at(1000)]).toEqual([1001, 1001, 'a999', 'copy'])
})
