import { describe, expect, it } from 'vitest'
import { itemChanges } from './item-changes.ts'
import type { ListChange } from './list-changes.ts'

describe('itemChanges', () => {
  it('returns additions, status changes and moves', () => {
    const marks = itemChanges(
      [
        { text: 'Test', status: 'completed' },
        { text: 'Read', status: 'completed' },
        { text: 'Ship', status: 'pending' },
        { text: 'Tell them', status: 'pending' },
        { text: 'Report', status: 'pending' }
      ],
      [
        { kind: 'status', text: 'Test', from: 'in_progress', to: 'completed' },
        { kind: 'moved', text: 'Test', from: 1, to: 0 },
        { kind: 'added', text: 'Ship', to: 'pending' },
        { kind: 'edited', text: 'Tell them', from: 'Tell', to: 3 },
        { kind: 'returned', text: 'Report', to: 'pending' }
      ]
    )
    expect(marks).toEqual([
      { arrived: null, before: 'in_progress', movedFrom: 1, editedFrom: null },
      null,
      { arrived: 'added', before: null, movedFrom: null, editedFrom: null },
      { arrived: null, before: null, movedFrom: null, editedFrom: 'Tell' },
      { arrived: 'returned', before: null, movedFrom: null, editedFrom: null }
    ])
  })

  it('gives each of two equal texts its own change', () => {
    const marks = itemChanges(
      [
        { text: 'Run the tests', status: 'pending' },
        { text: 'Run the tests', status: 'completed' }
      ],
      [{ kind: 'status', text: 'Run the tests', from: 'in_progress', to: 'completed' }]
    )
    expect(marks).toEqual([null, { arrived: null, before: 'in_progress', movedFrom: null, editedFrom: null }])
  })

  it('returns both additions of two equal texts', () => {
    const item = { text: 'Again', status: 'pending' } as const
    const change: ListChange = { kind: 'added', text: 'Again', to: 'pending' }
    expect(itemChanges([item, item], [change, change]).map((mark) => mark?.arrived)).toEqual(['added', 'added'])
  })
})
