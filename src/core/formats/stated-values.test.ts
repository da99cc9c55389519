import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import type { IssueDraft } from './issue.ts'
import {
  all,
  count,
  each,
  entries,
  inText,
  list,
  listOf,
  members,
  ms,
  role,
  seconds,
  type StatedValues,
  time,
  todoCall,
  usage,
  usd,
  valueIssues,
  where
} from './stated-values.ts'

function said(values: StatedValues, record: JsonValue): string[] {
  return valueIssues(values, record, []).map(({ code, path, message }) => `${code} ${path} ${message}`)
}

const shape = all(
  members({ at: time, role: role('user', 'assistant'), cost: usd, took: ms, lasted: seconds, tools: list }),
  members({ usage, at: time, models: entries(members({ n: count })) }),
  members({ steps: listOf(members({ n: count })), parts: each(todoCall('name', ['plan'], 'input', inText(list))) }),
  where('type', ['message'], members({ content: list }))
)

describe('a value that can be meant', () => {
  test.each<[string, JsonValue]>([
    ['nothing', {}],
    ['null, which is none', { at: null, role: null, cost: null, usage: null, steps: null, usages: null }],
    ['a text', { at: '2026-11-29T10:00:00.000Z' }],
    ['seconds', { at: 1_780_000_000 }],
    ['ms', { at: 1_780_000_000_000, took: 0, lasted: 0.5, cost: 0.1 }],
    ['zero for a time that is not known', { at: 0 }],
    ['counts', { usage: { input_tokens: 5, cache: { read: 0 }, service_tier: 'standard', total_tokens: 7 } }],
    ['details in place of a count', { usage: { cached_tokens: { read: 1 } } }],
    ['an input in a text', { parts: [{ name: 'plan', input: '{"todos":[]}' }] }],
    ['a list in a text', { parts: [{ name: 'plan', input: { todos: '[]' } }] }],
    ['what another tool takes', { parts: [{ name: 'other', input: { todos: 'all' } }] }],
    ['a text where a message may be one', { type: 'other', content: 'text' }],
    ['what is no object where one is known', { models: 'none', parts: 'none', usage: null }]
  ])('has no issue: %s', (_what, record) => {
    expect(said(shape, record)).toEqual([])
  })
})

describe('an impossible value', () => {
  test.each<[string, JsonValue, string]>([
    ['a text that is no time', { at: 'noon' }, 'OddValue $.at expected a time, not another string'],
    ['a date that does not exist', { at: '2026-13-01' }, 'OddValue $.at expected a time, not another string'],
    ['a time before all', { at: -1 }, 'OddValue $.at expected a time, not a negative number'],
    ['a time after all', { at: 1e300 }, 'OddValue $.at expected a time, not a number that is too large'],
    ['a role', { role: 'wizard' }, 'UnknownSubtype $.role unknown role'],
    ['a cost', { cost: -0.01 }, 'OddValue $.cost expected a cost of at least 0, not a negative number'],
    ['a duration', { took: '5' }, 'OddValue $.took expected a duration of at least 0, not a string'],
    ['seconds', { lasted: Infinity }, 'OddValue $.lasted expected a duration of at least 0, not an infinite number'],
    ['a text for a list', { tools: 'all' }, 'OddValue $.tools expected a list, not a string'],
    ['a text for usage', { usage: 'much' }, 'OddValue $.usage expected an object, not a string'],
    [
      'a count in a member of the usage',
      { usage: { cache: { read: -1 } } },
      'OddValue $.usage.cache.read expected a number of at least 0, not a negative number'
    ],
    [
      'a sum that is a text',
      { usage: { total_tokens: 'NaN' } },
      'OddValue $.usage.total_tokens expected a number of at least 0, not a string'
    ],
    [
      'in an object with any names',
      { models: { 'a b': { n: true } } },
      'OddValue $.models["a b"].n expected a number of at least 0, not a boolean'
    ],
    ['in a list', { steps: [{}, { n: [] }] }, 'OddValue $.steps[1].n expected a number of at least 0, not an array'],
    [
      'in a text, which has no paths',
      { parts: [{ name: 'plan', input: { todos: '{}' } }] },
      'OddValue $.parts[0].input.todos expected a list, not an object'
    ],
    ['of a record of a type', { type: 'message', content: 'x' }, 'OddValue $.content expected a list, not a string']
  ])('is one notice at its path: %s', (_what, record, issue) => {
    expect(said(shape, record)).toEqual([issue])
  })

  test('is told once for each path, and not where the format said so already', () => {
    const known: IssueDraft[] = [{ code: 'TypedParse', path: '$.cost', message: 'expected a number, found a string' }]
    expect(valueIssues(all(members({ cost: usd }), each(count)), { cost: 'x' }, known)).toEqual([])
    expect(said(all(where('a', ['x'], members({ b: count })), members({ b: count })), { a: 'x', b: -1 })).toHaveLength(
      1
    )
  })

  test('is told a hundred times at most', () => {
    expect(valueIssues(each(count), Array<number>(5000).fill(-1), [])).toHaveLength(100)
    expect(
      valueIssues(entries(time), Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, 'x'])), [])
    ).toHaveLength(100)
  })
})

const odd = fc.constantFrom<JsonValue>(null, -1, 0, 5, Infinity, 'x', '2026-11-29', [], {}, true, [null], { n: -1 })
const anyRecord = fc.dictionary(
  fc.constantFrom('at', 'role', 'cost', 'took', 'usage', 'models', 'steps', 'parts', 'type', 'content', '__proto__'),
  fc.oneof(
    odd,
    fc.dictionary(fc.constantFrom('n', 'input_tokens', 'name', 'cache'), odd),
    fc.array(odd),
    fc.jsonValue()
  )
)

test('there is an issue if and only if a value does not hold; nothing throws', () => {
  fc.assert(
    fc.property(fc.oneof(anyRecord, odd), (record) => {
      const issues = valueIssues(shape, record as JsonValue, [])
      expect(issues.length > 0).toBe(!shape.holds(record as JsonValue))
    })
  )
})
