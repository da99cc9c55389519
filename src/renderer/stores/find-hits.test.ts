import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FindHits, hasHitIn, hitAt, hitFrom } from './find-hits.ts'

const pagesArbitrary = fc.array(fc.array(fc.nat(1000), { maxLength: 30 }), { maxLength: 12 })

describe('FindHits', () => {
  it('returns all rows in order, and the first new one', () => {
    fc.assert(
      fc.property(pagesArbitrary, (pages) => {
        const hits = new FindHits()
        let given: number[] = []
        for (const page of pages) {
          hits.add(Uint32Array.from(page))
          const { rows, from } = hits.flush(true)
          const kept = (all: readonly number[]) => all.filter((row) => row < from)
          expect(kept([...rows])).toEqual(kept(given))
          given = [...rows]
        }
        expect(given).toEqual(pages.flat().sort((one, other) => one - other))
        expect(hits.count).toBe(given.length)
      })
    )
  })

  it('removes rows that were taken back', () => {
    fc.assert(
      fc.property(pagesArbitrary, fc.nat(1000), pagesArbitrary, (before, row, after) => {
        const hits = new FindHits()
        for (const page of before) hits.add(Uint32Array.from(page))
        hits.truncate(row)
        const left = before.flat().filter((hit) => hit < row)
        expect(hits.count).toBe(left.length)
        for (const page of after) hits.add(Uint32Array.from(page))
        const all = [...left, ...after.flat()].sort((one, other) => one - other)
        expect([...hits.flush(true).rows]).toEqual(all)
      })
    )
  })

  it('adds many unordered matches without sorting each page', () => {
    const hits = new FindHits()
    let changes = 0
    for (let page = 0; page < 40; page++) {
      hits.add(Uint32Array.from({ length: 10_000 }, (_, at) => at * 40 + ((page * 7) % 40)))
      if (hits.flush(false).from < Infinity) changes++
    }
    expect(changes).toBeLessThan(30)
    const { rows } = hits.flush(true)
    expect([rows.length, rows.findIndex((row, at) => row !== at)]).toEqual([400_000, -1])
  })
})

describe('matches', () => {
  const hits = Uint32Array.of(2, 5, 6)
  it('are found by row', () => {
    expect([1, 2, 3, 6, 7].map((row) => hitAt(hits, row))).toEqual([-1, 0, -1, 2, -1])
    expect([hasHitIn(hits, 0, 2), hasHitIn(hits, 0, 3), hasHitIn(hits, 3, 5), hasHitIn(hits, 7, 99)]).toEqual([
      false,
      true,
      false,
      false
    ])
  })

  it('are visited in order, around the ends when all are known', () => {
    const from = (row: number, direction: 1 | -1, searching = false, isShown: (row: number) => boolean = () => true) =>
      hitFrom({ hits, searching }, row, direction, isShown)
    expect([from(0, 1), from(2, 1), from(5, 1), from(6, 1)]).toEqual([0, 1, 2, 0])
    expect([from(7, -1), from(6, -1), from(2, -1)]).toEqual([2, 1, 2])
    expect([from(2, 1, true), from(6, 1, true)]).toEqual([1, -1])
    expect([from(6, -1, true), from(7, -1, true), from(2, -1, true)]).toEqual([1, -1, -1])
    expect([from(2, 1, false, (row) => row !== 5), from(2, 1, false, () => false)]).toEqual([2, -1])
    expect(hitFrom({ hits: new Uint32Array(), searching: false }, 3, 1, () => true)).toBe(-1)
  })
})
