import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../json.ts'
import { callKey } from './call-key.ts'

test('the order of members and what does not matter change nothing', () => {
  const key = callKey('Bash', { command: 'ls', path: { a: 1, b: 2 } })
  expect(callKey('Bash', { path: { b: 2, a: 1 }, description: 'List', timeout: 5, command: 'ls' })).toBe(key)
  expect(callKey('Bash', { command: 'ls', path: { a: 1, b: 3 } })).not.toBe(key)
  expect(callKey('Shell', { command: 'ls', path: { a: 1, b: 2 } })).not.toBe(key)
  expect(callKey('Bash', { command: 'ls', path: { a: '1', b: 2 } })).not.toBe(
    callKey('Bash', { command: 'ls', path: { a: '2', b: 2 } })
  )
})

test('one other character anywhere in a long text is another call', () => {
  const text = 'x'.repeat(20_000)
  const key = callKey('Write', { content: text })
  for (let at = 0; at < text.length; at += 997) {
    expect(callKey('Write', { content: `${text.slice(0, at)}y${text.slice(at + 1)}` })).not.toBe(key)
  }
})

const input = fc.dictionary(fc.constantFrom('a', 'b', 'path', 'command'), fc.jsonValue(), {
  noNullPrototype: true,
  maxKeys: 3
})

test('inputs have the same key where they are equal, and only there', () => {
  fc.assert(
    fc.property(input, input, (a, b) => {
      const again = JSON.parse(JSON.stringify(a)) as JsonObject
      expect(callKey('T', again)).toBe(callKey('T', JSON.parse(JSON.stringify(again)) as JsonObject))
      const other = JSON.parse(JSON.stringify(b)) as JsonObject
      expect(callKey('T', again) === callKey('T', other)).toBe(sortedText(again) === sortedText(other))
    })
  )
})

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([x], [y]) => (x < y ? -1 : 1)))
      : part
  )
}
