import { describe, expect, test } from 'vitest'
import { isWriteTodos, todoItems, writtenItems } from './write-todos.ts'

test('the tool has had two names', () => {
  expect(['write_todos', 'write_todos_list', 'tracker_create_task', 'TodoWrite'].map(isWriteTodos)).toEqual([
    true,
    true,
    false,
    false
  ])
})

describe('items', () => {
  test('description is text; blocked is pending; what is no item is skipped', () => {
    const todos = [
      { description: 'a', status: 'pending' },
      { description: 'b', status: 'in_progress', extra: 1 },
      { description: 'c', status: 'completed' },
      { description: 'd', status: 'cancelled' },
      { description: 'e', status: 'blocked' },
      { description: 'f', status: 'doing' },
      { description: '  ', status: 'pending' },
      { text: 'g', status: 'pending' },
      { description: 7, status: 'pending' },
      'h',
      null,
      []
    ]
    expect(writtenItems({ todos })).toEqual([
      { text: 'a', status: 'pending' },
      { text: 'b', status: 'in_progress' },
      { text: 'c', status: 'completed' },
      { text: 'd', status: 'cancelled' },
      { text: 'e', status: 'pending' }
    ])
  })

  test('an empty list clears; where there is none there is none', () => {
    expect(writtenItems({ todos: [] })).toEqual([])
    for (const input of [undefined, null, 'x', [], {}, { todos: 'not an array' }, { todos: {} }]) {
      expect(writtenItems(input)).toBeNull()
    }
    expect(todoItems(undefined)).toBeNull()
  })
})
