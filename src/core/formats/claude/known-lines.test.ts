import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LineStart } from '../log-format.ts'
import { KnownLines } from './known-lines.ts'

/** The lines of a run in `files` files, far beyond 4 GiB. */
const startOf = (row: number, files: number): LineStart => {
  const offset = row * 2 ** 33 + row
  return row % files === 0 ? { offset } : { file: `agent-${row % files}.jsonl`, offset }
}

test('finds each added line and no other', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.maxSafeNat(), { maxLength: 3000, minLength: 1 }),
      fc.constantFrom(1, 3),
      (hashes, files) => {
        const known = new KnownLines()
        const [stranger, ...added] = hashes
        for (const [row, hash] of added.entries()) expect(known.add(hash, startOf(row, files))).toBe(row)
        for (const [row, hash] of added.entries()) {
          expect(known.rowOf(hash)).toBe(row)
          expect(known.add(hash, { offset: 9 })).toBeNull()
          expect(known.startOf(row)).toEqual(startOf(row, files))
        }
        expect(known.rowOf(stranger ?? 0)).toBe(-1)
      }
    ),
    { numRuns: 30 }
  )
})

test('a log whose uuids all meet in one place is read in linear time: some lines are not remembered', () => {
  const known = new KnownLines()
  // Their slots depend on the lower bits, which are all 0.
  const rows = Array.from({ length: 2000 }, (_, index) => known.add(index * 2 ** 64, { offset: 0 }))
  expect(rows.slice(0, 1024)).toEqual(Array.from({ length: 1024 }, (_, index) => index))
  expect(rows.slice(1024)).toEqual(Array<number>(976).fill(-1))
})
