import { beforeEach, describe, expect, test } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Notice } from '#contract/methods.ts'
import type { Bookmark, Breakpoint, Review } from '#core/replay/review.ts'
import { LogReviews } from './log-reviews.ts'

const logOf = (log: string, path: string) => ({ log, path }) as LogStatus
const bookmark: Bookmark = {
  id: 'a',
  place: { file: null, line: 1, ordinal: 0, kind: 'prompt', time: null, text: 'Go' },
  note: ''
}
const breakpoint: Breakpoint = {
  id: 'b',
  enabled: true,
  rule: { type: 'rows', kinds: ['turn'], tools: [], text: null }
}

let kept: Map<string, Review>
let heard: Notice<'review.changed'>[]
let reviews: LogReviews
beforeEach(() => {
  kept = new Map()
  heard = []
  const store = {
    get: async (path: string) => kept.get(path) ?? { bookmarks: [], breakpoints: [] },
    set: async (path: string, review: Review) => void kept.set(path, review)
  }
  reviews = new LogReviews(store, (_, payload) => void heard.push(payload as Notice<'review.changed'>))
})

const one = logOf('log-1', '/a')
const open = () => [one, logOf('log-2', '/b'), logOf('log-3', '/a')]

describe('a review', () => {
  test('keeps what a change leaves out, also of changes at once', async () => {
    await Promise.all([
      reviews.set(one, { bookmarks: [bookmark] }, open),
      reviews.set(one, { breakpoints: [breakpoint] }, open)
    ])
    expect(await reviews.get(one)).toEqual({ bookmarks: [bookmark], breakpoints: [breakpoint], revision: 2 })
    expect(await reviews.get(logOf('log-2', '/b'))).toMatchObject({ bookmarks: [], breakpoints: [] })
  })

  test('is told to everybody who has the file open, in the order in which it was set', async () => {
    expect(await reviews.set(one, { bookmarks: [bookmark] }, open)).toEqual({ revision: 1 })
    await reviews.set(one, { bookmarks: [] }, open)
    expect(heard.map(({ log, revision, bookmarks }) => [log, revision, bookmarks.length])).toEqual([
      ['log-1', 1, 1],
      ['log-3', 1, 1],
      ['log-1', 2, 0],
      ['log-3', 2, 0]
    ])
  })

  test('that cannot be kept is refused, and holds as long as the host does', async () => {
    const full = () => Promise.reject(new HostError('unavailable', 'The disk is full.'))
    const failing = new LogReviews({ get: async () => ({ bookmarks: [], breakpoints: [] }), set: full }, () => {})
    await expect(failing.set(one, { bookmarks: [bookmark] }, open)).rejects.toThrow('The disk is full.')
    expect((await failing.get(one)).bookmarks).toEqual([bookmark])
  })
})
