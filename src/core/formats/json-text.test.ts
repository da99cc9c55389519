import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findJsonFault, maxJsonDepth, maxJsonParts, parseJson } from './json-text.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether `message` contains any 12 consecutive characters of `text`. */
function quotes(message: string, text: string): boolean {
  for (let at = 0; at + 12 <= message.length; at++) {
    if (text.includes(message.slice(at, at + 12))) return true
  }
  return false
}

const fragments = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\\u12',
  'tru',
  'null',
  '0',
  '-',
  '.',
  'e+',
  ' ',
  '\n',
  '\u0001',
  '\uFEFF'
]

/** JSON, and damaged JSON. */
const jsonLike = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom('', ...fragments)), { maxLength: 3 })
  )
  .map(([json, damages]) =>
    damages.reduce((text, [where, gone, put]) => {
      const at = where % (text.length + 1)
      return text.slice(0, at) + put + text.slice(at + gone)
    }, json)
  )

describe('JSON', () => {
  test.each(['null', ' true ', '-0.5e+3', '"a\\u00e9\\n"', '[]', '{"a":[1,{"b":"c"}],"d":{}}', '\t[1 ,\r\n2 ]'])(
    '%j is what JSON.parse makes of it',
    (text) => {
      expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      expect(findJsonFault(text)).toBeNull()
    }
  )

  test('a key named __proto__ is a key like any other', () => {
    const parsed = parseJson('{"__proto__":1}')
    expect(parsed.ok && Object.entries(parsed.value ?? {})).toEqual([['__proto__', 1]])
  })
})

describe('a text that is not JSON has the column and kind of its fault', () => {
  test.each([
    ['', 1, 'the line ends where a value is expected'],
    ['hello', 1, 'not a JSON value'],
    ['\uFEFF{}', 1, 'not a JSON value'],
    ['\u00A0{}', 1, 'not a JSON value'],
    ['{} x', 4, 'text after the value'],
    ['{}{}', 3, 'text after the value'],
    ['{"a":"bc', 9, 'the line ends inside a string'],
    ['"a\\', 4, 'the line ends inside a string'],
    ['"a\\u00', 7, 'the line ends inside a string'],
    ['{', 2, 'the line ends inside an object'],
    ['{"a"', 5, 'the line ends inside an object'],
    ['{"a":', 6, 'the line ends inside an object'],
    ['{"a":1', 7, 'the line ends inside an object'],
    ['{"a":1,', 8, 'the line ends inside an object'],
    ['[1', 3, 'the line ends inside an array'],
    ['[1,', 4, 'the line ends inside an array'],
    ['tru', 4, 'the line ends inside a value'],
    ['-', 2, 'the line ends inside a value'],
    ['1.', 3, 'the line ends inside a value'],
    ['{a:1}', 2, 'expected a property name in double quotes'],
    ["{'a':1}", 2, 'expected a property name in double quotes'],
    ['{"a":1,}', 8, 'expected a property name in double quotes'],
    ['{"a" 1}', 6, 'expected a colon after the property name'],
    ['{"a":1 "b":2}', 8, 'expected a comma or the end of the object'],
    ['{"a":1]', 7, 'expected a comma or the end of the object'],
    ['[1 2]', 4, 'expected a comma or the end of the array'],
    ['[1}', 3, 'expected a comma or the end of the array'],
    ['[1,]', 4, 'not a JSON value'],
    ['[NaN]', 2, 'not a JSON value'],
    ['"\\x"', 2, 'a bad escape in a string'],
    ['"\\u12G4"', 2, 'a bad escape in a string'],
    ['"a\tb"', 3, 'a control character in a string'],
    ['"a\nb"', 3, 'a control character in a string'],
    ['-a', 2, 'a bad number'],
    ['1.e5', 3, 'a bad number'],
    ['01', 2, 'text after the value'],
    ['"é😀" x', 7, 'text after the value']
  ])('%j', (text, column, what) => {
    expect(parseJson(text)).toEqual({ ok: false, column, what })
  })
})

describe('nesting', () => {
  test('200 000 levels are read, and their fault is found', () => {
    const depth = 200_000
    expect(parseJson('['.repeat(depth) + ']'.repeat(depth)).ok).toBe(true)
    expect(parseJson('['.repeat(depth))).toEqual({
      ok: false,
      column: depth + 1,
      what: 'the line ends inside an array'
    })
    expect(parseJson('{"a":'.repeat(depth) + '}')).toMatchObject({ column: 5 * depth + 1, what: 'not a JSON value' })
  })

  test('10 million levels are refused before they cost memory', () => {
    const text = '['.repeat(10_000_000)
    expect(parseJson(text)).toEqual({
      ok: false,
      column: maxJsonDepth + 1,
      what: `nested deeper than ${maxJsonDepth} levels`
    })
  })

  test('brackets within a string are not nesting', () => {
    expect(parseJson(`"${'['.repeat(maxJsonDepth + 1)}"`).ok).toBe(true)
  })
})

test('more objects, arrays and names than the heap may hold are refused', () => {
  const what = `more than ${maxJsonParts} objects, arrays and names`
  // The outer array and its closing bracket.
  expect(parseJson(`[${'[],'.repeat(maxJsonParts)}0]`)).toEqual({ ok: false, column: 3 * maxJsonParts - 1, what })
  expect(parseJson(`["${'{:'.repeat(maxJsonParts / 2)}"]`).ok).toBe(true)
})

describe('any text', () => {
  test('is JSON to the scanner exactly when it is to JSON.parse', () => {
    fc.assert(
      fc.property(jsonLike, (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text))
        expect(parseJson(text).ok).toBe(isJson(text))
      }),
      { numRuns: 5000 }
    )
  })

  test('is never quoted by what is wrong with it, and its column lies in it or right after it', () => {
    fc.assert(
      fc.property(fc.oneof(jsonLike, fc.string({ minLength: 12 })), (text) => {
        const parsed = parseJson(text)
        if (parsed.ok) return
        expect(quotes(parsed.what, text)).toBe(false)
        expect(parsed.column).toBeGreaterThanOrEqual(1)
        expect(parsed.column).toBeLessThanOrEqual(text.length + 1)
      }),
      { numRuns: 5000 }
    )
  })
})
