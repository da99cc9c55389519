import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** `expect(actual).toEqual(expected)` for values of megabytes: that takes many times as long as to see that they are the same. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
}
