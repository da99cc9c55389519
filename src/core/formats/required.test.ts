import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonValue } from '../json.ts'
import { requiredIssues } from './required.ts'

const message = z.object({ content: z.union([z.string(), z.array(z.object({ type: z.string() }))]) })
const schemas: Readonly<Record<string, z.ZodType>> = {
  simple: z.object({ id: z.string(), size: z.number(), last: z.boolean() }),
  nested: z.object({ type: z.literal('a'), message }),
  loose: z.object({ a: z.string().optional(), b: z.object({}).nullable(), c: z.unknown() }),
  list: z.array(z.union([z.string(), z.null()])),
  checked: z.object({ id: z.string().min(2), n: z.int() }),
  named: z.object({ kind: z.enum(['x', 'y']), more: z.record(z.string(), z.number()) })
}

describe('what a record lacks', () => {
  test.each<[string, JsonValue, string, string]>([
    ['simple', { id: 'x', size: 'big', last: true }, '$.size', 'expected a finite number, found a string'],
    ['simple', 42, '$', 'expected an object, found a number'],
    ['nested', { type: 'a', message: {} }, '$.message.content', 'expected a string or an array, found nothing'],
    ['loose', { b: [] }, '$.b', 'expected an object, found an array'],
    ['named', { kind: 'z', more: {} }, '$.kind', 'expected one of the 2 known values, found a string']
  ])('%s: %j', (name, record, path, text) => {
    const schema = schemas[name] ?? z.never()
    expect(requiredIssues(schema, record)).toEqual([{ code: 'TypedParse', path, message: text }])
  })

  test('is nothing for a record with everything, and more', () => {
    expect(requiredIssues(schemas['simple'] ?? z.never(), { id: '', size: 0, last: false, more: [1] })).toEqual([])
  })

  test('is found exactly where zod finds something, whatever the schema and the record', () => {
    const keys = fc.constantFrom('id', 'size', 'last', 'type', 'message', 'content', 'a', 'b', 'n', 'kind', 'more')
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<JsonValue>('', 'a', 'xx', 'x', 0, 1, 1.5, true, null),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 5 })
      )
    }))
    const whole: JsonValue[] = [
      { id: 'xx', size: 1, last: true, n: 3, type: 'a', message: { content: [{ type: 'x' }] }, b: null },
      { id: 'xx', n: 1.5, b: {}, kind: 'x', more: { a: 1 }, message: { content: [{}] }, type: 'a' },
      ['a', null]
    ]
    fc.assert(
      fc.property(fc.oneof(value, fc.constantFrom(...whole)), (record) => {
        for (const schema of Object.values(schemas)) {
          expect(requiredIssues(schema, record).length === 0).toBe(schema.safeParse(record).success)
        }
      }),
      { numRuns: 2000 }
    )
  })
})
