import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownLines } from './known-lines.ts'

test('finds each line it was given, and no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.maxSafeNat(), { maxLength: 3000, minLength: 1 }), (hashes) => {
      const known = new KnownLines()
      const [stranger, ...added] = hashes
      for (const [index, hash] of added.entries()) {
        const file = index % 3 === 0 ? undefined : `agent-${index % 3}.jsonl`
        const place = { line: index + 1, offset: index * 2 ** 33, length: index }
        expect(known.meet(hash, file === undefined ? place : { file, ...place })).toBe(index)
      }
      for (const [index, hash] of added.entries()) {
        expect(known.find(hash)).toBe(index)
        expect(known.meet(hash, { line: 9, offset: 9, length: 9 })).toBeNull()
        const { line, offset, file } = known.positionOf(index)
        expect([line, offset, file]).toEqual([
          index + 1,
          index * 2 ** 33,
          index % 3 === 0 ? undefined : `agent-${index % 3}.jsonl`
        ])
      }
      expect(known.find(stranger ?? 0)).toBe(-1)
    }),
    { numRuns: 30 }
  )
})

test('a log whose uuids all meet in one place is read in linear time: some lines are not remembered', () => {
  const known = new KnownLines()
  const at = { line: 1, offset: 0, length: 0 }
  // Their place is chosen by the lower 64 bits, which are all nought.
  const rows = Array.from({ length: 600 }, (_, index) => known.meet(index * 2 ** 64, at))
  expect(rows.slice(0, 256)).toEqual(Array.from({ length: 256 }, (_, index) => index))
  expect(rows.slice(256)).toEqual(Array<number>(344).fill(-1))
})
