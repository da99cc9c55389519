import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventSet } from './event-set.ts'

test('a set that travelled as a text has the same members', () => {
  const seqs = fc.uniqueArray(fc.nat(500))
  fc.assert(
    fc.property(seqs, (members) => {
      const set = new EventSet(501)
      for (const seq of members) set.add(seq)
      const back = EventSet.of(set.toText())
      const has = (one: EventSet) => Array.from({ length: 501 }, (_, seq) => seq).filter((seq) => one.has(seq))
      expect(has(back)).toEqual(members.toSorted((a, b) => a - b))
      expect([set.size, back.size]).toEqual([members.length, members.length])
    })
  )
})

test('the text says nothing of how many events the log has by now', () => {
  const [small, large] = [new EventSet(10), new EventSet(1000)]
  small.add(7)
  large.add(7)
  expect(large.toText()).toBe(small.toText())
})

test('what is no digit stands for nothing', () => {
  expect(EventSet.of('?~é').size).toBe(0)
})
