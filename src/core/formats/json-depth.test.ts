import { expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'

function nested(depth: number): JsonValue {
  let value: JsonValue = []
  for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? [value] : { in: value }
  return value
}

test('a thousand levels fit, one more does not, and 200,000 do not overflow the stack', () => {
  expect(isTooDeep(nested(maxDepth))).toBe(false)
  expect(isTooDeep(nested(maxDepth + 1))).toBe(true)
  expect(isTooDeep(nested(200_000))).toBe(true)
})

test('width is not depth', () => {
  expect(isTooDeep(Array.from({ length: 10_000 }, (): JsonValue => ({})))).toBe(false)
  for (const scalar of [null, 1, 'x', true, undefined]) expect(isTooDeep(scalar)).toBe(false)
})
