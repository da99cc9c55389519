import { describe, expect, test } from 'vitest'
import type { Host } from '#contract/methods.ts'
import type { Breakpoint, Review } from '#core/replay/review.ts'
import { PageReviews } from './page-reviews.ts'

const empty: Review = { bookmarks: [], breakpoints: [] }
const breakpoints: Breakpoint[] = [
  { id: 'a', enabled: true, rule: { type: 'todo', text: 'tests', status: 'completed' } }
]

function storage() {
  const kept = new Map<string, string>()
  return {
    setItem: (key: string, value: string) => void kept.set(key, value),
    getItem: (key: string) => kept.get(key) ?? null
  }
}

/** A host that answers everything with the method's name. */
const other: Host = {
  call: (async (method: string) => method) as unknown as Host['call'],
  on: () => () => {},
  onClose: () => {}
}

describe('the reviews of a shared page', () => {
  // A reload right after a key was pressed once lost the bookmark: it was on its way through the thread of the log.
  test('what is noted is kept before the call returns, for the next time the page is opened', () => {
    const browser = storage()
    const host = new PageReviews(browser, 'key').answerFor(other)
    void host.call('review.set', { log: 'shared', breakpoints })
    expect(new PageReviews(browser, 'key').get()).toMatchObject({ bookmarks: [], breakpoints })
    expect(new PageReviews(browser, 'of another page').get()).toMatchObject(empty)
  })

  test('a change keeps what it leaves out, and has a number above the last one', async () => {
    const host = new PageReviews(storage(), 'key').answerFor(other)
    const { revision } = await host.call('review.set', { log: 'shared', breakpoints })
    expect((await host.call('review.set', { log: 'shared', bookmarks: [] })).revision).toBeGreaterThan(revision)
    expect(await host.call('review.get', { log: 'shared' })).toMatchObject({ breakpoints })
  })

  test('the host answers everything else', async () => {
    expect(await new PageReviews(storage(), 'key').answerFor(other).call('log.list', {})).toBe('log.list')
  })

  test('a browser that keeps nothing more is named; the change lasts as long as the page', async () => {
    const full = {
      getItem: () => null,
      setItem() {
        throw new DOMException('full', 'QuotaExceededError')
      }
    }
    const host = new PageReviews(full, 'key').answerFor(other)
    await expect(host.call('review.set', { log: 'shared', breakpoints })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('are lost when the page is closed')
    })
    expect(await host.call('review.get', { log: 'shared' })).toMatchObject({ breakpoints })
  })

  test.each(['', 'no JSON', '{"bookmarks":1}'])('what cannot be understood counts as nothing: %j', (text) => {
    expect(new PageReviews({ getItem: () => text, setItem: () => {} }, 'key').get()).toMatchObject(empty)
  })
})
