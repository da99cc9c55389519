import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TodoSnapshot } from '#contract/methods.ts'
import { TodoLists } from './todo-lists.ts'

const listAt = (index: number, text = (place: number) => `Item ${place}`, items = 12): TodoSnapshot => ({
  index,
  seq: index * 10,
  row: index * 10,
  line: index * 10 + 1,
  timestamp: 0,
  trackId: null,
  todoId: 'todos',
  items: Array.from({ length: items }, (_, place) => ({
    text: text(place),
    status: place < index % 12 ? 'completed' : 'pending'
  })),
  changes: [{ kind: 'status', text: text(index % 12), from: 'pending', to: 'completed' }],
  lanes: Array.from({ length: items }, (_, place) => place),
  sinceSeq: Array.from({ length: items }, (_, place) => Math.min(index, place) * 10),
  since: Array.from({ length: items }, () => 0),
  tookMs: Array.from({ length: items }, () => null),
  edited: [],
  returned: [],
  moreChanges: 0,
  dropped: 0
})

/** Lists of a host whose answers the test controls. */
function listsOf(count: number, make: (index: number) => TodoSnapshot = (index) => listAt(index)) {
  const asked: { from: number; count: number; answer: () => Promise<void> }[] = []
  const changed = vi.fn<() => void>()
  const lists = new TodoLists(
    (from, wanted) =>
      new Promise((resolve) => {
        const answer = async () => {
          resolve(Array.from({ length: wanted }, (_, offset) => make(from + offset)))
          await vi.advanceTimersByTimeAsync(0)
        }
        asked.push({ from, count: wanted, answer })
      }),
    changed
  )
  lists.extend(count)
  /** Answers requests until there are none. */
  const answerAll = async () => {
    await vi.advanceTimersByTimeAsync(1000)
    for (let at = 0; at < asked.length; at++) await asked[at]?.answer()
  }
  return { lists, asked, changed, answerAll }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('TodoLists', () => {
  it('reads ahead until all lists are loaded, and notifies only of requested ones', async () => {
    const { lists, asked, changed, answerAll } = listsOf(10_000)
    await answerAll()
    const before = asked.length
    for (const index of [0, 31, 32, 5000, 9999]) expect(lists.get(index)).toEqual(listAt(index))
    expect([asked.length, changed.mock.calls.length]).toEqual([before, 0])
  })

  it('loads the last request first, and drops those that a drag has passed', async () => {
    const { lists, asked, changed } = listsOf(10_000)
    for (let index = 0; index < 8000; index += 100) lists.get(index)
    for (let answers = 0; answers < 6; answers++) await asked[answers]?.answer()
    expect(asked.slice(0, 3).map(({ from }) => from)).toEqual([0, 96, 7896])
    expect(lists.get(7900)).toEqual(listAt(7900))
    expect(changed.mock.calls.length).toBeGreaterThan(0)
    // Few of the eighty lists passed were requested.
    expect(asked.filter(({ from }) => from < 7000).length).toBeLessThan(8)
  })

  it('stays within its memory limit, and still loads visible lists', async () => {
    const { lists, asked, answerAll } = listsOf(10_000, (index) =>
      listAt(index, (place) => `${index}/${place} ${'x'.repeat(1000)}`, 100)
    )
    await answerAll()
    // 200 kB each: about a hundred lists fit.
    expect(asked.length).toBeLessThan(20)
    lists.get(9000)
    await asked.at(-1)?.answer()
    expect(lists.get(9000)?.index).toBe(9000)
  })

  it('keeps equal items and texts once', async () => {
    const { lists, answerAll } = listsOf(64)
    await answerAll()
    expect(lists.get(1)?.items[5]).toBe(lists.get(2)?.items[5])
  })

  it('loads later lists of a chunk, and those that were taken back', async () => {
    let word = 'first'
    const { lists, asked, answerAll } = listsOf(40, (index) => listAt(index, () => word))
    await answerAll()
    const before = asked.length
    lists.truncate(36)
    lists.extend(50)
    word = 'second'
    await answerAll()
    expect(asked.slice(before).map(({ from, count }) => [from, count])).toEqual([
      [36, 4],
      [40, 8],
      [48, 2]
    ])
    expect([35, 36].map((index) => lists.get(index)?.items[0]?.text)).toEqual(['first', 'second'])
  })

  it('ignores an answer older than the last truncation', async () => {
    const { lists, asked } = listsOf(8)
    lists.get(7)
    lists.truncate(4)
    lists.extend(8)
    await asked[0]?.answer()
    expect(lists.get(3)).toEqual(listAt(3))
    expect(lists.get(4)).toBeUndefined()
  })
})
