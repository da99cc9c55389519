import { expect, test } from 'vitest'
import * as z from 'zod'
import { parsedJson } from './parsed-json.ts'

const schema = z.object({ version: z.literal(1) })

test('a stored text is its value by the schema', () => {
  expect(parsedJson(schema, '{"version":1,"more":2}')).toEqual({ version: 1 })
})

test.each([null, undefined, '', '{"version":1', 'null', '[]', '{"version":2}', '{"Version":1}'])(
  'a damaged or foreign text is null: %s',
  (text) => expect(parsedJson(schema, text)).toBeNull()
)
