import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TextRows } from './text-rows.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r\n', '界', '🌍', '\u0301'),
  maxLength: 400
})
const columns = fc.oneof(fc.constant(Infinity), fc.integer({ min: 10, max: 40 }))

function read(of: string, shape: { columns: number }, step = Infinity): TextRows {
  const rows = new TextRows(of, shape)
  while (!rows.done) rows.read(step)
  return rows
}

const shown = (rows: TextRows) => Array.from({ length: rows.count }, (_, row) => rows.slice(row, row + 1))

describe('TextRows', () => {
  it('has a row per line; a final line end begins none', () => {
    expect(shown(read('one\ntwo\r\n\nfour\n', { columns: Infinity }))).toEqual(['one', 'two', '', 'four'])
    expect(shown(read('', { columns: Infinity }))).toEqual([])
    expect(shown(read('\n', { columns: Infinity }))).toEqual([''])
  })

  it('splits a long line into connected rows', () => {
    const rows = read(`short\n${'x'.repeat(4500)}\nlast`, { columns: Infinity })
    expect(shown(rows).map((row) => row.length)).toEqual([5, 2000, 2000, 500, 4])
    expect([0, 1, 2, 3, 4].map((row) => rows.lineOf(row))).toEqual([0, 1, 1, 1, 2])
    expect([0, 1, 2, 3, 4].map((row) => rows.continues(row))).toEqual([false, false, true, true, false])
    expect(rows.lines).toBe(3)
  })

  it('wraps between words, and counts the columns of wide characters and tabs', () => {
    expect(shown(read('one two three four', { columns: 10 }))).toEqual(['one two ', 'three four'])
    expect(shown(read('世界世界世界', { columns: 10 }))).toEqual(['世界世界世', '界'])
    expect(shown(read('a\tb\tcdefgh', { columns: 10 }))).toEqual(['a\tb\tcd', 'efgh'])
  })

  it('finds the row of a character', () => {
    const rows = read('one\ntwo\nthree', { columns: Infinity })
    expect([0, 3, 4, 8, 12, 13].map((offset) => rows.rowAt(offset))).toEqual([0, 0, 1, 2, 2, -1])
  })

  it('keeps all characters, splits none, and fits the width, in any steps', () => {
    fc.assert(
      fc.property(text, columns, fc.integer({ min: 1, max: 100 }), (of, width, step) => {
        const rows = read(of, { columns: width }, step)
        let joined = ''
        for (let row = 0; row < rows.count; row++) {
          joined += of.slice(rows.startOf(row), row + 1 < rows.count ? rows.startOf(row + 1) : of.length)
          expect(rows.endOf(row)).toBeGreaterThanOrEqual(rows.startOf(row))
          expect(() => encodeURIComponent(rows.slice(row, row + 1))).not.toThrow()
          expect(
            rows
              .slice(row, row + 1)
              .replaceAll('\u0301', '')
              .replaceAll('\t', '').length
          ).toBeLessThanOrEqual(width)
        }
        expect(joined).toBe(of)
        expect(rows.lines).toBe(of === '' ? 0 : of.split('\n').length - (of.endsWith('\n') ? 1 : 0))
        expect(shown(rows)).toEqual(shown(read(of, { columns: width })))
      })
    )
  })
})
