import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowLinks } from './row-links.ts'

const rows = 700

test('each row is linked to the one it was linked to last, near or far', () => {
  const links = fc.array(fc.tuple(fc.nat(rows - 1), fc.nat(rows - 1)), { maxLength: 300 })
  fc.assert(
    fc.property(links, fc.constantFrom('uint8' as const, 'uint16' as const), (given, type) => {
      const kept = new RowLinks(type)
      for (let row = 0; row < rows; row++) kept.push()
      const last = new Map<number, number>()
      for (const [row, other] of given) {
        if (row === other) continue
        kept.set(row, other)
        last.set(row, other)
      }
      for (let row = 0; row < rows; row++) {
        const other = last.get(row)
        if (other === undefined) expect([kept.before(row), kept.after(row)]).toEqual([-1, -1])
        else expect(other < row ? kept.before(row) : kept.after(row)).toBe(other)
      }
    })
  )
})
