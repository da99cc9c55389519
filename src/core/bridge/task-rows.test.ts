import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { mapStatus, taskRows } from './task-rows.ts'

const todo = { content: 'Write the tests', status: 'in_progress', activeForm: 'Writing the tests' }

describe('field mapping', () => {
  test('array index -> id, with the whole session id', () => {
    const session = '91672686-da53-49fd-b84c-30b3d67e109f'
    expect(taskRows(session, [todo, todo]).map(({ id }) => id)).toEqual([`sdk-${session}-0`, `sdk-${session}-1`])
  })
  test('content -> title', () => {
    expect(taskRows('s', [todo])[0]?.title).toBe('Write the tests')
  })
  test('status -> status, through mapStatus', () => {
    const todos = ['pending', 'in_progress', 'completed', 'blocked'].map((status) => ({ ...todo, status }))
    expect(taskRows('s', todos).map(({ status }) => status)).toEqual(['pending', 'in_progress', 'completed', 'pending'])
  })
  test('activeForm -> description; none where there is none', () => {
    const forms: JsonValue[] = [
      todo,
      { content: 'a' },
      { content: 'a', activeForm: 7 },
      { content: 'a', activeForm: '' }
    ]
    expect(taskRows('s', forms).map(({ description }) => description)).toEqual(['Writing the tests', null, null, ''])
  })
  test('array index -> sort_order', () => {
    expect(taskRows('s', [todo, todo, todo]).map((row) => row.sort_order)).toEqual([0, 1, 2])
  })
  test('the session, and that it is of the agent', () => {
    expect(taskRows('s', [todo])[0]).toMatchObject({ session_id: 's', source: 'sdk' })
  })
})

describe('status mapping', () => {
  test.each([
    ['pending', 'pending'],
    ['in_progress', 'in_progress'],
    ['completed', 'completed'],
    // Other.
    ['cancelled', 'pending'],
    ['blocked', 'pending'],
    ['deleted', 'pending'],
    ['Completed', 'pending'],
    ['completed ', 'pending'],
    ['', 'pending'],
    ['toString', 'pending'],
    [undefined, 'pending'],
    [null, 'pending'],
    [2, 'pending'],
    [true, 'pending'],
    [['completed'], 'pending'],
    [{ status: 'completed' }, 'pending']
  ])('%j -> %s', (status, expected) => {
    expect(mapStatus(status)).toBe(expected)
  })
})

test('an empty list has no rows', () => {
  expect(taskRows('s', [])).toEqual([])
})

test('what is no todo is skipped, and the rest keeps its place', () => {
  const todos = [null, 'text', 7, [], {}, { content: ' \n' }, { content: 1 }, todo, { status: 'completed' }, todo]
  expect(taskRows('s', todos).map((row) => [row.id, row.sort_order])).toEqual([
    ['sdk-s-7', 7],
    ['sdk-s-9', 9]
  ])
})

test('any list gives rows with ids of their own, in order', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.jsonValue()), (session, todos) => {
      const rows = taskRows(session, todos as JsonValue[])
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
      const places = rows.map((row) => row.sort_order)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      for (const row of rows) expect(row.title.trim()).not.toBe('')
    })
  )
})
