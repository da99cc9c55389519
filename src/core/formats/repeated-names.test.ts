import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from '../json.ts'
import { memberPath } from '../json-path.ts'
import { repeatedNames } from './repeated-names.ts'

const pathsIn = (text: string) => repeatedNames(text).map(({ path }) => path)

test.each<[string, string[]]>([
  ['{"a":1,"b":2}', []],
  ['{"a":1,"a":2}', ['$.a']],
  ['{"a":1,"a":2,"a":3}', ['$.a']],
  ['{"a":{"a":1},"b":{"a":1}}', []],
  ['{"m":[{"x":1},{"x":1,"y":"x","x":2}]}', ['$.m[1].x']],
  ['[{"a":1},{"a":1}]', []],
  ['{"a b":1,"a b":2}', ['$["a b"]']],
  [String.raw`{"a":1,"\u0061":2}`, ['$.a']],
  [String.raw`{"\\":1,"\\\"":2,"\\":3}`, [String.raw`$["\\"]`]],
  ['{"a":["a","a"],"b":"a","c":"a"}', []],
  ['{"a":{"b":1,"b":2},"a":1}', ['$.a.b', '$.a']],
  ['"a":1,"b":[{"c":1,"c":1}],"a":2', ['$.b[0].c', '$.a']],
  ['{"":1,"":2}', ['$[""]']],
  ['{"__proto__":1,"__proto__":2,"constructor":1}', ['$.__proto__']],
  ['42', []],
  ['"a text: {\\"a\\":1,\\"a\\":2}"', []]
])('%s', (text, paths) => {
  expect(pathsIn(text)).toEqual(paths)
})

/** JSON in which the first member of each third object is repeated. */
function written(value: JsonValue, path: string, repeated: string[], count = { objects: 0 }): string {
  if (Array.isArray(value)) {
    const all = (value as readonly JsonValue[]).map((one, i) => written(one, memberPath(path, i), repeated, count))
    return `[${all.join(' ,')}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value)
  const doubles = count.objects++ % 3 === 2
  const names = Object.keys(value)
  const members = names.map(
    (name) => `${JSON.stringify(name)} : ${written(value[name] ?? null, memberPath(path, name), repeated, count)}`
  )
  const [first] = names
  if (!doubles || first === undefined) return `{${members.join(',')}}`
  repeated.push(memberPath(path, first))
  return `{${[...members, `${JSON.stringify(first)}:null`].join(',')}}`
}

test('finds all of them and nothing else, wherever they are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const repeated: string[] = []
      const text = written(value as JsonValue, '$', repeated)
      expect(pathsIn(text).toSorted()).toEqual(repeated.toSorted())
      expect(pathsIn(JSON.stringify(value))).toEqual([])
    })
  )
})

test('is bounded: a hundred issues, a million names, any depth', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `"n${i}":1,"n${i}":2`).join(',')
  expect(pathsIn(`{${many}}`)).toHaveLength(100)
  const deep = `${'{"a":'.repeat(100_000)}{"b":1,"b":2}${'}'.repeat(100_000)}`
  const [path] = pathsIn(deep)
  expect([path?.length, path?.endsWith('.a.b')]).toEqual([202, true])
})
