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
const storeOf = () => ({
  get: async (path: string) => kept.get(path) ?? { bookmarks: [], breakpoints: [] },
  async change(path: string, change: (stored: Review) => Review) {
    const changed = change(await this.get(path))
    kept.set(path, changed)
    return changed
  }
})
beforeEach(() => {
  kept = new Map()
  heard = []
  const store = storeOf()
  reviews = new LogReviews(store, (_, payload) => void heard.push(payload as Notice<'review.changed'>), open)
})

const one = logOf('log-1', '/a')
const open = () => [one, logOf('log-2', '/b'), logOf('log-3', '/a')]

describe('a review', () => {
  test('keeps what a change leaves out, also of changes at once', async () => {
    await Promise.all([reviews.set(one, { bookmarks: [bookmark] }), reviews.set(one, { breakpoints: [breakpoint] })])
    expect(await reviews.get(one)).toEqual({ bookmarks: [bookmark], breakpoints: [breakpoint], revision: 2 })
    expect(await reviews.get(logOf('log-2', '/b'))).toMatchObject({ bookmarks: [], breakpoints: [] })
  })

  test('is told to everybody who has the file open, in the order in which it was set', async () => {
    expect(await reviews.set(one, { bookmarks: [bookmark] })).toEqual({ revision: 1 })
    await reviews.set(one, { bookmarks: [] })
    expect(heard.map(({ log, revision, bookmarks }) => [log, revision, bookmarks.length])).toEqual([
      ['log-1', 1, 1],
      ['log-3', 1, 1],
      ['log-1', 2, 0],
      ['log-3', 2, 0]
    ])
  })

  test('that cannot be kept is refused, and holds as long as the host does', async () => {
    const full = () => Promise.reject(new HostError('unavailable', 'The disk is full.'))
    const none = { get: async () => ({ bookmarks: [], breakpoints: [] }), change: full }
    const failing = new LogReviews(none, () => {}, open)
    await expect(failing.set(one, { bookmarks: [bookmark] })).rejects.toThrow('The disk is full.')
    expect((await failing.get(one)).bookmarks).toEqual([bookmark])
  })
})

describe('two Playheads at one review', () => {
  const place = (id: string, note = ''): Bookmark => ({ ...bookmark, id, note })
  let other: LogReviews
  const asKept = () => kept.get('/a')?.bookmarks.map(({ id, note }) => id + note)
  beforeEach(() => {
    const store = storeOf()
    const told = (_: string, payload: unknown): void => void heard.push(payload as Notice<'review.changed'>)
    ;[reviews, other] = [new LogReviews(store, told, open), new LogReviews(store, () => {}, open)]
  })

  test('each keep what the other one adds, changes and removes', async () => {
    await reviews.set(one, { bookmarks: [place('a'), place('b'), place('c')] })
    await other.get(one)
    await other.set(one, { bookmarks: [place('a', '1'), place('c'), place('d')] })
    await reviews.set(one, { bookmarks: [place('a'), place('b'), place('c', '2'), place('e')] })
    expect(asKept()).toEqual(['a1', 'c2', 'e', 'd'])
    // The page that made the change learns of the other one's.
    expect(heard.at(-1)?.bookmarks.map(({ id, note }) => id + note)).toEqual(['a1', 'c2', 'e', 'd'])
  })

  test('are told of a change when the review is asked for again', async () => {
    await reviews.get(one)
    await other.set(one, { bookmarks: [place('x')] })
    const { revision } = await reviews.get(one)
    expect(heard.at(-1)).toMatchObject({ revision, bookmarks: [{ id: 'x' }] })
    await reviews.set(one, { bookmarks: [] })
    expect(asKept()).toEqual([])
  })

  test('keep the note of the last one who changed the same bookmark', async () => {
    await reviews.set(one, { bookmarks: [place('a')] })
    await other.set(one, { bookmarks: [place('a', '1')] })
    await reviews.set(one, { bookmarks: [place('a', '2')] })
    expect(asKept()).toEqual(['a2'])
  })
})
