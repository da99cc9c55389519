import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Column, type ColumnType } from './column.ts'

const types: readonly ColumnType[] = ['uint8', 'uint16', 'uint32', 'int32', 'float64']
const arrays = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float64: Float64Array
}
/** So that a few numbers fill several chunks. */
const chunkBits = 2

const numbersOf = (column: Column): number[] => Array.from({ length: column.length }, (_, index) => column.at(index))
const readBack = (column: Column): number[] => [...column.chunks()].flatMap((chunk) => [...chunk])

/** An operation on one of the columns; `column` and `at` are taken modulo their numbers. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), column: fc.nat(), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('set' as const), column: fc.nat(), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('truncate' as const), column: fc.nat(), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('fork' as const), column: fc.nat(7), at: fc.nat(), value: fc.nat(255) })
)

/** A small chunk, and a first chunk that grows several times. */
const sizes = fc.constantFrom({ chunkBits, pushedAtOnce: 1 }, { chunkBits: 9, pushedAtOnce: 23 })

describe('a column', () => {
  test('and forks of its forks are each like an array of its own, whichever is written to', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), sizes, fc.array(step, { maxLength: 120 }), (type, size, steps) => {
        const all = [{ column: new Column(type, size.chunkBits), model: [] as number[] }]
        for (const { kind, column: which, at, value } of steps) {
          const chosen = all[which % all.length]
          if (chosen === undefined) continue
          const { column, model } = chosen
          if (kind === 'push') {
            for (let i = 0; i < size.pushedAtOnce; i++) {
              column.push((value + i) & 0xff)
              model.push((value + i) & 0xff)
            }
          } else if (kind === 'fork') {
            all.push({ column: column.fork(), model: [...model] })
          } else if (kind === 'truncate') {
            model.length = Math.max(0, model.length - (at % 6))
            column.truncate(model.length)
          } else if (model.length > 0) {
            column.set(at % model.length, value)
            model[at % model.length] = value
          }
        }
        for (const { column, model } of all) {
          expect(numbersOf(column)).toEqual(model)
          expect(readBack(column)).toEqual(model)
          const from = model.length >> 1
          const copy = column.slice(from, model.length - from)
          expect([...new arrays[type](copy)]).toEqual(model.slice(from))
        }
      }),
      { numRuns: 500 }
    )
  })

  test('is the same again from its chunks, and goes on', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.array(fc.nat(255), { maxLength: 20 }), (type, values) => {
        const column = new Column(type, chunkBits)
        for (const value of values) column.push(value)
        const chunks = [...column.chunks()].map((chunk) => chunk.slice())
        const again = Column.from(column.type, column.chunkBits, column.length, chunks)
        again.push(7)
        expect(numbersOf(again)).toEqual([...values, 7])
        expect(numbersOf(column)).toEqual(values)
      })
    )
  })

  test('is not made of chunks that are not its own', () => {
    expect(() => Column.from('uint8', 2, 5, [new Uint8Array(4)])).toThrow(RangeError)
    expect(() => Column.from('uint8', 2, 4, [new Uint8Array(4), new Uint8Array(1)])).toThrow(RangeError)
    expect(() => Column.from('uint8', 2, 5, [new Uint8Array(5)])).toThrow(RangeError)
    expect(() => Column.from('uint8', 2, 4, [new Uint16Array(4)])).toThrow(RangeError)
    expect(() => Column.from('uint8', 2, 0, [new Uint8Array(0)])).toThrow(RangeError)
  })

  test('finds the place of a number among ascending ones', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { maxLength: 40 }), fc.nat(60), (numbers, value) => {
        const column = new Column('uint32', 2)
        const sorted = numbers.toSorted((a, b) => a - b)
        for (const number of sorted) column.push(number)
        expect(column.firstFrom(value)).toBe(sorted.filter((number) => number < value).length)
      })
    )
  })

  test('has nothing beyond its end', () => {
    const column = new Column('int32', chunkBits)
    column.push(-5)
    expect([column.at(0), column.at(1), column.at(100)]).toEqual([-5, 0, 0])
  })
})
