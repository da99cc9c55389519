import { describe, expect, it } from 'vitest'
import type { TodoItem } from '#core/events/todo.ts'
import { changedItems, changeWords, type ListChange, listChanges, removedOf, restWords } from './list-changes.ts'

describe('listChanges', () => {
  it('returns an edited item as one change, besides other changes', () => {
    const changes = listChanges({
      items: [
        { text: 'Read', status: 'completed' },
        { text: 'Report the result', status: 'in_progress' },
        { text: 'Ship', status: 'pending' }
      ],
      changes: [
        { kind: 'removed', text: 'Report', from: 'pending' },
        { kind: 'status', text: 'Read', from: 'in_progress', to: 'completed' },
        { kind: 'added', text: 'Report the result', to: 'in_progress' },
        { kind: 'added', text: 'Ship', to: 'pending' }
      ],
      edited: [{ place: 1, from: 'Report' }],
      returned: []
    })
    expect(changes).toEqual([
      { kind: 'status', text: 'Read', from: 'in_progress', to: 'completed' },
      { kind: 'edited', text: 'Report the result', from: 'Report', to: 1 },
      { kind: 'status', text: 'Report the result', from: 'pending', to: 'in_progress' },
      { kind: 'added', text: 'Ship', to: 'pending' }
    ])
    expect(changeWords(changes, 0)).toBe('+1 done, 1 started, 1 edited, 1 added')
  })

  it('counts returned items among equal texts', () => {
    const item = { text: 'Test', status: 'pending' as const }
    const added = { kind: 'added' as const, text: 'Test', to: 'pending' }
    const changes = listChanges({ items: [item, item], changes: [added, added], edited: [], returned: [1, 9] })
    expect(changes).toEqual([{ kind: 'returned', text: 'Test', to: 'pending' }, added])
    expect(changeWords(changes, 0)).toBe('1 came back, 1 added')
  })

  it('distinguishes a dropped item from an edited one with the same text', () => {
    const changes = listChanges({
      items: [{ text: 'Test it', status: 'pending' }],
      changes: [
        { kind: 'removed', text: 'Test', from: 'pending', dropped: true },
        { kind: 'removed', text: 'Test', from: 'in_progress' },
        { kind: 'added', text: 'Test it', to: 'pending' }
      ],
      edited: [{ place: 0, from: 'Test' }],
      returned: []
    })
    expect(changeWords(changes, 0)).toBe('1 reopened, 1 edited, 1 dropped')
  })

  it('ignores inconsistent changes', () => {
    const changes: ListChange[] = [{ kind: 'added', text: 'B', to: 'pending' }]
    const snapshot = { items: [{ text: 'B', status: 'pending' as const }], changes: [], edited: [], returned: [] }
    expect(listChanges({ ...snapshot, edited: [{ place: 0, from: 'A' }] })).toEqual([])
    expect(listChanges({ ...snapshot, edited: [{ place: 7, from: 'A' }] })).toEqual([])
    expect(changeWords(changes, 0)).toBe('1 added')
  })
})

describe('words', () => {
  const changes: ListChange[] = [
    { kind: 'removed', text: 'Left', from: 'in_progress', dropped: true },
    { kind: 'removed', text: 'Old', from: 'completed' },
    { kind: 'status', text: 'A', from: 'in_progress', to: 'completed' },
    { kind: 'status', text: 'B', from: 'pending', to: 'in_progress' },
    { kind: 'status', text: 'C', from: 'completed', to: 'pending' },
    { kind: 'added', text: 'D', to: 'pending' },
    { kind: 'added', text: 'E', to: 'pending' }
  ]

  it('counts changes by kind', () => {
    expect(changeWords(changes, 0)).toBe('+1 done, 1 started, 1 reopened, 2 added, 1 dropped, 1 removed')
    expect(removedOf(changes)).toEqual([
      { text: 'Left', status: 'in_progress', dropped: true },
      { text: 'Old', status: 'completed', dropped: false }
    ])
    expect(changeWords([], 0)).toBe('no change')
    expect(changeWords([], 1)).toBe('1 more change')
    expect(changeWords(changes, 1200)).toMatch(/, 1,200 more changes$/)
  })

  it('lists the items of each kind', () => {
    expect(changedItems(changes)).toEqual([
      { word: 'done', texts: ['A'] },
      { word: 'started', texts: ['B'] },
      { word: 'reopened', texts: ['C'] },
      { word: 'added', texts: ['D', 'E'] },
      { word: 'dropped', texts: ['Left'] },
      { word: 'removed', texts: ['Old'] }
    ])
  })

  it('counts active, cancelled and dropped items', () => {
    const items: TodoItem[] = [
      { text: 'A', status: 'in_progress' },
      { text: 'B', status: 'cancelled' }
    ]
    expect(restWords({ items, dropped: 0 })).toBe('1 in progress · 1 cancelled')
    expect(restWords({ items, dropped: 1200 })).toBe('1 in progress · 1 cancelled · 1,200 dropped')
    expect(restWords({ items: [{ text: 'A', status: 'completed' }], dropped: 0 })).toBe('')
  })
})
