import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberPath, valueAtPath } from './json-path.ts'

test('what a path leads to is what it was written for, whatever the keys are', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (root) => {
      const visit = (value: unknown, path: string) => {
        expect(valueAtPath(root, path)).toBe(value)
        if (Array.isArray(value)) value.forEach((member: unknown, at) => visit(member, memberPath(path, at)))
        else if (typeof value === 'object' && value !== null)
          for (const [key, member] of Object.entries(value)) visit(member, memberPath(path, key))
      }
      visit(root, '$')
    })
  )
})

test('a key that a path cuts is found by how it begins', () => {
  const key = `${'k'.repeat(150)} end`
  expect(valueAtPath({ [key]: 7 }, memberPath('$', key))).toBe(7)
})

test('a path without a value is undefined', () => {
  for (const path of ['', 'a', '$.b', '$.a.b', '$.a[0]', '$.', '$[', '$["', '$.toString'])
    expect(valueAtPath({ a: 1 }, path)).toBeUndefined()
})
