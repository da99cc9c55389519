import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ValuePacker, ValueReader } from './packed-values.ts'

/** What JSON can hold, and what it cannot: `undefined`, -0, infinity. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.anything({
    withNullPrototype: false,
    withObjectString: false,
    values: [
      fc.string({ unit: 'binary' }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constant(undefined)
    ]
  })
)

function packed(values: readonly unknown[]): ValueReader {
  const packer = new ValuePacker()
  for (const value of values) expect(packer.add(value)).toBe(true)
  return new ValueReader(structuredClone(packer.take()))
}

test('values are read as they were packed, in their order', () => {
  fc.assert(
    fc.property(fc.array(anyValue), (values) => {
      const reader = packed(values)
      for (const value of values) {
        expect(reader.ended).toBe(false)
        expect(reader.next()).toStrictEqual(value)
      }
      expect(reader.ended).toBe(true)
    })
  )
})

test('keys stay in their order, and those that mean something to JavaScript mean nothing', () => {
  const value = JSON.parse('{"b":1,"a":2,"7":3,"__proto__":{"polluted":true},"constructor":null,"":[]}') as object
  const again = packed([value]).next() as object
  expect(Object.entries(again)).toEqual(Object.entries(value))
  expect(Object.getPrototypeOf(again)).toBe(Object.prototype)
})

test('a list that stands in a value twice is one list again', () => {
  const items = [{ text: 'a', status: 'pending' }]
  const again = packed([{ items, drafts: [{ items }] }]).next() as { items: unknown; drafts: [{ items: unknown }] }
  expect(again).toEqual({ items, drafts: [{ items }] })
  expect(again.drafts[0].items).toBe(again.items)
})

test('what cannot be packed is left out whole, and what comes after it is read', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level += 1) deep = [0.5, 'x', deep]
  const packer = new ValuePacker()
  expect([{ a: 1.5 }, { half: 2.5, deep }, { f: () => 1 }, 'after'].map((value) => packer.add(value))).toEqual([
    ...[true, false, false, true]
  ])
  const reader = new ValueReader(packer.take())
  expect([reader.next(), reader.next(), reader.ended]).toEqual([{ a: 1.5 }, 'after', true])
})
