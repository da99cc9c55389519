import { afterEach, expect, test } from 'vitest'
import type { Review } from '#core/replay/review.ts'
import { keepReviews, keptReview, PageReviews } from './page-reviews.ts'

const empty: Review = { bookmarks: [], breakpoints: [] }
const noted: Review = {
  bookmarks: [],
  breakpoints: [{ id: 'a', enabled: true, rule: { type: 'todo', text: 'tests', status: 'completed' } }]
}

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** The thread's side of a page that keeps things in `storage`. */
function reviewsOf(storage: Pick<Storage, 'setItem'>): PageReviews {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  keepReviews(port1, storage, 'key')
  return new PageReviews(empty, port2)
}

test('what is noted is kept by the page, for the next time it is opened', async () => {
  const kept = new Map<string, string>()
  const storage = {
    setItem: (key: string, value: string) => void kept.set(key, value),
    getItem: (key: string) => kept.get(key) ?? null
  }
  const reviews = reviewsOf(storage)
  expect(await reviews.get()).toEqual(empty)
  await reviews.set('', noted)
  expect(await reviews.get()).toEqual(noted)
  expect(keptReview(storage, 'key')).toEqual(noted)
  expect(keptReview(storage, 'of another page')).toEqual(empty)
})

test('a browser that keeps nothing more is said to', async () => {
  const reviews = reviewsOf({
    setItem() {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await expect(reviews.set('', noted)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('last until it is closed')
  })
})

test.each(['', 'no JSON', '{"bookmarks":1}'])('what cannot be understood counts as nothing: %j', (text) => {
  expect(keptReview({ getItem: () => text }, 'key')).toEqual(empty)
})
