import { describe, expect, it } from 'vitest'
import type { TodoSnapshot } from '#contract/methods.ts'
import { changeWords, marksOf, removedOf, restWords } from './item-marks.ts'

type Change = TodoSnapshot['changes'][number]

describe('marksOf', () => {
  it('marks what was added, what changed its status and what moved', () => {
    const marks = marksOf({
      items: [
        { text: 'Test', status: 'completed' },
        { text: 'Read', status: 'completed' },
        { text: 'Ship', status: 'pending' }
      ],
      changes: [
        { kind: 'status', text: 'Test', from: 'in_progress', to: 'completed' },
        { kind: 'moved', text: 'Test', from: 1, to: 0 },
        { kind: 'added', text: 'Ship', to: 'pending' }
      ]
    })
    expect(marks).toEqual([
      { added: false, before: 'in_progress', movedFrom: 1 },
      null,
      { added: true, before: null, movedFrom: null }
    ])
  })

  it('gives each of two equal texts its own change', () => {
    const marks = marksOf({
      items: [
        { text: 'Run the tests', status: 'pending' },
        { text: 'Run the tests', status: 'completed' }
      ],
      changes: [{ kind: 'status', text: 'Run the tests', from: 'in_progress', to: 'completed' }]
    })
    expect(marks).toEqual([null, { added: false, before: 'in_progress', movedFrom: null }])
  })

  it('marks two equal texts that were both added', () => {
    const item = { text: 'Again', status: 'pending' } as const
    const change: Change = { kind: 'added', text: 'Again', to: 'pending' }
    expect(marksOf({ items: [item, item], changes: [change, change] }).map((mark) => mark?.added)).toEqual([true, true])
  })
})

describe('words', () => {
  it('counts changes by what they did', () => {
    const changes: Change[] = [
      { kind: 'removed', text: 'Old', from: 'pending' },
      { kind: 'status', text: 'A', from: 'in_progress', to: 'completed' },
      { kind: 'status', text: 'B', from: 'pending', to: 'in_progress' },
      { kind: 'status', text: 'C', from: 'completed', to: 'pending' },
      { kind: 'added', text: 'D', to: 'pending' }
    ]
    expect(changeWords(changes)).toBe('+1 done, 1 started, 1 put back, 1 added, 1 removed')
    expect(removedOf(changes)).toEqual(['Old'])
    expect(changeWords([])).toBe('no change')
  })

  it('says what is active and what was cancelled', () => {
    expect(
      restWords([
        { text: 'A', status: 'in_progress' },
        { text: 'B', status: 'cancelled' }
      ])
    ).toBe('1 active · 1 cancelled')
    expect(restWords([{ text: 'A', status: 'completed' }])).toBe('')
  })
})
