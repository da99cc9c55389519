import { describe, expect, test } from 'vitest'
import { isValidTodoItem, TodoItem, TodoStatus, todoStatuses } from './todo.ts'

// The test cases of docs/seeds.md#agent-event-todo-types.

const invalid: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a string', 'write tests'],
  ['a number', 7],
  ['an array', ['write tests', 'pending']],
  ['no text', { status: 'pending' }],
  ['a text that is no string', { text: 7, status: 'pending' }],
  ['an empty text', { text: '', status: 'pending' }],
  ['a text of white space', { text: ' \t\n\u00A0', status: 'pending' }],
  ['no status', { text: 'write tests' }],
  ['a status that is no string', { text: 'write tests', status: ['pending'] }],
  ['an unknown status', { text: 'write tests', status: 'done' }],
  ['a status in other letters', { text: 'write tests', status: 'Pending' }],
  ['a status that is a key of every object', { text: 'write tests', status: 'constructor' }]
]

describe('1. TodoStatus accepts all valid values', () => {
  test('the four, in the order of work', () => {
    expect(todoStatuses).toEqual(['pending', 'in_progress', 'completed', 'cancelled'])
  })

  test.each(todoStatuses)('%s', (status) => {
    expect(TodoStatus.parse(status)).toBe(status)
    expect(isValidTodoItem({ text: 'write tests', status })).toBe(true)
  })
})

describe('2. TodoItem requires non-empty text and valid status', () => {
  test('an item of text and status', () => {
    expect(TodoItem.parse({ text: 'write tests', status: 'pending' })).toEqual({
      text: 'write tests',
      status: 'pending'
    })
  })

  test('and nothing else: what a vendor adds is dropped', () => {
    const item = { text: 'write tests', status: 'pending', activeForm: 'Writing tests' }
    expect(TodoItem.parse(item)).toEqual({ text: 'write tests', status: 'pending' })
  })

  test('its text is kept as it is, the white space around it included', () => {
    expect(TodoItem.parse({ text: ' a ', status: 'pending' }).text).toBe(' a ')
  })

  test.each(invalid)('not %s', (_what, item) => {
    expect(TodoItem.safeParse(item).success).toBe(false)
  })
})

describe('3. isValidTodoItem returns false for invalid items', () => {
  test.each(invalid)('%s', (_what, item) => {
    expect(isValidTodoItem(item)).toBe(false)
  })

  test('and true for an item with more keys than it needs', () => {
    expect(isValidTodoItem({ text: 'write tests', status: 'completed', id: 7 })).toBe(true)
  })
})
