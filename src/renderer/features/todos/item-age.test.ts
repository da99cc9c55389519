import { expect, it } from 'vitest'
import type { TodoSnapshot } from '#contract/methods.ts'
import { itemAge } from './item-age.ts'

const minute = 60_000
const snapshot: TodoSnapshot = {
  ...{ index: 1, seq: 20, row: 20, line: 21, timestamp: 10 * minute, trackId: null, todoId: 'todos', changes: [] },
  items: [
    { text: 'Read', status: 'completed' },
    { text: 'Write', status: 'in_progress' }
  ],
  ...{
    lanes: [0, 1],
    sinceSeq: [5, 20],
    since: [3 * minute, 10 * minute],
    tookMs: [90_000, null],
    edited: [],
    returned: [],
    moreChanges: 0
  },
  dropped: 0
}

it('returns how long an item has had its status at the playhead', () => {
  const now = { seq: 23, time: 12 * minute + 500 }
  expect([0, 1].map((place) => itemAge(snapshot, place, now)?.text)).toEqual(['done 9m 01s ago', 'for 2m 01s'])
  expect([0, 1].map((place) => itemAge(snapshot, place, now)?.took)).toEqual(['took 1m 30s', null])
  expect(itemAge(snapshot, 0, now)?.title).toMatch(
    /^completed 9 min 1 s ago, event 5 at \d\d:\d\d:\d\d\. In progress for 1 min 30 s before\.$/
  )
  expect(itemAge(snapshot, 1, now)?.title).toMatch(/^in progress for 2 min 1 s, since event 20 at \d\d:\d\d:\d\d$/)
})

it('counts events if times are unknown, at least 0', () => {
  expect(itemAge(snapshot, 0, { seq: 23, time: null })).toEqual({
    text: 'done 18 ev ago',
    took: 'took 1m 30s',
    title: 'completed 18 events ago, event 5. In progress for 1 min 30 s before.'
  })
  expect(itemAge(snapshot, 1, { seq: 21, time: 9 * minute })?.text).toBe('for 0 ms')
  expect(itemAge(snapshot, 2, { seq: 21, time: 9 * minute })).toBeNull()
})
