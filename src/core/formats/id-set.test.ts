import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdSet } from './id-set.ts'

test('has what was added, and nothing else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.nat(100), (ids, count) => {
      const set = new IdSet()
      for (const id of [...ids.slice(0, count), ...ids.slice(0, count)]) set.add(id)
      expect(ids.filter((id) => set.has(id))).toEqual(ids.slice(0, count))
    })
  )
})
