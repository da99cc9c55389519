import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TodoItem, type TodoStatus, todoStatuses } from '../events/todo.ts'
import { type TodoChange, todoChanges } from './todo-changes.ts'

/** `a b* c+` is three items, the second in progress, the third completed. */
function list(words: string): TodoItem[] {
  const statuses: Record<string, TodoStatus> = { '*': 'in_progress', '+': 'completed', '-': 'cancelled' }
  return words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ text: word.charAt(0), status: statuses[word.charAt(1)] ?? 'pending' }))
}

function changes(before: string, after: string): TodoChange[] {
  return todoChanges(list(before), list(after))
}

describe('todo changes', () => {
  test('equal lists: none', () => {
    expect(changes('a b*', 'a b*')).toEqual([])
    expect(changes('', '')).toEqual([])
  })

  test('the first list: everything is added', () => {
    expect(changes('', 'a* b')).toEqual([
      { kind: 'added', text: 'a', to: 'in_progress' },
      { kind: 'added', text: 'b', to: 'pending' }
    ])
  })

  test('a cleared list: everything is removed', () => {
    expect(changes('a+ b', '')).toEqual([
      { kind: 'removed', text: 'a', from: 'completed' },
      { kind: 'removed', text: 'b', from: 'pending' }
    ])
  })

  test('a status', () => {
    expect(changes('a* b', 'a+ b*')).toEqual([
      { kind: 'status', text: 'a', from: 'in_progress', to: 'completed' },
      { kind: 'status', text: 'b', from: 'pending', to: 'in_progress' }
    ])
  })

  test('an item put on top moves nothing', () => {
    expect(changes('a b c', 'x a b c')).toEqual([{ kind: 'added', text: 'x', to: 'pending' }])
  })

  test('an item taken from the top moves nothing', () => {
    expect(changes('a b c', 'b c')).toEqual([{ kind: 'removed', text: 'a', from: 'pending' }])
  })

  test('an item that passed others has moved, the others have not', () => {
    expect(changes('a b c d', 'd a b c')).toEqual([{ kind: 'moved', text: 'd', from: 3, to: 0 }])
    expect(changes('a b c d', 'b c d a')).toEqual([{ kind: 'moved', text: 'a', from: 0, to: 3 }])
  })

  test('an item may move and change its status', () => {
    expect(changes('a b c*', 'c+ a b')).toEqual([
      { kind: 'status', text: 'c', from: 'in_progress', to: 'completed' },
      { kind: 'moved', text: 'c', from: 2, to: 0 }
    ])
  })

  test('removed ones come first, then the order of the new list', () => {
    expect(changes('a b* c', 'x b+ c').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'removed a',
      'added x',
      'status b'
    ])
  })

  test('equal texts are told by their order', () => {
    expect(changes('a* a', 'a+ a a')).toEqual([
      { kind: 'status', text: 'a', from: 'in_progress', to: 'completed' },
      { kind: 'added', text: 'a', to: 'pending' }
    ])
    expect(changes('a+ a*', 'a+')).toEqual([{ kind: 'removed', text: 'a', from: 'in_progress' }])
  })

  test('a text that is the name of something every object has is a text', () => {
    const items: TodoItem[] = [{ text: '__proto__', status: 'pending' }]
    expect(todoChanges([], items)).toEqual([{ kind: 'added', text: '__proto__', to: 'pending' }])
    expect(todoChanges(items, [...items])).toEqual([])
  })
})

const item = fc.record({
  text: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  status: fc.constantFrom(...todoStatuses)
})
const lists = fc.tuple(fc.array(item, { maxLength: 10 }), fc.array(item, { maxLength: 10 }))

/** The items of `before` after `changes`, as sorted `text status` words: what is in the list, without its order. */
function applied(before: readonly TodoItem[], list: readonly TodoChange[]): string[] {
  const words = before.map(({ text, status }) => `${text} ${status}`)
  const take = (word: string) => {
    expect(words).toContain(word)
    words.splice(words.indexOf(word), 1)
  }
  for (const change of list) {
    if (change.kind === 'removed' || change.kind === 'status') take(`${change.text} ${change.from}`)
    if (change.kind === 'added' || change.kind === 'status') words.push(`${change.text} ${change.to}`)
  }
  return words.sort()
}

describe('any two lists', () => {
  test('applying the changes to the first gives what the second holds', () => {
    fc.assert(
      fc.property(lists, ([before, after]) => {
        const expected = after.map(({ text, status }) => `${text} ${status}`).sort()
        expect(applied(before, todoChanges(before, after))).toEqual(expected)
      }),
      { numRuns: 3000 }
    )
  })

  test('what was neither added nor removed nor moved keeps its order, and fewer moves would not do', () => {
    const distinct = fc.uniqueArray(item, { selector: ({ text }) => text })
    fc.assert(
      fc.property(distinct, distinct, (before, after) => {
        const list = todoChanges(before, after)
        const moved = list.filter(({ kind }) => kind === 'moved').map(({ text }) => text)
        const kept = textsOf(after).filter((text) => textsOf(before).includes(text))
        const still = kept.filter((text) => !moved.includes(text))
        expect(textsOf(before).filter((text) => still.includes(text))).toEqual(still)
        expect(moved).toHaveLength(kept.length - longestCommonOrder(textsOf(before), kept))
      }),
      { numRuns: 2000 }
    )
  })
})

function textsOf(items: readonly TodoItem[]): string[] {
  return items.map(({ text }) => text)
}

/** By trying every subset: how many of `after` can stay in the order of `before`. */
function longestCommonOrder(before: readonly string[], after: readonly string[]): number {
  const places = after.map((text) => before.indexOf(text))
  let longest = 0
  for (let subset = 0; subset < 1 << places.length; subset++) {
    const chosen = places.filter((_, bit) => subset & (1 << bit))
    const ascends = chosen.every((place, index) => index === 0 || place > (chosen[index - 1] ?? place))
    if (ascends) longest = Math.max(longest, chosen.length)
  }
  return longest
}
